/** Which trials the evidence calls for. Pure: the same evidence makes the same transactions. */
import type { SolanaAddress } from "../../../domain/address.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL } from "../addresses.ts"
import type { Reads } from "../reads/reads.ts"
import { canSell } from "./candidates.ts"
import type { Need, Payer } from "./payers.ts"
import { payerAmong, payerFor } from "./payers.ts"
import type { Candidate, Holder, Trial } from "./trial.ts"
import { holderSale, holderTransfer, onward, RENT, roundTrip } from "./trial.ts"

/** Rent of what the payer opens, and fees. Lamports. */
const PAYERS_RESERVE = 5n * RENT

/** What trials are made of. */
export interface PlanContext {
  readonly payers: ReadonlyArray<Payer>
  readonly reads: Reads
  readonly mint: SolanaAddress
  /** Real holders who stand for all. */
  readonly holders: ReadonlyArray<Holder>
  readonly walletOf: (role: string) => SolanaAddress
}

/** The trials of a wallet nobody has seen in one pool; null where they do not fit a transaction. */
export interface FreshPlan {
  readonly candidate: Candidate
  readonly isFunded: boolean
  readonly back: Trial | null
  readonly on: Trial | null
}

/** Who pays for a trial: a configured account, else a holder of the token who is rich enough in SOL. */
const findPayer = ({ holders, payers, reads: { book } }: PlanContext, need: Need): SolanaAddress | null => {
  // An operator who names nobody wants no trials.
  if (payers.length === 0) return null
  const owners = holders.map(({ owner }) => owner)
  return payerFor(payers, book, need) ?? payerAmong(owners, book, need)
}

export const planFresh = (context: PlanContext, candidate: Candidate): FreshPlan => {
  const { most, place } = candidate
  const payer = findPayer(context, {
    lamports: PAYERS_RESERVE + (place.quote === WSOL ? most : 0n),
    quote: place.quote,
    amount: most
  })
  if (payer === null) return { candidate, isFunded: false, back: null, on: null }
  const wallet = context.walletOf(`buyer in ${place.address}`)
  const receiver = context.walletOf(`receiver from ${place.address}`)
  return {
    candidate,
    isFunded: true,
    back: roundTrip(candidate, payer, wallet),
    on: onward(candidate, payer, wallet, receiver)
  }
}

/** The trials of real holders: each sells in the best pool, and the largest passes some on. */
export const planHolders = (context: PlanContext, best: Candidate | undefined): ReadonlyArray<Trial> => {
  const { holders, mint, reads, walletOf } = context
  const payer = findPayer(context, { lamports: PAYERS_RESERVE })
  const [largest] = holders
  if (payer === null || largest === undefined || reads.reading.kind !== "mint") return []
  const { decimals, program, walk } = reads.reading.mint
  const token = {
    token: mint,
    tokenProgram: program === "token" ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    decimals
  }
  const sales =
    best === undefined
      ? []
      : holders.flatMap((holder) => (canSell(best, holder) ? [holderSale(best, payer, holder)] : []))
  // A hook asks for accounts of its own, which are not looked up.
  const canMove = walk.kind === "complete" && walk.extensions.transferHook?.programId == null
  const moves = canMove ? [holderTransfer(token, payer, largest, walletOf("a holder's receiver"))] : []
  return [...sales, ...moves].filter((trial) => trial !== null)
}
