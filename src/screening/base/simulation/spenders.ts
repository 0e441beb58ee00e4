import type { Address } from "viem"
import { PERMIT2, SWAP_ROUTER_02 } from "../../../domain/base-contracts.ts"
import type { Pool } from "../pools/pool.ts"
import { callData } from "../reads/query.ts"
import type { Dice } from "./dice.ts"
import { UNIVERSAL_ROUTER } from "./universal-router.ts"
import { type Act, gasFor } from "./wallet-plan.ts"

/**
 * Who moves tokens for wallets on Base beside the pool's own router. They are impersonated: what counts is whether the
 * token lets them. Sources: Uniswap docs (Permit2, Universal Router, SwapRouter02), the aggregators' own deployments.
 */
export const SPENDERS: ReadonlyArray<Address> = [
  PERMIT2,
  UNIVERSAL_ROUTER,
  SWAP_ROUTER_02,
  "0x111111125421ca6dc452d289314280a0f8842a65", // 1inch v6
  "0x0000000000001ff3684f28c67538d4d072c22734", // 0x AllowanceHolder
  "0x19ceead7105607cd444f5ad10dd51356436095a1", // Odos v2
  "0x6131b5fae19ea4f9d964eac0408e4408b66337b5", // KyberSwap
  "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae" // LI.FI
]

const FOREVER = 2n ** 47n

/** Permit2's own code moves the tokens, for an account that the owner has named there. */
export const permit2PullActs = (
  dice: Dice,
  pool: Pool,
  owner: Address,
  amount: bigint
): ReadonlyArray<Act> => {
  const named = dice.address("named at Permit2")
  return [
    {
      from: owner,
      to: PERMIT2,
      data: callData("approve(address,address,uint160,uint48)", pool.token, named, amount, FOREVER),
      gas: gasFor(dice, "name at Permit2")
    },
    {
      from: named,
      to: PERMIT2,
      data: callData(
        "transferFrom(address,address,uint160,address)",
        owner,
        pool.address,
        amount,
        pool.token
      ),
      gas: gasFor(dice, "pull by Permit2"),
      tag: `pull ${PERMIT2}`
    }
  ]
}

export const pullAct = (dice: Dice, pool: Pool, spender: Address, owner: Address, amount: bigint): Act => ({
  from: spender,
  to: pool.token,
  data: callData("transferFrom(address,address,uint256)", owner, pool.address, amount),
  gas: gasFor(dice, `pull ${spender}`),
  tag: `pull ${spender}`
})
