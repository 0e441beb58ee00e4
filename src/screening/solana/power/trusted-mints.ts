import type { Share } from "./x-stocks.ts"
import { MORE_X_STOCKS, X_STOCKS } from "./x-stocks.ts"

/** An established issuer's token. Its issuer's powers are known and accepted by the market; they are named, not counted. */
export interface TrustedMint {
  readonly symbol: string
  /**
   * What stands behind it. `issued` tokens' powers are accepted as they are; of a `custodial` one nobody can read from
   * the chain whether its keeper holds what backs it, or will give it out.
   */
  readonly backing: "issued" | "custodial"
  /** Where the issuer publishes this very mint address. */
  readonly source: string
}

type Row = readonly [symbol: string, mint: string, source: string]

const ISSUED: ReadonlyArray<Row> = [
  ["SOL", "So11111111111111111111111111111111111111112", "solana-program/token: native mint"],
  [
    "USDC",
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "https://developers.circle.com/stablecoins/usdc-contract-addresses"
  ],
  [
    "EURC",
    "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr",
    "https://developers.circle.com/stablecoins/eurc-contract-addresses"
  ],
  ["USDT", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "https://tether.to/en/supported-protocols"],
  ["PYUSD", "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", "https://github.com/paxosglobal/pyusd-contract"],
  ["USDG", "2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH", "https://docs.paxos.com/stablecoin/usdg"],
  ["JitoSOL", "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn", "https://www.jito.network/docs/jitosol"],
  ["mSOL", "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", "https://docs.marinade.finance"],
  ["bSOL", "bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1", "https://stake-docs.solblaze.org"],
  [
    "jupSOL",
    "jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v",
    "https://github.com/igneous-labs/sanctum-lst-list"
  ],
  ["INF", "5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm", "https://github.com/igneous-labs/sanctum-lst-list"],
  [
    "USD1",
    "USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB",
    "https://docs.worldlibertyfinancial.com/usd1-token/smart-contracts"
  ],
  ["USDS", "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA", "https://docs.sky.money/solana"]
]

const share = ([symbol, mint]: Share): Row => [symbol, mint, "https://docs.xstocks.fi (product list)"]

const CUSTODIAL: ReadonlyArray<Row> = [
  ["cbBTC", "cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij", "https://www.coinbase.com/cbbtc"],
  [
    "WBTC",
    "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh",
    "https://portalbridge.com (Wormhole-wrapped WBTC)"
  ],
  ["WETH", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", "https://portalbridge.com (Wormhole-wrapped ETH)"],
  [
    "tBTC",
    "6DNSN2BJsaPFdFFc1zP37kkeNe4Usc1Sqkzr9C9vPWcU",
    "https://docs.threshold.network (tBTC on Solana), wormhole-foundation/wormhole-sdk-ts: tbtcToken"
  ],
  ...X_STOCKS.map(share)
]

const backedBy =
  (backing: TrustedMint["backing"]) =>
  ([symbol, mint, source]: Row): readonly [mint: string, TrustedMint] => [mint, { symbol, backing, source }]

/**
 * Trust is bound to the exact mint, never to a name, a symbol or an authority: anybody can set Circle's key as the
 * authority of a token of their own.
 */
export const TRUSTED_MINTS: ReadonlyMap<string, TrustedMint> = new Map([
  ...ISSUED.map(backedBy("issued")),
  ...[...CUSTODIAL, ...MORE_X_STOCKS.map(share)].map(backedBy("custodial"))
])

/** Symbols of mints whose issuers' powers are accepted here: wearing one is an attempt to be taken for it. */
export const WORN_SYMBOLS: ReadonlyArray<string> = [...ISSUED, ...CUSTODIAL].map(([symbol]) => symbol)
