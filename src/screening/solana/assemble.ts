import type { Depth } from "../../domain/screening.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import type { Fact } from "../../domain/fact.ts"
import { known, missing } from "../../domain/fact.ts"
import type { RugCheckMarket } from "../../market/market-data.ts"
import { CLOCK_SYSVAR, POOL_PROGRAMS, program } from "./addresses.ts"
import { bytesOf } from "./reads/bytes.ts"
import type { Reads } from "./reads/reads.ts"
import type { MetadataFacts, SolanaEvidence } from "./evidence.ts"
import type { HolderFacts, PoolAccounts } from "./power/holders.ts"
import { chainHolders, rugCheckHolders } from "./power/holders.ts"
import { contradicts, lpFacts, noLpAccounts, poolLock, withRugCheck } from "./pools/lp-lock.ts"
import { decodeMetadata } from "./power/metadata.ts"
import type { PoolFact } from "./pools/pool-fact.ts"
import { chainPoolFact, marketPoolFact, rugCheckShare } from "./pools/pool-fact.ts"
import { priceFacts } from "./pools/price.ts"
import { solPrice } from "./pools/quote-price.ts"
import { readsAsTrusted, TRUSTED_MINTS } from "./power/trusted-mints.ts"

/** The epoch stands in the clock account, read with the mint. Source: solana-sdk `Clock`: slot, start, epoch. */
const epochOf = (reads: Reads): Fact<bigint> => {
  const clock = reads.book.get(CLOCK_SYSVAR)
  return clock != null && clock.data.length >= 40
    ? known(bytesOf(clock.data).u64(16))
    : missing("the clock was not read")
}

const metadataOf = (reads: Reads, mint: SolanaAddress): Fact<MetadataFacts | null> => {
  const account = reads.book.get(reads.derived.metadata)
  const metaplex = decodeMetadata(account ?? null, mint)
  const walk = reads.reading.kind === "mint" ? reads.reading.mint.walk : undefined
  const own = walk?.extensions.tokenMetadata
  if (account === undefined || walk?.kind === "malformed") return missing("the metadata could not be read")
  if (account !== null && metaplex === null) return missing("the metadata could not be read")
  if (metaplex === null && own === undefined) return known(null)
  const symbols = [metaplex?.symbol, own?.symbol].filter((symbol) => symbol !== undefined)
  return known({
    mutable: metaplex?.mutable === true || (own?.updateAuthority ?? null) !== null,
    imitatesListed: !TRUSTED_MINTS.has(mint) && symbols.some(readsAsTrusted)
  })
}

const rugCheckMarkets = (reads: Reads): ReadonlyMap<string, RugCheckMarket> =>
  new Map(
    (reads.rugCheck.known ? (reads.rugCheck.value?.markets ?? []) : []).map((market) => [
      market.pubkey,
      market
    ])
  )

interface Pools {
  readonly facts: ReadonlyArray<PoolFact>
  readonly pairs: number
  readonly lockDisputed: boolean
}

const poolsOf = (reads: Reads, mint: SolanaAddress, decimals: number): Pools => {
  const markets = rugCheckMarkets(reads)
  const sol = solPrice(reads.book, reads.solPairs, reads.market)
  const context = { book: reads.book, mint, decimals, sol }
  const pairs = new Map(
    (reads.market.known ? reads.market.value : []).map((pair) => [pair.pairAddress, pair])
  )
  let lockDisputed = false
  const fromChain = [...reads.pools].map(([address, pool]): PoolFact => {
    const accounts = reads.lpAccounts.get(address) ?? noLpAccounts
    const own = poolLock(pool.claim, accounts, reads.book)
    const rugCheckLocked = pool.claim.kind === "lp-tokens" ? rugCheckShare(markets.get(address)) : null
    lockDisputed ||= contradicts(own, rugCheckLocked)
    const locked = withRugCheck(own, rugCheckLocked)
    const fact = chainPoolFact(address, pool, context, {
      locked,
      rugCheckLocked,
      walletShare: own.walletShare
    })
    const pair = pairs.get(address)
    if (fact.quoteUsd !== null || pair === undefined) return fact
    // A vault that was not read in this depth: market data knows the same pool's balances.
    const { liquidityUsd, priceUsd, quoteUsd } = marketPoolFact(pair, sol, undefined)
    return { ...fact, quoteUsd, liquidityUsd, priceUsd: fact.priceUsd ?? priceUsd }
  })
  // An address that was read and holds no pool of this token is not one, whatever is said of it.
  const isRefuted = (address: string): boolean => {
    const account = isSolanaAddress(address) ? reads.book.get(address) : undefined
    if (account == null) return account === null
    return POOL_PROGRAMS.has(account.owner) && account.owner !== program.meteoraDammV1
  }
  const fromMarket = [...pairs.values()]
    .filter(
      ({ pairAddress }) =>
        fromChain.every(({ address }) => address !== pairAddress) && !isRefuted(pairAddress)
    )
    .map((pair) => marketPoolFact(pair, sol, markets.get(pair.pairAddress)))
  const facts = [...fromChain, ...fromMarket]
  return {
    facts,
    pairs: new Set([...facts.map(({ address }) => address), ...pairs.keys(), ...markets.keys()]).size,
    lockDisputed
  }
}

const poolAccounts = (reads: Reads): PoolAccounts => {
  const vaults = [...reads.pools.values()].flatMap(({ quoteVault, tokenVault }) => [quoteVault, tokenVault])
  return {
    vaults: new Set([...vaults.filter((vault) => vault !== null), ...reads.derived.curveVaults]),
    owners: new Set<string>([...reads.pools.keys(), reads.derived.curve])
  }
}

const holdersOf = (reads: Reads): Fact<HolderFacts> => {
  const accounts = poolAccounts(reads)
  if (reads.reading.kind === "mint" && reads.largest.known) {
    const facts = chainHolders(reads.largest.value, reads.reading.mint.supply, reads.book, accounts)
    const reported =
      reads.rugCheck.known && reads.rugCheck.value !== null
        ? rugCheckHolders(reads.rugCheck.value, accounts)
        : null
    if (facts !== null) return known({ ...facts, insiders: reported?.insiders ?? null })
  }
  const reported =
    reads.rugCheck.known && reads.rugCheck.value !== null
      ? rugCheckHolders(reads.rugCheck.value, accounts)
      : null
  return reported === null
    ? missing("neither the node nor RugCheck listed the largest holders")
    : known(reported)
}

/** Puts what was read together into the evidence the signals judge. Pure. */
export const assemble = (reads: Reads, mint: SolanaAddress, depth: Depth): SolanaEvidence => {
  const decimals = reads.reading.kind === "mint" ? reads.reading.mint.decimals : 0
  const pools = poolsOf(reads, mint, decimals)
  const usable = reads.reading.kind === "mint" ? pools.facts : []
  return {
    address: mint,
    depth,
    slot: reads.slot,
    accountHash: reads.accountHash,
    fetchedAt: reads.fetchedAt,
    reading: reads.reading,
    trusted: TRUSTED_MINTS.get(mint) ?? null,
    epoch: epochOf(reads),
    metadata: metadataOf(reads, mint),
    pools: usable,
    pairs: pools.pairs,
    price: priceFacts(usable, reads.market),
    lp: lpFacts(usable, reads.market.known),
    holders: holdersOf(reads),
    market: reads.market,
    rugCheck: reads.rugCheck,
    lockDisputed: pools.lockDisputed
  }
}
