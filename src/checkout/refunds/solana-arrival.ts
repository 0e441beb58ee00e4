import { Effect } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import { readUsdcHolding, type UsdcAccount } from "../../chain/usdc-account.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { CheckoutConflict } from "../errors.ts"
import type { Refund } from "./refund.ts"
import { notEnough } from "./refund-chain.ts"

type Obstacles = Readonly<Record<UsdcAccount, CheckoutConflict | undefined>>

const conflict = (message: string) => new CheckoutConflict({ message })

const frozen = (whose: string) =>
  conflict(`the ${whose}'s USDC token account is frozen: ask again once its issuer has thawed it`)

const givenAway = (who: string) =>
  conflict(`the ${who} has given the USDC token account of this wallet to another owner`)

/** The refund makes the account where there is none. */
const OF_PAYER: Obstacles = {
  ready: undefined,
  missing: undefined,
  "not-a-wallet": undefined,
  frozen: frozen("payer"),
  "given-away": givenAway("payer")
}

const OF_MERCHANT: Obstacles = {
  ready: undefined,
  missing: notEnough,
  "not-a-wallet": notEnough,
  frozen: frozen("merchant"),
  "given-away": givenAway("merchant")
}

/**
 * Fails where the chain shows that the refund would fail: its merchant's wallet would pay the network for nothing, and
 * nobody would be told why.
 */
export const requireArrival = (
  solana: Pick<SolanaRpc, "getAccounts">,
  { amount, payer }: Refund,
  merchant: string
): Effect.Effect<void, CheckoutConflict | UpstreamError> =>
  Effect.flatMap(
    Effect.all([readUsdcHolding(solana, merchant), readUsdcHolding(solana, payer)], { concurrency: 2 }),
    ([from, to]): Effect.Effect<void, CheckoutConflict> =>
      OF_PAYER[to.account] ?? OF_MERCHANT[from.account] ?? (from.amount < amount ? notEnough : Effect.void)
  )
