import { createHash } from "node:crypto"

/**
 * Who creates checkouts, as limits and Idempotency-Keys see it: never the receiving address, which anybody can name.
 * So nobody can use up what belongs to somebody else.
 */
export interface Caller {
  readonly key: string
}

/** A caller without a merchant token: an address. Kept as a digest, because it is only compared. */
export const anonymousCaller = (address: string): Caller => ({
  key: `address:${createHash("sha256").update(`checkout:${address}`).digest("hex")}`
})

const MERCHANT = "merchant:"

/** A merchant who presented a token. */
export const merchantCaller = (merchantId: string): Caller => ({ key: `${MERCHANT}${merchantId}` })

/** Whether a caller's key is that of a merchant with a token. */
export const isMerchantCaller = (key: string): boolean => key.startsWith(MERCHANT)

/** The merchant behind a caller's key; `undefined` for a caller without a token. */
export const merchantIdOf = (key: string): string | undefined =>
  isMerchantCaller(key) ? key.slice(MERCHANT.length) : undefined
