/** Dollars of buyers and sellers on both chains. */
import { Effect } from "effect"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { dollars } from "./checks.ts"

export interface Balances {
  readonly basePayer: bigint
  readonly baseSeller: bigint
  readonly solanaPayer: bigint
  readonly solanaSeller: bigint
}

export const readBalances = ({ base, solana }: Sandbox): Effect.Effect<Balances> =>
  Effect.all({
    basePayer: base.usdcBalance(base.accounts.payer.address),
    baseSeller: base.usdcBalance(base.accounts.merchant.address),
    solanaPayer: solana.usdcBalance(solana.accounts.payer.address),
    solanaSeller: solana.usdcBalance(solana.accounts.merchant.address)
  })

/** What went from payer to seller between two readings, per chain; `null` where the two sides disagree. */
export const movedBetween = (before: Balances, after: Balances) => {
  const onBase = before.basePayer - after.basePayer
  const onSolana = before.solanaPayer - after.solanaPayer
  return {
    base: after.baseSeller - before.baseSeller === onBase ? onBase : null,
    solana: after.solanaSeller - before.solanaSeller === onSolana ? onSolana : null
  }
}

export const describeBalances = (balances: Balances): ReadonlyArray<string> => [
  `Base    payer ${dollars(balances.basePayer).padStart(18)}   seller ${dollars(balances.baseSeller)}`,
  `Solana  payer ${dollars(balances.solanaPayer).padStart(18)}   seller ${dollars(balances.solanaSeller)}`
]
