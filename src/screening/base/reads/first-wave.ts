import { Effect, Option } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { numberToHex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { Bytes, decodedBy, lowerHex } from "../../../chain/evm-wire.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { isDelegatedEoa } from "./accounts.ts"
import { BRIDGE_ACCOUNTS, openBridges } from "./bridges.ts"
import { isB20, isInitialized, mayBeB20 } from "../b20/interface.ts"
import type { LaunchpadClaims } from "../pools/launchpads.ts"
import { readLaunchpads } from "../pools/launchpads.ts"
import type { OwnerClaims } from "../power/owner.ts"
import { readOwner } from "../power/owner.ts"
import type { PoolCandidate, V4Key } from "../pools/pool-search.ts"
import { VAULT_ROWS } from "../pools/registry/exchanges.ts"
import { readBirths } from "../pools/v4-births.ts"
import { poolSearch, v4Candidate } from "../pools/pool-search.ts"
import type { Proxy } from "../power/proxy.ts"
import { detectProxy, transferFacet } from "../power/proxy.ts"
import { PROXY_SLOT_LIST } from "../power/proxy-slots.ts"
import type { Query } from "./query.ts"
import { balanceOf, both, list, makeBatch, mapQuery, pure, totalSupply, uint } from "./query.ts"
import { type SeenPool, readingJustFound, seenPool } from "../pools/pool-state.ts"
import type { Feeds, ReferencePool } from "../pools/quote-prices.ts"
import { readFeeds, searchReferencePools } from "../pools/quote-prices.ts"
import { type Texts, ethBalance, readTexts } from "./symbol.ts"
import { guessedKeys, poolIdOf, v4Slot0 } from "../pools/v4.ts"

/** What one round trip of reads, with market data beside it, says about a token. */
export interface FirstWave {
  readonly blockNumber: bigint
  readonly blockTime: bigint
  readonly code: Hex
  readonly account: "none" | "delegated-eoa" | "contract"
  /** Values of the slots by which a proxy is told, in the order of `PROXY_SLOT_LIST`. */
  readonly proxySlots: ReadonlyArray<Hex>
  readonly proxy: Proxy
  /** Base itself runs the token: its factory, which is part of the chain, vouches for the address. */
  readonly native: boolean
  readonly decimals: number | null
  readonly supply: bigint | null
  /** The known asset it can be taken for without being it. */
  readonly texts: Texts
  readonly ethBalance: bigint
  readonly owner: OwnerClaims
  /** The chain's own bridges that are in operation. */
  readonly bridges: ReadonlySet<Address>
  /** Pools some factory vouches for. */
  readonly candidates: ReadonlyArray<SeenPool>
  /** Each factory said which pools it has. */
  readonly areFactoriesHeard: boolean
  /**
   * What exchanges hold of the token that keep all pools' tokens in one account, by the registry's order; null where the
   * token did not say.
   */
  readonly inVaults: ReadonlyArray<bigint> | null
  readonly references: ReadonlyArray<ReferencePool>
  readonly feeds: Feeds
  readonly launchpads: LaunchpadClaims
  readonly market: Fact<ReadonlyArray<MarketPair>>
}

const searchPools = poolSearch((token) => readingJustFound(token, null), searchReferencePools)

/** v4 pools whose key could be guessed: those of them that exist. */
const searchV4 = (token: Address): Query<ReadonlyArray<PoolCandidate>> => {
  const keys = guessedKeys(token).map((key) => ({ key, poolId: poolIdOf(key) }))
  return mapQuery(list(keys.map(({ poolId }) => v4Slot0(poolId))), (slots) =>
    keys.flatMap(({ key, poolId }, index) => {
      const exists = slots[index] !== undefined && slots[index].sqrtPriceX96 > 0n
      return exists ? (v4Candidate(token, key, poolId) ?? []) : []
    })
  )
}

const bornCandidates = (token: Address, keys: ReadonlyArray<V4Key>): ReadonlyArray<PoolCandidate> =>
  keys.flatMap((key) => v4Candidate(token, key, poolIdOf(key)) ?? [])

const unseen = (pool: PoolCandidate): SeenPool => ({ pool, state: null })

/** The chain runs such a token by its address, whatever code a node shows there; only the factory's word counts. */
const readNative = (token: Address): Query<boolean> =>
  mayBeB20(token)
    ? mapQuery(both(isB20(token), isInitialized(token)), ([made, ready]) => made === true && ready === true)
    : pure(false)

/** More decimals than this and the amounts are noise; ERC-20 says `uint8`, real tokens stay below. */
const MAX_DECIMALS = 36n

const code = decodedBy(Bytes, "eth_getCode")

const askCode = async (client: PublicClient, address: Address, blockNumber: bigint): Promise<Hex> =>
  lowerHex(code(await client.request({ method: "eth_getCode", params: [address, numberToHex(blockNumber)] })))

/**
 * Nodes under load have answered that there is no code where there is some: absence is believed only where all
 * nodes, or at least two of them, say so at the same block, and nothing answers calls there.
 */
const certainCode = (rpc: BaseRpc, token: Address, seen: Hex, blockNumber: bigint, isAnswering: boolean) =>
  Effect.gen(function* () {
    if (seen !== "0x") return seen
    const answers = yield* Effect.forEach(
      rpc.nodes,
      ({ client }) => Effect.option(Effect.tryPromise(() => askCode(client, token, blockNumber))),
      { concurrency: 4 }
    )
    const codes = answers.flatMap((answer) => (Option.isSome(answer) ? [answer.value] : []))
    const shown = codes.find((code) => code !== "0x")
    if (shown !== undefined) return shown
    const agreed = codes.length === rpc.nodes.length || codes.length > 1
    if (agreed && !isAnswering) return "0x"
    return yield* new UpstreamError({
      upstream: "base-rpc",
      kind: "malformed",
      detail: isAnswering ? "no code is shown where calls are answered" : "one node alone shows no code"
    })
  })

/** All answers, or null where one is missing. */
const everyOne = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> | null => {
  const given = values.filter((value) => value !== undefined)
  return given.length === values.length ? given : null
}

const accountOf = (code: Hex): FirstWave["account"] => {
  if (code === "0x") return "none"
  return isDelegatedEoa(code) ? "delegated-eoa" : "contract"
}

/** Everything the first wave asks in its one batch of calls, by what its answers mean. */
const batchOf = (token: Address) => {
  const batch = makeBatch()
  return {
    reads: batch.reads,
    // First: what is put together already can only be begun with.
    pools: batch.add(searchPools(token)),
    decimals: batch.add(uint(token, "decimals()")),
    supply: batch.add(totalSupply(token)),
    texts: batch.add(readTexts(token)),
    ether: batch.add(ethBalance(token)),
    owner: batch.add(readOwner(token)),
    v4Pools: batch.add(searchV4(token)),
    feeds: batch.add(readFeeds),
    vaults: batch.add(list(VAULT_ROWS.map(({ address }) => balanceOf(token, address)))),
    launchpads: batch.add(readLaunchpads(token)),
    facet: batch.add(transferFacet(token)),
    native: batch.add(readNative(token))
  }
}

/** What a market knows; market data that fails is a missing fact. */
export const marketOf = (pairs: Effect.Effect<ReadonlyArray<MarketPair>, UpstreamError>) =>
  pairs.pipe(
    Effect.map((found): Fact<ReadonlyArray<MarketPair>> => known(found)),
    Effect.catchAll((error) =>
      Effect.logDebug("market data did not answer", error).pipe(
        Effect.as(missing("market data did not answer"))
      )
    )
  )

/** Code and proxy slots of the token, then those of the chain's own bridges. */
export const inspectFirst = (rpc: BaseRpc, token: Address) =>
  rpc.inspect([{ address: token, slots: PROXY_SLOT_LIST }, ...BRIDGE_ACCOUNTS])

/** The first wave's batch. */
export const askFirst = (rpc: BaseRpc, token: Address) => {
  const batch = batchOf(token)
  return Effect.map(rpc.readAll(batch.reads), (answers) => ({ batch, answers }))
}

/** What the first wave is made of, begun by whoever needs some of it before the rest. */
interface Asked {
  readonly batch: ReturnType<typeof askFirst>
  readonly inspected: ReturnType<typeof inspectFirst>
  readonly market: ReturnType<typeof marketOf>
}

/**
 * First wave: one batch of calls, one batch of code and slots, and market data, all at once. Fails only when the chain
 * does not answer.
 */
export const firstWave = Effect.fn("BasePlan.firstWave")(function* (
  rpc: BaseRpc,
  token: Address,
  asked: Asked
) {
  const [{ answers, batch }, [inspected, ...bridges], market, births] = yield* Effect.all(
    [asked.batch, asked.inspected, asked.market, readBirths(rpc, token)],
    { concurrency: "unbounded" }
  )
  const { results, blockNumber, blockTime } = answers
  const [searched, references] = batch.pools(results)
  const places = batch.decimals(results)
  const supply = batch.supply(results)
  const isAnswering = supply !== undefined || places !== undefined
  const code = yield* certainCode(rpc, token, inspected?.code ?? "0x", blockNumber, isAnswering)
  const native = batch.native(results)
  const proxySlots = inspected?.slots ?? []
  const wave: FirstWave = {
    blockNumber,
    blockTime,
    code,
    account: native ? "contract" : accountOf(code),
    native,
    proxySlots,
    proxy: native ? { kind: "none" } : detectProxy(token, code, proxySlots, batch.facet(results)),
    decimals: places === undefined || places > MAX_DECIMALS ? null : Number(places),
    supply: supply ?? null,
    texts: batch.texts(results),
    ethBalance: batch.ether(results) ?? 0n,
    owner: batch.owner(results),
    bridges: openBridges(bridges),
    candidates: [
      ...searched.pools.map(seenPool),
      ...[...batch.v4Pools(results), ...bornCandidates(token, births)].map(unseen)
    ],
    areFactoriesHeard: searched.isWhole,
    inVaults: everyOne(batch.vaults(results)),
    references,
    feeds: batch.feeds(results),
    launchpads: batch.launchpads(results),
    market
  }
  return wave
})
