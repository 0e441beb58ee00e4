import type { Stage } from "./stage.ts"

/** What the seller has on both chains, and how many transactions its keys have sent, failed ones too. */
export interface Books {
  readonly base: bigint
  readonly solana: bigint
  readonly sentOnBase: number
  readonly sentOnSolana: number
}

export const readBooks = async ({ run, sandbox: { base, solana } }: Stage): Promise<Books> => ({
  base: await run(base.usdcBalance(base.accounts.merchant.address)),
  solana: await run(solana.usdcBalance(solana.accounts.merchant.address)),
  sentOnBase: await base.devnet.client.getTransactionCount({ address: base.accounts.settler.address }),
  sentOnSolana: solana.ledger.history().length
})

/** The difference since an earlier look. */
export const movedSince = async (stage: Stage, before: Books): Promise<Books> => {
  const now = await readBooks(stage)
  return {
    base: now.base - before.base,
    solana: now.solana - before.solana,
    sentOnBase: now.sentOnBase - before.sentOnBase,
    sentOnSolana: now.sentOnSolana - before.sentOnSolana
  }
}

export const NOTHING: Books = { base: 0n, solana: 0n, sentOnBase: 0, sentOnSolana: 0 }

/** One transfer of `amount` on Base, by one transaction of ours. */
export const onceOnBase = (amount: bigint): Books => ({ ...NOTHING, base: amount, sentOnBase: 1 })
export const onceOnSolana = (amount: bigint): Books => ({ ...NOTHING, solana: amount, sentOnSolana: 1 })
