import { type Address, zeroAddress } from "viem"
import type { MarketPair } from "../../../market/market-data.ts"
import { lower } from "../addresses.ts"
import { V4 } from "../pools/factories.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { SPENDERS } from "../simulation/spenders.ts"
import { type Query, callData, list, mapQuery, read } from "./query.ts"

/** The delegate each account has named (ERC-5805), as a number, 0 for none; an account that got no answer is absent. */
export type Delegates = ReadonlyMap<Address, bigint>

export const NO_DELEGATES: Delegates = new Map()

const isContract = (address: string): address is Address => /^0x[0-9a-f]{40}$/i.test(address)

/** Accounts that everybody's tokens pass through: the zero address, the PoolManager, routers and aggregators. */
const COMMON: ReadonlyArray<Address> = [zeroAddress, V4.poolManager, ...SPENDERS]

/** Asks for the delegates of these accounts and of all pools. */
export const askDelegates = (
  token: Address,
  candidates: ReadonlyArray<PoolCandidate>,
  pairs: ReadonlyArray<MarketPair>
): Query<Delegates> => {
  const pools = [
    ...candidates.map(({ address }) => address),
    ...pairs.map(({ pairAddress }) => pairAddress).filter(isContract)
  ]
  const accounts = [...new Set([...COMMON, ...pools].map(lower))]
  const query = list(
    accounts.map((account) => read(token, callData("delegates(address)", account), (data) => BigInt(data)))
  )
  return mapQuery(
    query,
    (named): Delegates =>
      new Map(
        accounts.flatMap((account, index) => {
          const delegate = named[index]
          return delegate === undefined ? [] : [[account, delegate] as const]
        })
      )
  )
}

/** Whether the common accounts and the given ones are all known to have no delegate. */
export const nameNobody = (delegates: Delegates, places: ReadonlyArray<Address>): boolean =>
  [...COMMON, ...places].every((place) => delegates.get(lower(place)) === 0n)
