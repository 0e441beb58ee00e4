/** One pool as a market-data service sees it, whatever its chain. */
export interface MarketToken {
  readonly address: string
  readonly name: string
  readonly symbol: string
}

export interface MarketPool {
  readonly chainId: "base" | "solana"
  readonly dexId: string
  readonly labels: ReadonlyArray<string>
  readonly pairAddress: string
  readonly base: MarketToken
  readonly quote: MarketToken
  /** Whole tokens in the pool. */
  readonly baseReserve: number
  readonly quoteReserve: number
  /** Whole quote tokens for one whole base token. */
  readonly priceNative: number
  /** Dollars for one whole quote token; `null` when nobody knows. */
  readonly quoteUsd: number | null
}

/** DexScreener's `Pair`. Trades and volume are zero: the sandbox's tokens are only traded by tests. */
export const pairJson = (pool: MarketPool, createdAt: number): unknown => {
  const nothing = { m5: 0, h1: 0, h6: 0, h24: 0 }
  const noTrades = { buys: 0, sells: 0 }
  const { baseReserve, priceNative, quoteReserve, quoteUsd } = pool
  return {
    chainId: pool.chainId,
    dexId: pool.dexId,
    url: `https://dexscreener.com/${pool.chainId}/${pool.pairAddress}`,
    pairAddress: pool.pairAddress,
    labels: pool.labels,
    baseToken: pool.base,
    quoteToken: pool.quote,
    priceNative: String(priceNative),
    ...(quoteUsd === null ? {} : { priceUsd: String(priceNative * quoteUsd) }),
    txns: { m5: noTrades, h1: noTrades, h6: noTrades, h24: noTrades },
    volume: nothing,
    priceChange: { h24: 0 },
    ...(quoteUsd === null
      ? {}
      : { liquidity: { usd: 2 * quoteReserve * quoteUsd, base: baseReserve, quote: quoteReserve } }),
    pairCreatedAt: createdAt
  }
}
