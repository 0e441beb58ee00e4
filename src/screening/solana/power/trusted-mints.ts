/** An established issuer's token. Its issuer's powers are known and accepted by the market; they are named, not counted. */
export interface TrustedMint {
  readonly symbol: string
  /** Where the issuer publishes this very mint address. */
  readonly source: string
}

/**
 * Trust is bound to the exact mint, never to a name, a symbol or an authority: anybody can set Circle's key as the
 * authority of a token of his own (facts/risk.md D3).
 */
export const TRUSTED_MINTS: ReadonlyMap<string, TrustedMint> = new Map([
  [
    "So11111111111111111111111111111111111111112",
    { symbol: "SOL", source: "solana-program/token: native mint" }
  ],
  [
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    { symbol: "USDC", source: "https://developers.circle.com/stablecoins/usdc-contract-addresses" }
  ],
  [
    "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr",
    { symbol: "EURC", source: "https://developers.circle.com/stablecoins/eurc-contract-addresses" }
  ],
  [
    "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
    { symbol: "USDT", source: "https://tether.to/en/supported-protocols" }
  ],
  [
    "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo",
    { symbol: "PYUSD", source: "https://github.com/paxosglobal/pyusd-contract" }
  ],
  [
    "2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH",
    { symbol: "USDG", source: "https://docs.paxos.com/stablecoin/usdg" }
  ],
  [
    "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn",
    { symbol: "JitoSOL", source: "https://www.jito.network/docs/jitosol" }
  ],
  [
    "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So",
    { symbol: "mSOL", source: "https://docs.marinade.finance" }
  ],
  [
    "bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1",
    { symbol: "bSOL", source: "https://stake-docs.solblaze.org" }
  ]
])

/** Only the symbol's letters and digits, in one case, with look-alikes folded: "ＵЅDС " reads "usdc". */
const skeleton = (symbol: string): string =>
  [...symbol.normalize("NFKC").toLowerCase()]
    .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
    .join("")
    .replace(/[^a-z0-9]/g, "")

/** Letters of other alphabets that read as Latin ones. Source: the single-letter rows of Unicode TR39 confusables. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: "a",
    в: "b",
    с: "c",
    ԁ: "d",
    е: "e",
    һ: "h",
    і: "i",
    ј: "j",
    к: "k",
    м: "m",
    о: "o",
    р: "p",
    ѕ: "s",
    т: "t",
    у: "y",
    х: "x",
    ѵ: "v",
    α: "a",
    ο: "o",
    υ: "u",
    τ: "t",
    ι: "i",
    ρ: "p",
    ѡ: "w",
    ᴜ: "u",
    ꜱ: "s",
    ᴅ: "d",
    ᴄ: "c",
    $: "s"
  })
)

const SKELETONS: ReadonlySet<string> = new Set(
  [...TRUSTED_MINTS.values()].map(({ symbol }) => skeleton(symbol))
)

/** Whether a token calls itself what only a listed mint may be called. The caller checks that it is another mint. */
export const readsAsTrusted = (symbol: string): boolean => SKELETONS.has(skeleton(symbol))
