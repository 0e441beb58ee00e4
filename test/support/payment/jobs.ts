import type { Job } from "../../../src/payment/settler/evm/job.ts"

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
