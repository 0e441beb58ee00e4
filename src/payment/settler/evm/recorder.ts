import { Clock, Effect, Metric } from "effect"
import { BASE_NETWORK } from "../../../domain/chain.ts"
import { countEvent, feesPaid, settlementSeconds } from "../metrics.ts"
import { weiMicros } from "./offers.ts"
import type { Taken } from "./push.ts"
import { evidenceIn } from "./content.ts"
import type { Attempt, Job, JobResult, Place, Slot } from "./job.ts"
import type { Address, Inclusion, SettlementJournal } from "./journal.ts"
import type { EvmNode, Receipt } from "./node.ts"

/** A result to be told to everybody who waits for the payment. */
export interface Recorded {
  readonly authorizationKey: string
  readonly result: JobResult | { readonly state: "waiting" }
}

const EXPIRED = "invalid_exact_evm_payload_authorization_valid_before"
const FAILED = "invalid_exact_evm_transaction_failed"

interface RecorderOptions {
  readonly node: EvmNode
  readonly journal: SettlementJournal["Type"]
  readonly address: Address
  readonly finalityFrom: bigint
  readonly taken: Taken
  /** Tells whoever waits. */
  readonly announce: (results: ReadonlyArray<Recorded>) => Effect.Effect<void>
}

/** What a transaction did to one of the payments it carried, by its own logs. */
const resultOf = (job: Job, kind: Attempt["kind"], receipt: Receipt, now: number) => {
  if (kind === "cancel") {
    return job.validBefore * 1_000 <= now
      ? { state: "expired" as const, reason: EXPIRED }
      : { state: "waiting" as const }
  }
  const evidence = evidenceIn(receipt, job)
  return evidence === undefined
    ? { state: "failed" as const, reason: FAILED }
    : { state: "landed" as const, evidence }
}

const receiptOf = Effect.fnUntraced(function* ({ node }: RecorderOptions, slot: Slot) {
  for (const attempt of slot.attempts.toReversed()) {
    const receipt = yield* node.receipt(attempt.hash)
    if (receipt !== undefined) return { attempt, receipt }
  }
  return undefined
})

interface Sighted {
  readonly attempt: Attempt
  readonly receipt: Receipt
}

const countFirst = Effect.fnUntraced(function* (slot: Slot, fee: bigint, now: number) {
  if (slot.inclusion !== undefined) return
  yield* Metric.incrementBy(Metric.tagged(feesPaid, "network", BASE_NETWORK), Number(fee))
  const latency = Metric.tagged(settlementSeconds, "network", BASE_NETWORK)
  yield* Metric.update(latency, (now - slot.createdAt) / 1_000)
})

/**
 * Whether code that a payer brought made a transaction fail. A payer who has code goes alone. One who got it after he was
 * tried (EIP-7702) shows by the gas: transfers that just fail leave most of what their transaction may use, and so do those
 * beside them.
 */
const isBurnt = (
  { gas, jobs }: Slot,
  { attempt: { kind }, receipt: { gasUsed } }: Sighted,
  results: ReadonlyArray<Recorded>
): boolean =>
  kind === "payment" &&
  results.some(({ result }) => result.state === "failed") &&
  (jobs.some(({ alone }) => alone) || 4n * gasUsed > 3n * gas)

const failedPartOf = ({ jobs }: Slot, results: ReadonlyArray<Recorded>): number =>
  results.filter(({ result }) => result.state === "failed").length / Math.max(1, jobs.length)

const record = Effect.fnUntraced(function* (
  { address, announce, finalityFrom, journal, taken }: RecorderOptions,
  slot: Slot,
  sighted: Sighted,
  price: bigint,
  isFinal: boolean
) {
  const { attempt, receipt } = sighted
  const now = yield* Clock.currentTimeMillis
  const fee = weiMicros(receipt.gasUsed * receipt.gasPrice + receipt.dataFee, price)
  const results = slot.jobs
    .map((job) => ({ job, result: resultOf(job, attempt.kind, receipt, now) }))
    .filter(({ job, result }) => isFinal || result.state !== "landed" || job.amount < finalityFrom)
    .map(({ job, result }) => ({ authorizationKey: job.authorizationKey, result }))
  const inclusion: Inclusion = {
    address,
    nonce: slot.nonce,
    hash: attempt.hash,
    height: receipt.height,
    blockHash: receipt.blockHash,
    feeMicros: fee,
    isFinal,
    isBurnt: isBurnt(slot, sighted, results),
    failedPart: failedPartOf(slot, results),
    results
  }
  // Told before the journal has it: the chain has it already, and the sale is then written in the same commit.
  yield* announce(results.filter(({ result }) => result.state === "landed"))
  yield* journal.include(inclusion)
  for (const { hash } of slot.attempts) taken.delete(hash)
  yield* countFirst(slot, fee, now)
  return results
})

/** It still occupies its nonce, so it is pushed like any other, and cancelled once its window is past. */
const reopen = Effect.fnUntraced(function* (
  { address, journal }: RecorderOptions,
  nonce: number,
  hash: Attempt["hash"]
) {
  yield* countEvent("reorganised")
  yield* Effect.logWarning("a settlement was taken out of the chain", { hash })
  yield* journal.reopen(address, nonce)
})

/** The results of a nonce one of whose attempts is in the chain; `undefined` while none is seen. */
const find = (options: RecorderOptions, slot: Slot, price: bigint) =>
  Effect.flatMap(receiptOf(options, slot), (found) =>
    found === undefined
      ? Effect.succeed(undefined)
      : Effect.map(record(options, slot, found, price, false), (results): ReadonlyArray<Recorded> => results)
  )

/** Closes every nonce that is in a safe block; the results of payments that were too large to count before. */
const finish = Effect.fnUntraced(function* (options: RecorderOptions, price: bigint) {
  const { address, journal, node } = options
  const { included } = yield* journal.underWay(address, 0)
  if (included.length === 0) return []
  const safe = yield* node.safeHeight
  const results: Array<Recorded> = []
  for (const slot of yield* journal.closable(address, safe)) {
    if (slot.inclusion === undefined) continue
    const found = yield* receiptOf(options, slot)
    if (found === undefined && (yield* node.used(address, safe)) <= slot.nonce) {
      yield* reopen(options, slot.nonce, slot.inclusion.hash)
    }
    if (found === undefined || found.receipt.height > safe) continue
    results.push(...(yield* record(options, slot, found, price, true)))
  }
  return results
})

/** Writes down what became of a key's transactions, from inclusion to finality. */
export const makeRecorder = (options: RecorderOptions) => {
  const { address, node } = options
  return {
    find: (slot: Slot, price: bigint) => find(options, slot, price),
    /**
     * A node says that fewer transactions of the key are in the chain than we have seen included. Believed only of a
     * node that has the block in question: at that height its chain does not hold the transaction.
     */
    recheck: Effect.fnUntraced(function* ({ hash, height, nonce }: Place) {
      const used = yield* Effect.option(node.used(address, height))
      if (used._tag === "None" || used.value > nonce) return
      yield* reopen(options, nonce, hash)
    }),
    /** The results of a nonce whose block is gone: another block holds one of its attempts, or none does. */
    again: Effect.fnUntraced(function* (slot: Slot, price: bigint) {
      const found = yield* find(options, slot, price)
      if (found !== undefined) return found
      if (slot.inclusion !== undefined) yield* reopen(options, slot.nonce, slot.inclusion.hash)
      return []
    }),
    finish: (price: bigint) => finish(options, price)
  }
}

export type Recorder = ReturnType<typeof makeRecorder>
