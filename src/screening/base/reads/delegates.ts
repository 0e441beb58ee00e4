import { type Address, zeroAddress } from "viem"
import type { MarketPair } from "../../../market/market-data.ts"
import { lower } from "../addresses.ts"
import { V4 } from "../pools/factories.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { SPENDERS } from "../simulation/spenders.ts"
import { type Query, callData, list, mapQuery, read } from "./query.ts"

/** Whom accounts have named to vote for them (ERC-5805), as numbers; an account that did not answer is absent. */
export type Delegates = ReadonlyMap<Address, bigint>

export const NO_DELEGATES: Delegates = new Map()

const isContract = (address: string): address is Address => /^0x[0-9a-f]{40}$/i.test(address)

/** Everybody's places: zero, the PoolManager, routers and aggregators, through which tokens pass. */
const COMMON: ReadonlyArray<Address> = [zeroAddress, V4.poolManager, ...SPENDERS]

/** Asks for the delegates of everybody's places and of all pools. */
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

/** None of everybody's places, and none of these, has a delegate. */
export const nameNobody = (delegates: Delegates, places: ReadonlyArray<Address>): boolean =>
  [...COMMON, ...places].every((place) => delegates.get(lower(place)) === 0n)
