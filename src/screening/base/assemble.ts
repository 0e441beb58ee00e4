import type { Address } from "viem"
import { keccakHex } from "../../chain/keccak.ts"
import { sum } from "../../domain/bigint.ts"
import type { Fact } from "../../domain/fact.ts"
import { missing } from "../../domain/fact.ts"
import { UNREAD_B20 } from "./b20/read.ts"
import type { Holder } from "./reads/accounts.ts"
import { NOBODY, UNIDENTIFIED } from "./reads/accounts.ts"
import { FLETH, establishedToken } from "./addresses.ts"
import type { CodeFindings } from "./power/findings.ts"
import { gateValues, hasUnlock, findingsBehind } from "./power/code-evidence.ts"
import type { BaseEvidence, CodeEvidence, PartialEvidence, PoolEvidence } from "./evidence.ts"
import type { FirstWave } from "./reads/first-wave.ts"
import { liquidityUsd, priceEvidence, pricePool } from "./pools/liquidity.ts"
import { V4 } from "./pools/factories.ts"
import type { PoolKey, PositionShares } from "./pools/positions.ts"
import { keyOfPool } from "./pools/positions.ts"
import { VAULT_ROWS } from "./pools/registry/exchanges.ts"
import { LOCKED_SHARE, lockedShareOf, lpVerdict } from "./pools/lp-lock.ts"
import { sharesOfLocked } from "./pools/launchpads.ts"
import { withinReach } from "./pools/sale-curve.ts"
import { countPools, readMarketPools, standingUsd } from "./pools/market-pools.ts"
import type { Pool } from "./pools/pool.ts"
import { type PoolState, statesOf } from "./pools/pool-state.ts"
import { ethPrice, quotePricer, referencesOf } from "./pools/quote-prices.ts"
import { type SecondWave, seenPools } from "./reads/second-wave.ts"
import { hadMoneyBefore, hadMuchBefore } from "./holders/age.ts"
import { ageOf } from "./reads/aids.ts"
import type { Reserves } from "./reads/past.ts"

/** Who may replace a proxy's code: its admin, else whoever owns the token (UUPS), unless roles decide. */
const upgraderOf = ({ proxy, owner }: FirstWave, { adminHolder, ownerHolder }: SecondWave): Holder => {
  if (proxy.kind === "none" || proxy.kind === "minimal") return NOBODY
  if (proxy.kind === "beacon" || (proxy.kind === "upgradeable" && proxy.admin !== null)) return adminHolder
  if (owner.status === "held") return ownerHolder
  return owner.status === "renounced" && owner.roles === null ? NOBODY : UNIDENTIFIED
}

/**
 * The token's code and what it delegates to, with the findings on each.
 * @param read findings about the code that really runs; `undefined` where it could not be read
 */
export const assembleCode = (
  read: CodeFindings | undefined,
  first: FirstWave,
  second: SecondWave
): CodeEvidence => {
  const { implementation } = second
  const findings = first.native
    ? missing("Base itself runs the token")
    : first.account === "contract"
      ? findingsBehind(first.proxy, read)
      : missing("there is no contract")
  const running = implementation?.code ?? first.code
  return {
    account: first.account,
    codeHash: first.code === "0x" ? null : keccakHex(first.code),
    proxy: first.proxy,
    implementation: implementation?.address ?? null,
    implementationCodeHash: implementation === null ? null : keccakHex(implementation.code),
    upgrader: upgraderOf(first, second),
    findings,
    gates: gateValues(findings, second.slots, second.slotValues),
    canUnlock: hasUnlock(running),
    hasEndedPower: false
  }
}

/** What prices of money are made of. */
type PriceSources = Pick<SecondWave, "pools" | "references" | "redeems">

const pricesOf = (first: FirstWave, { pools, references, redeems }: PriceSources) => {
  const shared = { feeds: first.feeds, now: first.blockTime, references }
  const pairs = first.market.known ? first.market.value : []
  const eth = ethPrice({ ...shared, pairs, pools, decimals: first.decimals ?? 18 })
  return { eth, priceOf: quotePricer({ ...shared, eth, redeems }) }
}

const byDepth = (a: Pool, b: Pool): number =>
  b.quoteUsd - a.quoteUsd || Number(b.quoteReserve - a.quoteReserve)

/** Pools priced, deepest first. */
const pricePools = (
  { decimals }: FirstWave,
  states: ReadonlyArray<PoolState>,
  priceOf: ReturnType<typeof quotePricer>
) =>
  states
    .map((state) => pricePool(decimals === null ? { ...state, ratio: null } : state, decimals ?? 18, priceOf))
    .toSorted(byDepth)

/**
 * The pools as they are known after the first wave, if nothing that is read later can add to them or change them: none
 * whose state is still to be read or measured, none that market data alone knows, no quote whose worth is asked about.
 */
export const poolsAtOnce = (token: Address, first: FirstWave): ReadonlyArray<Pool> | null => {
  const seen = seenPools(token, first)
  const isOpen = [...seen, ...first.references].some(({ state }) => state?.value === undefined)
  const candidates = seen.map(({ pool }) => pool)
  const pairs = first.market.known ? first.market.value : []
  const needsMore =
    readMarketPools(token, pairs, candidates).reads.length > 0 ||
    candidates.some(({ quote }) => quote === FLETH)
  if (isOpen || needsMore) return null
  const pools = statesOf(seen)
  const readings = first.references.map(({ of, state }) => ({ of, reading: state?.value }))
  const sources = { pools, references: referencesOf(readings), redeems: false }
  return pricePools(first, pools, pricesOf(first, sources).priceOf)
}

/** Pools priced, deepest first, with what is known about their liquidity's owners. */
const assemblePools = (first: FirstWave, second: SecondWave, priceOf: ReturnType<typeof quotePricer>) => {
  return pricePools(first, second.pools, priceOf).map((pool): PoolEvidence => {
    const lp = second.lp.find(({ pool: address }) => address === pool.address) ?? null
    const position = second.positions.find((locked) => locked.pool === pool.address)
    const held = position === undefined ? null : sharesOfLocked(position, pool)
    return {
      ...pool,
      lp,
      lockedShare: held !== null ? lockedByPositions(held) : lp === null ? null : lockedShareOf(lp),
      largestFree: held?.largestFree ?? null,
      parked: null,
      earlierQuoteReserve: second.earlier.get(pool.v4?.poolId ?? pool.address) ?? null
    }
  })
}

/**
 * What no pool that was read accounts for: a pool nobody listed, one of an exchange that we cannot read, or somebody's
 * claim. `null` where the token did not say what such an exchange holds, a factory did not say whether it has a pool, or
 * one that it vouches for did not answer like one.
 */
const unreadIn = (
  { areFactoriesHeard, inVaults }: FirstWave,
  { arePoolsRead, pools }: SecondWave
): bigint | null => {
  if (inVaults === null || !areFactoriesHeard || !arePoolsRead) return null
  const inV4 = pools.filter(({ address }) => address === V4.poolManager)
  const read = sum(inV4.map(({ tokenReserve }) => tokenReserve))
  return inVaults.reduce((total, held, index) => {
    const rest = VAULT_ROWS[index]?.address === V4.poolManager ? held - read : held
    return rest > 0n ? total + rest : total
  }, 0n)
}

/**
 * Whether the pools are shown to have held money for long enough, for how much it is, at every moment that was asked about;
 * what was not read does not count.
 */
const hadMoneyOf = (pools: ReadonlyArray<PoolEvidence>, { past }: SecondWave): boolean => {
  const asThen = (then: Reserves) =>
    pools.map(({ address, quoteReserve: now, quoteUsd, v4 }) => ({
      quoteUsd,
      now,
      before: then.get(v4?.poolId ?? address) ?? 0n
    }))
  const month = past.month?.map(asThen)
  if (month?.every(hadMoneyBefore) !== true) return false
  return month.every(hadMuchBefore) || past.halfYear?.map(asThen).every(hadMoneyBefore) === true
}

/** What the token is worth by its pools, and what they hold. */
const valueOf = (
  pools: ReadonlyArray<Pool>,
  { decimals, market }: Pick<FirstWave, "decimals" | "market">
): Pick<BaseEvidence, "price" | "liquidityUsd"> => ({
  price:
    decimals === null
      ? { price: missing("the token reports no decimals"), spread: null }
      : priceEvidence(pools, market),
  liquidityUsd: liquidityUsd(pools)
})

/** The evidence without the simulation, which needs its pools. */
export const assemble = (
  token: Address,
  first: FirstWave,
  second: SecondWave,
  code: CodeEvidence
): PartialEvidence => {
  const pairs = first.market.known ? first.market.value : []
  const { eth, priceOf } = pricesOf(first, second)
  const pools = assemblePools(first, second, priceOf)
  const { supply, ethBalance } = first
  const { ownerBalance } = second
  const { hookRuler, launchpad } = first.launchpads
  return {
    token,
    blockTime: first.blockTime,
    established: establishedToken(token) !== undefined,
    shape: {
      decimals: first.decimals,
      supply,
      copycat:
        first.texts.wears === null
          ? null
          : { of: first.texts.wears, backedByEth: supply !== null && supply > 0n && ethBalance >= supply },
      areTextsTold: first.texts.areTold,
      nameHash: first.texts.nameHash,
      seenByPools: second.seenByPools
    },
    code,
    native: first.native ? UNREAD_B20 : null,
    owner: {
      ...first.owner,
      holder: second.ownerHolder,
      sideHolderKind: second.sideHolder,
      supplyShare:
        ownerBalance === null || supply === null || supply === 0n
          ? null
          : Number((ownerBalance * 10_000n) / supply) / 10_000
    },
    pools,
    market: first.market,
    pairs: countPools(second.pools, pairs),
    ...valueOf(pools, { decimals: first.decimals, market: first.market }),
    ethUsd: eth,
    lp: lpVerdict(pools),
    launchpad: launchpad?.name ?? null,
    hookRuler,
    unread: unreadIn(first, second),
    elsewhereUsd: standingUsd(second.standings, second.pools, priceOf),
    delegates: second.delegates,
    bridges: first.bridges,
    age: ageOf(first),
    hadMoney: hadMoneyOf(pools, second)
  }
}

/**
 * What sellers reach of a V3 pool's money where every position is known. Its fees lie beside its liquidity, are somebody's
 * to fetch and buy no seller anything. V4's pools are counted so from the start.
 */
const reachedIn = (pool: PoolEvidence, { curve, money }: PositionShares): PoolEvidence => {
  if (pool.v4 !== undefined || money === null || curve === null) return pool
  const reached = withinReach(curve, Number(money))
  const reserve = Number(pool.quoteReserve)
  return reached >= reserve ? pool : { ...pool, quoteUsd: (pool.quoteUsd * reached) / reserve }
}

/** The evidence as a whole. */
export const withTrials = (
  evidence: PartialEvidence,
  trials: Pick<BaseEvidence, "simulation" | "wallets" | "holders" | "native" | "hooks">,
  positions: ReadonlyMap<PoolKey, PositionShares>
): BaseEvidence => {
  const read = evidence.pools.map((pool) => {
    const shares = positions.get(keyOfPool(pool))
    if (shares === undefined) return pool
    const { curve, freeTokens: certain, possibleTokens: possible, othersTokens: others } = shares
    const told = {
      ...reachedIn(pool, shares),
      ...(curve === null ? {} : { curve }),
      parked: { certain, possible, others }
    }
    return pool.lockedShare !== null
      ? told
      : { ...told, lockedShare: lockedByPositions(shares), largestFree: shares.largestFree }
  })
  const pools = read.toSorted(byDepth)
  const { market, shape } = evidence
  const value = valueOf(pools, { decimals: shape.decimals, market })
  return { ...evidence, pools, ...value, lp: lpVerdict(pools), ...trials }
}

/** Known once the rest of the liquidity could not change the answer. */
const lockedByPositions = ({ locked, known: accounted }: PositionShares): number | null =>
  locked >= LOCKED_SHARE || locked + (1 - accounted) < LOCKED_SHARE ? locked : null

export const NO_POOLS: Fact<never> = missing("there is no pool to trade in")
