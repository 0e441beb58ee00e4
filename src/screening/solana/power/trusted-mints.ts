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

/** Backed's tokenised shares: the issuer can pause, freeze and take balances, by its own terms. */
const X_STOCKS: ReadonlyArray<readonly [symbol: string, mint: string]> = [
  ["SPYx", "XsoCS1TfEyfFhfvj8EtZ528L3CaKBDBRqRapnBbDF2W"],
  ["QQQx", "Xs8S1uUs1zvS2p7iwtsG3b6fkhpvmwz4GYU3gWAmWHZ"],
  ["NVDAx", "Xsc9qvGR1efVDFGLrVsmkzv3qi45LTBjeUKSPmx9qEh"],
  ["TSLAx", "XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB"],
  ["AAPLx", "XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp"],
  ["GOOGLx", "XsCPL9dNWBMvFtTmwcCA5v3xWPSMEBCszbQdiLLq6aN"],
  ["AMZNx", "Xs3eBt7uRfJX8QUs4suhyU8p2M6DoUDrJyWBa8LLZsg"],
  ["MSFTx", "XspzcW1PRtgf6Wj92HCiZdjzKCyFekVD8P5Ueh3dRMX"],
  ["METAx", "Xsa62P5mvPszXL1krVUnU5ar38bBSVcWAB6fmPCo5Zu"],
  ["COINx", "Xs7ZdzSHLU9ftNJsii5fCeJhoRWSC32SQGzGQtePxNu"],
  ["MSTRx", "XsP7xzNPvEHS1m6qfanPUGjNmdnmsLKEoNAnHjdxxyZ"],
  ["HOODx", "XsvNBAYkrDRNhA7wPHQfX3ZUXZyZLdnCQDfHZ56bzpg"],
  ["CRCLx", "XsueG8BtpquVJX9LVLLEGuViXUungE6WmK5YZ3p3bd1"],
  ["NFLXx", "XsEH7wWfJJu2ZT3UCFeVfALnVA6CP5ur7Ee11KmzVpL"],
  ["PLTRx", "XsoBhf2ufR8fTyNSjqfU71DYGaE6Z3SUGAidpzriAA4"],
  ["MCDx", "XsqE9cRRpzxcGKDXj1BJ7Xmg4GRhZoyY1KpmGSxAWT2"]
]

/**
 * Trust is bound to the exact mint, never to a name, a symbol or an authority: anybody can set Circle's key as the
 * authority of a token of his own.
 */
export const TRUSTED_MINTS: ReadonlyMap<string, TrustedMint> = new Map([
  [
    "So11111111111111111111111111111111111111112",
    { symbol: "SOL", backing: "issued", source: "solana-program/token: native mint" }
  ],
  [
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    {
      symbol: "USDC",
      backing: "issued",
      source: "https://developers.circle.com/stablecoins/usdc-contract-addresses"
    }
  ],
  [
    "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr",
    {
      symbol: "EURC",
      backing: "issued",
      source: "https://developers.circle.com/stablecoins/eurc-contract-addresses"
    }
  ],
  [
    "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
    { symbol: "USDT", backing: "issued", source: "https://tether.to/en/supported-protocols" }
  ],
  [
    "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo",
    { symbol: "PYUSD", backing: "issued", source: "https://github.com/paxosglobal/pyusd-contract" }
  ],
  [
    "2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH",
    { symbol: "USDG", backing: "issued", source: "https://docs.paxos.com/stablecoin/usdg" }
  ],
  [
    "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn",
    { symbol: "JitoSOL", backing: "issued", source: "https://www.jito.network/docs/jitosol" }
  ],
  [
    "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So",
    { symbol: "mSOL", backing: "issued", source: "https://docs.marinade.finance" }
  ],
  [
    "bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1",
    { symbol: "bSOL", backing: "issued", source: "https://stake-docs.solblaze.org" }
  ],
  [
    "jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v",
    { symbol: "jupSOL", backing: "issued", source: "https://github.com/igneous-labs/sanctum-lst-list" }
  ],
  [
    "5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm",
    { symbol: "INF", backing: "issued", source: "https://github.com/igneous-labs/sanctum-lst-list" }
  ],
  [
    "USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB",
    {
      symbol: "USD1",
      backing: "issued",
      source: "https://docs.worldlibertyfinancial.com/usd1-token/smart-contracts"
    }
  ],
  [
    "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA",
    { symbol: "USDS", backing: "issued", source: "https://docs.sky.money/solana" }
  ],
  [
    "cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij",
    { symbol: "cbBTC", backing: "custodial", source: "https://www.coinbase.com/cbbtc" }
  ],
  [
    "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh",
    { symbol: "WBTC", backing: "custodial", source: "https://portalbridge.com (Wormhole-wrapped WBTC)" }
  ],
  [
    "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs",
    { symbol: "WETH", backing: "custodial", source: "https://portalbridge.com (Wormhole-wrapped ETH)" }
  ],
  ...X_STOCKS.map(
    ([symbol, mint]) =>
      [mint, { symbol, backing: "custodial", source: "https://docs.xstocks.fi (product list)" }] as const
  )
])
