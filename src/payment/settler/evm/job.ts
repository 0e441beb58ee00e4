import { Schema } from "effect"
import { Evidence } from "../../outcome.ts"

const Hex = Schema.TemplateLiteral("0x", Schema.String).pipe(Schema.pattern(/^0x[0-9a-f]*$/))

/** One payment to be executed: the call that does it, and what its success looks like. */
export const Job = Schema.Struct({
  authorizationKey: Schema.String,
  /** The asset's contract, lower-case hex as everything here. */
  asset: Hex,
  data: Hex,
  /** Gas the call alone needs as a transaction of its own, as the node estimated it. */
  gas: Schema.BigInt,
  payer: Hex,
  /** The authorization's own nonce, 32 bytes. */
  nonce: Hex,
  payTo: Hex,
  /** Smallest units of USDC, which are millionths of a USD. */
  amount: Schema.BigInt,
  /** Unix seconds: a block of this time or later refuses the transfer. */
  validBefore: Schema.Int,
  /** The payer is a contract, whose code could spend what belongs to the others of a batch. */
  alone: Schema.Boolean,
  /** It failed in a transaction before, maybe through what was in it beside it: it shares none any more. */
  apart: Schema.optionalWith(Schema.Boolean, { exact: true })
})
export type Job = typeof Job.Type

/** Every sale writes one: what is a job already is not looked at by its schema once more. */
export const encodeJob = (job: Job): string =>
  JSON.stringify({ ...job, gas: String(job.gas), amount: String(job.amount) } satisfies typeof Job.Encoded)
/** Throws on anything else. */
export const decodeJob = Schema.decodeSync(Schema.parseJson(Job))

export const decodeEvidence = Schema.decode(Schema.parseJson(Evidence))

/** What became of a job, as far as the sender goes. */
export type JobResult =
  | { readonly state: "landed"; readonly evidence: Evidence }
  /** Its transaction was included and did not move the money, or its window closed before one was. Ask the chain. */
  | { readonly state: "failed" | "expired"; readonly reason: string }
  /** It waits, or its transaction does. `isSent`: a node has it, or may have it. */
  | { readonly state: "pending"; readonly transaction: string | undefined; readonly isSent: boolean }

/** One signed transaction at a nonce. */
export interface Attempt {
  readonly hash: `0x${string}`
  readonly raw: `0x${string}`
  /** A cancellation moves nothing: it only takes the nonce. */
  readonly kind: "payment" | "cancel"
  readonly maxFee: bigint
  readonly tip: bigint
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly sentAt: number | null
}

/** The block that holds a transaction of a key. */
export interface Place {
  readonly nonce: number
  readonly hash: `0x${string}`
  readonly height: number
  readonly blockHash: string
}

/** What occupies one nonce of a key until it is final. Only one of its attempts can ever be included. */
export interface Slot {
  readonly nonce: number
  readonly state: "prepared" | "broadcast" | "included"
  /** Gas limit of a payment. */
  readonly gas: bigint
  /** Highest fee per gas a payment may offer, in wei. */
  readonly bound: bigint
  /** Unix milliseconds after which the transfers it carries would be refused. */
  readonly windowEnd: number
  readonly createdAt: number
  readonly inclusion: Omit<Place, "nonce"> | undefined
  readonly attempts: ReadonlyArray<Attempt>
  readonly jobs: ReadonlyArray<Job>
}
