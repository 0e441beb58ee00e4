import { Clock, Effect, Metric } from "effect"
import type { PrivateKeyAccount } from "viem/accounts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { batchSize, countEvent } from "../metrics.ts"
import { type Bid, boundPerGas, isSufficient, raisedBid } from "./bids.ts"
import type { Choice, Terms } from "./choice.ts"
import { CANCEL_GAS, cancellation, contentOf, sign } from "./content.ts"
import type { Attempt, Slot } from "./job.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import type { EvmNode } from "./node.ts"
import { makeRecorder, type Recorded } from "./recorder.ts"

/** A transaction that waits longer than three blocks may need a higher fee. */
const PATIENCE = 6_000
/** After this it is raised even where its bid looks sufficient: others may bid more. */
const LONG_PATIENCE = 12_000
/** Nodes forget transactions: the same bytes are sent again. */
const RESEND = 4_000
const RESEND_REFUSED = 1_000
/** Milliseconds before the end of a window at which its transfer may just miss the last block. */
const CLOSING = 2_000
/** What taking a stuck nonce back may cost, millionths of a USD: it unblocks every later payment of the key. */
const CANCEL_BUDGET = 1_000_000n
/** Milliseconds without a receipt for a used nonce before it is looked for at a safe block. */
const UNEXPLAINED = 30_000
/** Blocks below the head whose transactions are looked after; deeper ones are looked at once more when they are safe. */
const REORGANISED = 12
const LOOK_AT_BLOCKS = 2_000

export interface KeySenderOptions {
  readonly node: EvmNode
  readonly journal: SettlementJournal["Type"]
  readonly account: PrivateKeyAccount
  /** From this amount on (smallest units) a payment counts only at a safe block. */
  readonly finalityFrom: bigint
}

const windowEnd = ({ entries }: Choice): number =>
  Math.min(...entries.map(({ job }) => job.validBefore)) * 1_000

/**
 * Sends one key's transactions. A nonce and its signed bytes are stored before they are sent, so whoever holds the key
 * after a crash sends the same bytes again. Two attempts at one nonce exclude each other on chain.
 */
export const makeKeySender = ({ account, finalityFrom, journal, node }: KeySenderOptions) => {
  const address: Address = `0x${account.address.slice(2).toLowerCase()}`
  const recorder = makeRecorder({ node, journal, address, finalityFrom })

  const submit = (nonce: number, attempt: Pick<Attempt, "hash" | "raw">) =>
    Effect.gen(function* () {
      const { answer, detail } = yield* node.send(attempt.raw)
      if (answer === "taken" || answer === "unknown") return yield* journal.sent(address, nonce, attempt.hash)
      yield* Effect.logWarning("Base did not take a settlement", { nonce, answer, detail })
    })

  /** Takes a nonce and stores its signed bytes. `undefined`: the key or a payment was taken by another process. */
  const prepare = (nonce: number, choice: Choice) =>
    Effect.gen(function* () {
      const content = contentOf(choice.entries.map(({ job }) => job))
      const attempt = yield* Effect.promise(() => sign(account, nonce, "payment", content, choice.bid))
      const isOurs = yield* journal.prepare({
        address,
        nonce,
        gas: content.gas,
        bound: choice.bound,
        windowEnd: windowEnd(choice),
        entries: choice.entries,
        attempt
      })
      if (isOurs) yield* Metric.update(batchSize, choice.entries.length)
      return isOurs ? attempt : undefined
    })

  const attemptAgain = (slot: Slot, attempt: Omit<Attempt, "createdAt" | "sentAt">) =>
    Effect.flatMap(journal.replace(address, slot.nonce, attempt), (ours) =>
      ours ? submit(slot.nonce, attempt) : Effect.void
    )

  const cancel = (slot: Slot, last: Attempt, { market, price }: Terms) =>
    Effect.gen(function* () {
      const bid = raisedBid(last, market, boundPerGas(CANCEL_BUDGET, CANCEL_GAS, price))
      if (bid === undefined) return yield* resend(slot, last)
      const attempt = yield* Effect.promise(() =>
        sign(account, slot.nonce, "cancel", cancellation(address), bid)
      )
      yield* countEvent("cancelled")
      yield* attemptAgain(slot, attempt)
    })

  const raise = (slot: Slot, bid: Bid) =>
    Effect.gen(function* () {
      const content = { ...contentOf(slot.jobs), gas: slot.gas }
      const attempt = yield* Effect.promise(() => sign(account, slot.nonce, "payment", content, bid))
      yield* countEvent("replaced")
      yield* attemptAgain(slot, attempt)
    })

  const resend = (slot: Slot, last: Attempt) =>
    Effect.gen(function* () {
      const idle = (yield* Clock.currentTimeMillis) - (last.sentAt ?? last.createdAt)
      if (idle >= (last.sentAt === null ? RESEND_REFUSED : RESEND)) yield* submit(slot.nonce, last)
    })

  /** The next step for a nonce that is in no block. */
  const push = (slot: Slot, terms: Terms) =>
    Effect.gen(function* () {
      const last = slot.attempts.at(-1)
      if (last === undefined) return
      const now = yield* Clock.currentTimeMillis
      const waited = now - last.createdAt
      const isShort = !isSufficient(last, terms.market)
      const isStuck = waited >= LONG_PATIENCE || (waited >= PATIENCE && isShort)
      if (last.kind === "cancel") {
        return yield* isStuck ? cancel(slot, last, terms) : resend(slot, last)
      }
      // Sent now, it could land only after its window, and would burn its gas.
      if (now >= slot.windowEnd - CLOSING) return yield* cancel(slot, last, terms)
      const bid = isStuck ? raisedBid(last, terms.market, slot.bound) : undefined
      if (bid !== undefined) return yield* raise(slot, bid)
      if (isShort && waited >= LONG_PATIENCE) return yield* cancel(slot, last, terms)
      yield* resend(slot, last)
    })

  /** A nonce the chain has used: by one of our attempts, or by somebody else's transaction with this key. */
  const explain = (slot: Slot, terms: Terms) =>
    Effect.gen(function* () {
      const recorded = yield* recorder.find(slot, terms.price)
      if (recorded !== undefined) return recorded
      const now = yield* Clock.currentTimeMillis
      if (now - slot.createdAt < UNEXPLAINED) return []
      const used = yield* node.used(address, yield* node.safeHeight)
      if (used <= slot.nonce || (yield* recorder.find(slot, terms.price)) !== undefined) return []
      yield* Effect.logError("a stranger's transaction took a nonce of the settling key", { address })
      yield* countEvent("foreign")
      yield* journal.abandon(address, slot.nonce)
      return []
    })

  const lookAt = (slot: Slot, used: number, gone: ReadonlySet<string>, terms: Terms) => {
    const nothing: ReadonlyArray<Recorded> = []
    if (slot.inclusion === undefined) {
      return slot.nonce < used ? explain(slot, terms) : Effect.as(push(slot, terms), nothing)
    }
    if (slot.nonce >= used) return Effect.as(recorder.recheck(slot, slot.inclusion), nothing)
    return gone.has(slot.inclusion.blockHash) ? recorder.again(slot, terms.price) : Effect.succeed(nothing)
  }

  let askedForBlocks = 0

  /**
   * Blocks of ours that are not in the chain any more. Their transactions may be in others, or another attempt at
   * their nonce is, which the count of used nonces does not show.
   */
  const goneBlocks = (slots: ReadonlyArray<Slot>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now - askedForBlocks < LOOK_AT_BLOCKS) return new Set<string>()
      askedForBlocks = now
      const blocks = new Map(
        slots.flatMap(({ inclusion }) =>
          inclusion === undefined ? [] : [[inclusion.blockHash, inclusion.height] as const]
        )
      )
      const isGone = ([hash, height]: readonly [string, number]) =>
        Effect.orElseSucceed(
          Effect.map(node.blockHash(height), (found) => found !== hash),
          () => false
        )
      return new Set((yield* Effect.filter(blocks, isGone, { concurrency: 4 })).map(([hash]) => hash))
    })

  /** One look at the chain for every nonce in flight; what it settled, and how many nonces still wait for a block. */
  const look = (terms: Terms) =>
    Effect.gen(function* () {
      const slots = yield* journal.slots(address, terms.market.height - REORGANISED)
      if (slots.length === 0) return { results: [], waiting: 0, unfinished: 0 }
      const used = yield* node.used(address, "latest")
      const gone = yield* goneBlocks(slots)
      const results = yield* Effect.forEach(slots, (slot) => lookAt(slot, used, gone, terms), {
        concurrency: 8
      })
      const waiting = slots.filter(({ inclusion, nonce }) => inclusion === undefined && nonce >= used).length
      return { results: results.flat(), waiting, unfinished: slots.length }
    })

  /**
   * The first nonce at or above the chain's count that nothing of ours occupies. The chain's count and not our own: an
   * operator may have used the key by hand.
   */
  const recover: Effect.Effect<number, UpstreamError> = Effect.gen(function* () {
    const own = yield* journal.nextNonce(address)
    const occupied = new Set((yield* journal.slots(address, 0)).map(({ nonce }) => nonce))
    const [latest, pending] = yield* Effect.all([node.used(address, "latest"), node.used(address, "pending")])
    let next = own === null ? Math.max(latest, pending) : latest
    while (occupied.has(next)) next += 1
    yield* journal.adoptNonce(address, next)
    return next
  })

  return { address, recover, prepare, submit, look, finish: recorder.finish }
}

export type KeySender = ReturnType<typeof makeKeySender>
