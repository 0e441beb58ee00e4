import { Effect } from "effect"
import type { Address } from "viem"
import { numberToHex, pad } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { TRANSFER } from "../../../chain/evm-events.ts"
import { readLogs } from "../../../chain/evm-logs.ts"
import { isNobody, lower } from "../addresses.ts"
import type { Range } from "../reads/log-windows.ts"
import type { Query } from "../reads/query.ts"
import { account, mapQuery, pure } from "../reads/query.ts"
import type { Nft } from "./nft-reads.ts"
import type { Found, PoolSides } from "./position-reads.ts"
import type { HeldPosition } from "./position-shares.ts"
import { EXCHANGE_ROWS } from "./registry/exchanges.ts"

/** The gauge where a Slipstream pool's positions earn, by Aerodrome's Voter: `gauges(pool)`. */
export const gaugeOf = ({ kind, address }: PoolSides): Query<Address | undefined> =>
  kind !== "slipstream"
    ? pure(undefined)
    : mapQuery(account(EXCHANGE_ROWS.voter.address, "gauges(address)", address), (gauge) =>
        gauge === undefined || isNobody(gauge) ? undefined : gauge
      )

/** Who last gave each NFT to a gauge: whoever stakes one can take it back. */
const depositors = (rpc: BaseRpc, staked: ReadonlyArray<Nft>, gauges: ReadonlySet<Address>, range: Range) =>
  readLogs(rpc.client, {
    address: [...new Set(staked.map(({ manager }) => manager))],
    topics: [
      TRANSFER,
      null,
      [...gauges].map((gauge) => pad(gauge)),
      staked.map(({ tokenId }) => numberToHex(tokenId, { size: 32 }))
    ],
    ...range
  }).pipe(
    Effect.map(
      (logs) =>
        new Map(
          logs.flatMap(({ address, topics }) => {
            const [, from, , tokenId] = topics
            return from === undefined || tokenId === undefined
              ? []
              : [[`${address}/${BigInt(tokenId)}`, lower(`0x${from.slice(26)}`)] as const]
          })
        )
    )
  )

/**
 * Positions with those staked in a gauge given back to who staked them: a gauge holds for many and locks nothing. One
 * whose staker is not known counts as not read.
 */
export const unstaked = (
  rpc: BaseRpc,
  held: ReadonlyArray<HeldPosition & Nft>,
  gauges: ReadonlySet<Address>,
  range: Range
): Effect.Effect<Found> => {
  const staked = held.filter(({ holder }) => gauges.has(holder))
  if (staked.length === 0) return Effect.succeed({ held, unread: [] })
  return depositors(rpc, staked, gauges, range).pipe(
    Effect.orElseSucceed(() => new Map<string, Address>()),
    Effect.map((owners) => {
      const ownerOf = ({ manager, tokenId }: Nft) => owners.get(`${manager}/${tokenId}`)
      return {
        held: held.flatMap((position): ReadonlyArray<HeldPosition> => {
          const holder = gauges.has(position.holder) ? ownerOf(position) : position.holder
          return holder === undefined ? [] : [{ ...position, holder }]
        }),
        unread: staked.filter((position) => ownerOf(position) === undefined)
      }
    })
  )
}
