import type { Address } from "viem"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { type ToldTransfer, balancesTold, transfersIn } from "../holders/told-balances.ts"
import type { Pool } from "../pools/pool.ts"
import { RECENT_BLOCKS } from "./buyers.ts"
import { type Holding, chooseHolders } from "./holders.ts"

const outOf = (
  pools: ReadonlyArray<Pool>,
  transfers: ReadonlyArray<ToldTransfer>
): ReadonlyArray<ToldTransfer> => {
  const sources = new Set(pools.map(({ address }) => address))
  return transfers.filter(({ from }) => sources.has(from))
}

/** Whether the last purchase of which a token tells brought its buyer less than the pool gave: it went to two accounts. */
export const tellTax = (events: ReadonlyArray<EvmLog>, pools: ReadonlyArray<Pool>): boolean => {
  const given = outOf(pools, transfersIn(events))
  const last = given.at(-1)
  const together = given.filter(({ transactionHash }) => transactionHash === last?.transactionHash)
  return new Set(together.map(({ to }) => to)).size > 1
}

/**
 * Who of those that bought lately holds how much, where a token's events tell all that there is to tell: what they got
 * less what they gave. A forecast: what is asked by it counts only for those who turn out to hold exactly as much.
 * @param events all of the token's, oldest first
 */
export const foretellBuyers = (
  events: ReadonlyArray<EvmLog>,
  token: Address,
  pools: ReadonlyArray<Pool>,
  blockNumber: bigint
): ReadonlyArray<Holding> => {
  const transfers = transfersIn(events).filter(({ blockNumber: at }) => at <= blockNumber)
  const bought = outOf(pools, transfers).filter(({ blockNumber: at }) => at + RECENT_BLOCKS >= blockNumber)
  const balances = balancesTold(transfers)
  return chooseHolders(
    bought.toReversed().map(({ to }) => to),
    token,
    pools
  )
    .map((holder) => ({ holder, balance: balances.get(holder) ?? 0n }))
    .filter(({ balance }) => balance > 0n)
}
