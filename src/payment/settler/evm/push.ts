import { Clock, Effect } from "effect"
import { makeTrouble } from "../../../domain/trouble.ts"
import { countEvent } from "../metrics.ts"
import { mostFeeOf, type Terms } from "./choice.ts"
import { CANCEL_GAS, cancellation, contentOf, sign } from "./content.ts"
import type { Attempt, Slot } from "./job.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import type { EvmNode } from "./node.ts"
import { boundPerGas, isSufficient, type Offer, raisedOffer } from "./offers.ts"
import type { SigningKey } from "./signing-key.ts"

/** A transaction that waits longer than three blocks may need a higher fee. */
const PATIENCE = 6_000
/** After this it is raised even where its offer looks sufficient: others may offer more. */
const LONG_PATIENCE = 12_000
/** Nodes forget transactions, or pass them on to nobody: the same bytes are sent again, to all of ours. */
const RESEND = 4_000
const RESEND_REFUSED = 1_000
/** Milliseconds before the end of a window at which its transfer may just miss the last block. */
const CLOSING = 2_000
/** What taking a stuck nonce back may cost, millionths of a USD: it unblocks every later payment of the key. */
const CANCEL_BUDGET = 1_000_000n

/**
 * Milliseconds since a moment. One that lies ahead was written by a clock that ran wrong, of this process or of the one
 * before it: it tells nothing, and counts as long ago.
 */
const sinceThen = (now: number, then: number): number => (then > now + PATIENCE ? Infinity : now - then)

export interface PushOptions {
  readonly node: Pick<EvmNode, "sendToAll">
  readonly journal: Pick<SettlementJournal["Type"], "replace" | "sent">
  readonly account: SigningKey
  readonly address: Address
  readonly taken: Taken
}

/**
 * Hashes a node took, or may have, which the journal does not know yet. Most are in a block before anybody asks, and
 * then it is never written; what a crash forgets is sent again, like everything that was only prepared.
 */
export type Taken = Set<Attempt["hash"]>

/** Hands a stored attempt to a node, or to all of them, and remembers that one may have it. */
export const makeSubmit = (send: EvmNode["send"], taken: Taken) => {
  const { failed, worked } = makeTrouble("handing settlements to Base")
  return Effect.fnUntraced(function* (nonce: number, attempt: Pick<Attempt, "hash" | "raw">) {
    const { answer, detail } = yield* send(attempt.raw)
    if (answer === "taken" || answer === "unknown") {
      taken.add(attempt.hash)
      return yield* worked
    }
    yield* failed(answer, Effect.logWarning("Base did not take a settlement", { nonce, answer, detail }))
  })
}

/** Writes down that a node has the newest attempt at a nonce, where that is so and no block holds it yet. */
const makeNote = ({ address, journal, taken }: Pick<PushOptions, "address" | "journal" | "taken">) =>
  Effect.fnUntraced(function* (slot: Slot) {
    const last = slot.attempts.at(-1)
    if (last === undefined || !taken.has(last.hash)) return last
    yield* journal.sent(address, slot.nonce, last.hash)
    taken.delete(last.hash)
    return { ...last, sentAt: yield* Clock.currentTimeMillis }
  })

/** What is done for a nonce that is in no block: sent again, replaced for a higher fee, or cancelled. */
export const makePush = (options: PushOptions) => {
  const { account, address, journal, node, taken } = options
  const submit = makeSubmit(node.sendToAll, taken)
  const note = makeNote(options)

  /** False where the budgets of what the slot carries have no room for it: nothing was stored or sent. */
  const attemptAgain = Effect.fnUntraced(function* (
    slot: Slot,
    attempt: Omit<Attempt, "createdAt" | "sentAt">,
    mostFee: bigint
  ) {
    const { state } = yield* journal.replace({ address, nonce: slot.nonce, attempt, mostFee })
    if (state === "beyond") return false
    yield* countEvent(attempt.kind === "cancel" ? "cancelled" : "replaced")
    if (state === "stored") yield* submit(slot.nonce, attempt)
    return true
  })

  const cancel = Effect.fnUntraced(function* (slot: Slot, last: Attempt, terms: Terms) {
    const offer = raisedOffer(last, terms.market, boundPerGas(CANCEL_BUDGET, CANCEL_GAS, terms.price))
    if (offer === undefined) return yield* resend(slot, last)
    const attempt = yield* Effect.promise(() =>
      sign(account, slot.nonce, "cancel", cancellation(address), offer)
    )
    yield* attemptAgain(slot, attempt, mostFeeOf([{ data: "0x" }], CANCEL_GAS, offer, terms))
  })

  const raise = Effect.fnUntraced(function* (slot: Slot, offer: Offer, terms: Terms) {
    const content = { ...contentOf(slot.jobs), gas: slot.gas }
    const attempt = yield* Effect.promise(() => sign(account, slot.nonce, "payment", content, offer))
    return yield* attemptAgain(slot, attempt, mostFeeOf(slot.jobs, slot.gas, offer, terms))
  })

  const resend = Effect.fnUntraced(function* (slot: Slot, last: Attempt) {
    const idle = sinceThen(yield* Clock.currentTimeMillis, last.sentAt ?? last.createdAt)
    if (idle >= (last.sentAt === null ? RESEND_REFUSED : RESEND)) yield* submit(slot.nonce, last)
  })

  /** The next step for a nonce that is in no block. */
  const push = Effect.fnUntraced(function* (slot: Slot, terms: Terms) {
    const last = yield* note(slot)
    if (last === undefined) return
    const now = yield* Clock.currentTimeMillis
    const waited = sinceThen(now, last.createdAt)
    const isShort = !isSufficient(last, terms.market)
    const isStuck = waited >= LONG_PATIENCE || (waited >= PATIENCE && isShort)
    if (last.kind === "cancel") {
      return yield* isStuck ? cancel(slot, last, terms) : resend(slot, last)
    }
    // If it were sent now, it could land only after its window, and would burn its gas.
    if (now >= slot.windowEnd - CLOSING) return yield* cancel(slot, last, terms)
    const offer = isStuck ? raisedOffer(last, terms.market, slot.bound) : undefined
    if (offer !== undefined && (yield* raise(slot, offer, terms))) return
    if (isShort && waited >= LONG_PATIENCE) return yield* cancel(slot, last, terms)
    yield* resend(slot, last)
  })

  return push
}
