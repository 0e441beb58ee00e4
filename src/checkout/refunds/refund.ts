import type { Journal, JournalEntry } from "../journal.ts"
import { atLeastZero, min, sum } from "../../domain/bigint.ts"

/**
 * A refund that was prepared for its merchant to sign. Amounts in smallest units, times in Unix milliseconds.
 * `open`: it may be signed and land. `seen`: the money is back. `void`: it certainly never lands.
 */
export interface Refund {
  readonly id: string
  readonly checkoutId: string
  /** Owner of the tokens that came in, to whom they go back. */
  readonly payer: string
  readonly amount: bigint
  /** What lets it land at most once: the nonce on Base (empty for a contract wallet), the blockhash on Solana. */
  readonly lifetime: string
  /** Solana: the last block height at which the blockhash is good. */
  readonly validUntil: number | null
  readonly state: "open" | "seen" | "void"
  /** Block or slot up to which the chain was looked through. */
  readonly lookedTo: number
  readonly preparedAt: number
}

/** Base addresses are written in any letter case. */
export const isSameAccount = (a: string, b: string): boolean =>
  a === b || (a.startsWith("0x") && a.toLowerCase() === b.toLowerCase())

const isIncoming = ({ kind }: JournalEntry): boolean => kind !== "refunded" && kind !== "lost"

/** Whose tokens came in, in the chain's order. */
export const payersOf = ({ entries }: Journal): ReadonlyArray<string> =>
  entries
    .filter(isIncoming)
    .flatMap(({ payer }) => (payer === null ? [] : [payer]))
    .filter((payer, index, all) => all.findIndex((other) => isSameAccount(other, payer)) === index)

/** Whether a payer signed a payment of this checkout itself, with whatever wallet. */
export const hasSigned = ({ entries }: Journal, payer: string): boolean =>
  entries.some((entry) => entry.via === "verify" && entry.payer !== null && isSameAccount(entry.payer, payer))

/**
 * What may still go back to a payer: what came from there less what went back there, and never more than the checkout
 * has left, whoever was refunded before or is about to be.
 */
export const refundableTo = (
  { entries, received, refunded }: Journal,
  payer: string,
  open: ReadonlyArray<Refund>
): bigint => {
  const of = (some: (entry: JournalEntry) => boolean) =>
    sum(
      entries
        .filter(some)
        .filter((entry) => entry.payer !== null && isSameAccount(entry.payer, payer))
        .map(({ amount }) => amount)
    )
  const underWay = open.filter((refund) => !isSameAccount(refund.payer, payer)).map(({ amount }) => amount)
  const own = of(isIncoming) - of(({ kind }) => kind === "refunded")
  const left = received - refunded - sum(underWay)
  return atLeastZero(min(own, left))
}
