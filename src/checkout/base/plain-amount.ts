import { BASE_NETWORK } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"

/** Smallest units of a cent: the digits of an amount below a cent name the order. */
export const CENT = 10_000n

/** 1 to 9,999 smallest units, drawn from 32 random bits, so that nobody foresees the amount of the next order. */
export const suffixOf = (random: Buffer): bigint => (BigInt(random.readUInt32BE(0)) % (CENT - 1n)) + 1n

/**
 * The reference that leads from a transfer to its order. It is unique, so no two orders of an account share an amount.
 */
export const amountReference = (payTo: string, amount: bigint): string =>
  `${BASE_NETWORK}:${payTo.toLowerCase()}:${amount}`

/** Whether a plain transfer of exactly the amount pays this order. */
export const takesPlainTransfers = ({ extra }: CheckoutTerms): boolean => extra["plainTransfers"] === true
