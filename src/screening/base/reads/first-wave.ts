import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { isDelegatedEoa } from "./accounts.ts"
import type { LaunchpadClaims } from "../pools/launchpads.ts"
import { readLaunchpads } from "../pools/launchpads.ts"
import type { OwnerClaims } from "../power/owner.ts"
import { readOwner } from "../power/owner.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { searchPools, v4Candidate } from "../pools/pool-search.ts"
import type { Proxy } from "../power/proxy.ts"
import { PROXY_SLOT_LIST, detectProxy, transferFacet } from "../power/proxy.ts"
import type { Query } from "./query.ts"
import { list, makeBatch, mapQuery, totalSupply, uint } from "./query.ts"
import type { Feeds } from "../pools/quote-prices.ts"
import { readFeeds, searchReferencePools } from "../pools/quote-prices.ts"
import type { WornName } from "../../names/known-names.ts"
import { ethBalance, readWornName } from "./symbol.ts"
import { guessedKeys, poolIdOf, v4Slot0 } from "../pools/v4.ts"

/** What one round trip of reads, with market data beside it, says about a token. */
export interface FirstWave {
  readonly blockNumber: bigint
  readonly blockTime: bigint
  readonly code: Hex
  readonly account: "none" | "delegated-eoa" | "contract"
  readonly proxy: Proxy
  readonly decimals: number | null
  readonly supply: bigint | null
  /** The known asset it can be taken for without being it. */
  readonly wears: WornName
  readonly ethBalance: bigint
  readonly owner: OwnerClaims
  /** Pools some factory vouches for. */
  readonly candidates: ReadonlyArray<PoolCandidate>
  readonly references: ReadonlyArray<PoolCandidate & { readonly of: Address }>
  readonly feeds: Feeds
  readonly launchpads: LaunchpadClaims
  readonly market: Fact<ReadonlyArray<MarketPair>>
}

/** v4 pools whose key could be guessed: those of them that exist. */
const searchV4 = (token: Address): Query<ReadonlyArray<PoolCandidate>> => {
  const keys = guessedKeys(token).map((key) => ({ key, poolId: poolIdOf(key) }))
  return mapQuery(list(keys.map(({ poolId }) => v4Slot0(poolId))), (slots) =>
    keys.flatMap(({ key, poolId }, index) => {
      const candidate = slots[index] === undefined ? undefined : v4Candidate(token, key, poolId)
      return candidate === undefined ? [] : [candidate]
    })
  )
}

/** More decimals than this and the amounts are noise; ERC-20 says `uint8`, real tokens stay below. */
const MAX_DECIMALS = 36n

const accountOf = (code: Hex): FirstWave["account"] => {
  if (code === "0x") return "none"
  return isDelegatedEoa(code) ? "delegated-eoa" : "contract"
}

/**
 * First wave: one batch of calls, one batch of code and slots, and market data, all at once. Fails only when the chain
 * does not answer; market data that fails is a missing fact.
 */
export const firstWave = Effect.fn("BasePlan.firstWave")(function* (
  rpc: BaseRpc,
  token: Address,
  pairs: Effect.Effect<ReadonlyArray<MarketPair>, UpstreamError>
) {
  const batch = makeBatch()
  const decimals = batch.add(uint(token, "0x313ce567"))
  const supply = batch.add(totalSupply(token))
  const wears = batch.add(readWornName(token))
  const native = batch.add(ethBalance(token))
  const owner = batch.add(readOwner(token))
  const pools = batch.add(searchPools(token))
  const v4Pools = batch.add(searchV4(token))
  const references = batch.add(searchReferencePools)
  const feeds = batch.add(readFeeds)
  const launchpads = batch.add(readLaunchpads(token))
  const facet = batch.add(transferFacet(token))
  const market = pairs.pipe(
    Effect.map((found): Fact<ReadonlyArray<MarketPair>> => known(found)),
    Effect.catchAll((error) =>
      Effect.logDebug("market data did not answer", error).pipe(
        Effect.as(missing("market data did not answer"))
      )
    )
  )
  const [{ results, blockNumber, blockTime }, inspected, marketFact] = yield* Effect.all(
    [rpc.readAll(batch.reads), rpc.inspect([{ address: token, slots: PROXY_SLOT_LIST }]), market],
    { concurrency: "unbounded" }
  )
  const code = inspected[0]?.code ?? "0x"
  const places = decimals(results)
  const wave: FirstWave = {
    blockNumber,
    blockTime,
    code,
    account: accountOf(code),
    proxy: detectProxy(token, code, inspected[0]?.slots ?? [], facet(results)),
    decimals: places === undefined || places > MAX_DECIMALS ? null : Number(places),
    supply: supply(results) ?? null,
    wears: wears(results),
    ethBalance: native(results) ?? 0n,
    owner: owner(results),
    candidates: [...pools(results), ...v4Pools(results)],
    references: references(results),
    feeds: feeds(results),
    launchpads: launchpads(results),
    market: marketFact
  }
  return wave
})
