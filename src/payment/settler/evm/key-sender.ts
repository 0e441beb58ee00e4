import { Effect, Metric } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { batchSize } from "../metrics.ts"
import { type Choice, mostFeeOf } from "./choice.ts"
import { contentOf, sign } from "./content.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import { makeLook } from "./look.ts"
import type { EvmNode } from "./node.ts"
import { makePush, makeSubmit, type Taken } from "./push.ts"
import { makeRecorder } from "./recorder.ts"
import type { Waiters } from "./waiters.ts"
import type { SigningKey } from "./signing-key.ts"
import { type Strangers, makeStrangers } from "./strangers.ts"

export interface KeySenderOptions {
  readonly node: EvmNode
  readonly journal: SettlementJournal["Type"]
  readonly account: SigningKey
  /** From this amount on (smallest units) a payment counts only at a safe block. */
  readonly finalityFrom: bigint
  /** Tells whoever waits. */
  readonly announce: Waiters["announce"]
}

const windowEnd = ({ entries }: Choice): number =>
  Math.min(...entries.map(({ job }) => job.validBefore)) * 1_000

/**
 * The first nonce at or above the chain's count that nothing of ours occupies. The chain's count and not our own: an
 * operator may have used the key by hand.
 */
const recoverNonce = ({
  address,
  journal,
  node,
  strangers
}: {
  readonly address: Address
  readonly journal: SettlementJournal["Type"]
  readonly node: EvmNode
  readonly strangers: Strangers
}): Effect.Effect<number, UpstreamError> =>
  Effect.gen(function* () {
    const own = yield* journal.nextNonce(address)
    const occupied = new Set((yield* journal.slots(address, 0)).map(({ nonce }) => nonce))
    const [latest, pending] = yield* Effect.all([node.used(address, "latest"), node.used(address, "pending")])
    if (own !== null && latest > own) yield* strangers.tell(latest - 1)
    let next = own === null ? Math.max(latest, pending) : latest
    while (occupied.has(next)) next += 1
    yield* journal.adoptNonce(address, next)
    return next
  })

/**
 * Sends one key's transactions. A nonce and its signed bytes are stored before they are sent, so whoever holds the key
 * after a crash sends the same bytes again. Two attempts at one nonce exclude each other on chain.
 */
export const makeKeySender = (options: KeySenderOptions) => {
  const { account, announce, finalityFrom, journal, node } = options
  const address: Address = `0x${account.address.slice(2).toLowerCase()}`
  const taken: Taken = new Set()
  const recorder = makeRecorder({ node, journal, address, finalityFrom, taken, announce })
  const strangers = makeStrangers(address)
  const push = makePush({ node, journal, account, address, taken })

  /** Takes a nonce and stores its signed bytes. */
  const prepare = Effect.fnUntraced(function* (nonce: number, choice: Choice) {
    const jobs = choice.entries.map(({ job }) => job)
    const content = contentOf(jobs)
    const attempt = yield* Effect.promise(() => sign(account, nonce, "payment", content, choice.offer))
    const stored = yield* journal.prepare({
      address,
      nonce,
      gas: content.gas,
      bound: choice.bound,
      windowEnd: windowEnd(choice),
      entries: choice.entries,
      attempt,
      mostFee: mostFeeOf(jobs, content.gas, choice.offer, choice.terms)
    })
    if (stored.state === "stored") yield* Metric.update(batchSize, choice.entries.length)
    return { attempt, stored }
  })

  return {
    address,
    recover: recoverNonce({ address, journal, node, strangers }),
    prepare,
    submit: makeSubmit(node.send, taken),
    look: makeLook({ node, journal, address, recorder, push, strangers }),
    finish: recorder.finish
  }
}

export type KeySender = ReturnType<typeof makeKeySender>
