import { BASE_NETWORK } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"

/** Smallest units of a cent: what is below it names the order. */
export const CENT = 10_000n

/** 1 to 9,999 smallest units, of 32 random bits: nobody foresees which amount the next order has. */
export const suffixOf = (random: Buffer): bigint => (BigInt(random.readUInt32BE(0)) % (CENT - 1n)) + 1n

/** What leads from a transfer to its order: unique, so that no two orders of an account share an amount. */
export const amountReference = (payTo: string, amount: bigint): string =>
  `${BASE_NETWORK}:${payTo.toLowerCase()}:${amount}`

/** Whether a plain transfer of exactly the amount pays this order. */
export const takesPlainTransfers = ({ extra }: CheckoutTerms): boolean => extra["plainTransfers"] === true
