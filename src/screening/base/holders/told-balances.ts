import type { Address } from "viem"
import { TRANSFER } from "../../../chain/evm-events.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { wordAt } from "../reads/query.ts"

export interface ToldTransfer extends Pick<EvmLog, "blockNumber" | "transactionHash"> {
  readonly from: Address
  readonly to: Address
  /** Smallest units. */
  readonly amount: bigint
}

/** Transfers as a token tells them, in the order of its events. */
export const transfersIn = (events: ReadonlyArray<EvmLog>): ReadonlyArray<ToldTransfer> =>
  events.flatMap(({ blockNumber, data, topics: [event, from, to], transactionHash }) => {
    const amount = wordAt(data, 0)
    return event !== TRANSFER || from === undefined || to === undefined || amount === undefined
      ? []
      : [{ blockNumber, transactionHash, amount, from: `0x${from.slice(26)}`, to: `0x${to.slice(26)}` }]
  })

/** What everybody would hold had they got and given just what the transfers tell: good to foretell by, and no evidence. */
export const balancesTold = (transfers: ReadonlyArray<ToldTransfer>): ReadonlyMap<Address, bigint> => {
  const balances = new Map<Address, bigint>()
  const add = (account: Address, amount: bigint) =>
    balances.set(account, (balances.get(account) ?? 0n) + amount)
  for (const { amount, from, to } of transfers) {
    add(from, -amount)
    add(to, amount)
  }
  return balances
}

/** Accounts that gave away all they got, by the events up to a block. */
export const spentBy = (events: ReadonlyArray<EvmLog>, blockNumber: bigint): ReadonlyArray<Address> =>
  [...balancesTold(transfersIn(events.filter((event) => event.blockNumber <= blockNumber)))].flatMap(
    ([account, balance]) => (balance === 0n ? [account] : [])
  )
