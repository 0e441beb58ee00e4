import type { Job } from "../../../src/payment/settler/evm/job.ts"
import type { Address } from "../../../src/payment/settler/evm/journal.ts"

export const KEY = `0x${"a1".repeat(20)}` as const
export const HASH = `0x${"b2".repeat(32)}` as const

/** A payment on Base that waits for a transaction. */
export const jobOf = (authorizationKey: string, over: Partial<Job> = {}): Job => ({
  authorizationKey,
  asset: KEY,
  data: "0x",
  gas: 1n,
  payer: KEY,
  nonce: HASH,
  payTo: KEY,
  amount: 5_000n,
  validBefore: 2_000_000_000,
  alone: false,
  ...over
})

/** The hash of a transaction of this name. */
export const hashOf = (name: string) => `0x${Buffer.from(name).toString("hex").padEnd(64, "0")}` as const

export const attemptOf = (hash: `0x${string}`, kind: "payment" | "cancel" = "payment") =>
  ({ hash, raw: HASH, kind, maxFee: 1n, tip: 1n }) as const

/** A transaction for these payments at a key's nonce, as the journal is told before it is signed and sent. */
export const preparation = (
  address: Address,
  nonce: number,
  keys: ReadonlyArray<string>,
  hash: `0x${string}` = HASH
) => ({
  address,
  nonce,
  gas: 1n,
  bound: 1n,
  windowEnd: 0,
  entries: keys.map((key) => ({ job: jobOf(key), stored: false })),
  attempt: attemptOf(hash),
  mostFee: 0n
})
