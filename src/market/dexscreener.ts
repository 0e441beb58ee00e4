import { Effect, Option, Schema } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import type { TokenRef } from "../domain/token.ts"
import type { JsonSource } from "./json-source.ts"
import { Called, calledAs } from "./called.ts"
import { Amount, decodable, lenient, ShortText, Positive } from "./lenient.ts"
import type { MarketPair } from "./market-data.ts"

/** A price is decimal text; a plain number is taken too. */
const Price = Schema.Union(
  Schema.String.pipe(Schema.pattern(/^\d{1,40}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,3})?$/)),
  Schema.Number
).pipe(Schema.transform(Positive, { strict: true, decode: Number, encode: (price) => price }))

/** Unix milliseconds in March 2020. No pool is older on either chain: a time before is in another unit, or made up. */
const FIRST_POOLS = 1_583_020_800_000
const CreatedAt = Schema.Number.pipe(Schema.finite(), Schema.greaterThanOrEqualTo(FIRST_POOLS))

const TokenSide = Schema.Struct({ address: lenient(ShortText), ...Called.fields })

/** Source of the shape: https://docs.dexscreener.com/api/reference and recorded responses; any field may be missing. */
const Pair = Schema.Struct({
  chainId: lenient(ShortText),
  dexId: lenient(ShortText),
  pairAddress: ShortText,
  labels: Schema.optional(Schema.Unknown),
  baseToken: Schema.Struct({ address: ShortText, ...Called.fields }),
  quoteToken: lenient(TokenSide),
  priceUsd: lenient(Price),
  /** What a base token costs in quote tokens. */
  priceNative: lenient(Price),
  liquidity: lenient(Schema.Struct({ usd: lenient(Amount), base: lenient(Amount), quote: lenient(Amount) })),
  pairCreatedAt: lenient(CreatedAt)
})

/** DexScreener lists at most 30 pools of a token. */
const MAX_PAIRS = 50
const MAX_LABELS = 8
const decodePairs = decodable(Pair, MAX_PAIRS)
const decodeLabels = decodable(ShortText, MAX_LABELS)

/** Addresses on Base are equal in any letter case and are kept in lower case; base58 means what it says. */
const spelling = (token: TokenRef) => (address: string) =>
  token.chain === "base" ? address.toLowerCase() : address

/** What tells of a pair whichever side the token is on. */
const common = (pair: typeof Pair.Type, spell: (address: string) => string) => ({
  dexId: pair.dexId ?? "unknown",
  labels: decodeLabels(pair.labels).items,
  pairAddress: spell(pair.pairAddress),
  liquidityUsd: pair.liquidity?.usd ?? null,
  createdAt: pair.pairCreatedAt
})

const named = (token: typeof Called.Type | null): Pick<MarketPair, "called"> => {
  const called = calledAs(token)
  return called === null ? {} : { called }
}

/**
 * A pair that lists the token as its quote, seen from the token. Its price follows from the pair's two prices of the base
 * token: `priceUsd` in USD divided by `priceNative` in the token.
 */
const inverted = (pair: typeof Pair.Type, spell: (address: string) => string): MarketPair => {
  const { liquidity, priceNative, priceUsd } = pair
  const price = (priceUsd ?? 0) / (priceNative ?? 1)
  return {
    ...common(pair, spell),
    isInverted: true,
    quoteAddress: spell(pair.baseToken.address),
    priceUsd: priceNative !== null && price > 0 && Number.isFinite(price) ? price : null,
    liquidityBase: liquidity?.quote ?? null,
    liquidityQuote: liquidity?.base ?? null,
    ...named(pair.quoteToken)
  }
}

/** Null where the pair is another token's. */
const toMarketPair = (token: TokenRef) => {
  const spell = spelling(token)
  return (pair: typeof Pair.Type): MarketPair | null => {
    if (pair.chainId !== null && pair.chainId !== token.chain) return null
    const quote = pair.quoteToken?.address ?? null
    if (spell(pair.baseToken.address) !== token.address)
      return token.chain === "solana" && quote === token.address ? inverted(pair, spell) : null
    return {
      ...common(pair, spell),
      quoteAddress: quote === null ? null : spell(quote),
      priceUsd: pair.priceUsd,
      liquidityBase: pair.liquidity?.base ?? null,
      liquidityQuote: pair.liquidity?.quote ?? null,
      ...named(pair.baseToken)
    }
  }
}

/**
 * The pools in which the token is the base token, out of a `/token-pairs/v1` body, and on Solana those in which it is the
 * quote: whoever makes a pool chooses there which side is which. On Base a pool is found at its factory. Pairs that are not
 * understood, or of another chain, are left out. A body that is no list, or a list in which nothing
 * is a pair, is malformed: only an empty list says that the token has no pools.
 */
const parsePairs = (
  token: TokenRef,
  body: unknown
): Effect.Effect<ReadonlyArray<MarketPair>, UpstreamError> => {
  const { items, isWhole } = decodePairs(body)
  return items.length > 0 || isWhole
    ? Effect.succeed(items.map(toMarketPair(token)).filter((pair) => pair !== null))
    : Effect.fail(
        new UpstreamError({ upstream: "dexscreener", kind: "malformed", detail: "body is no list of pairs" })
      )
}

/** The pairs in which a token is traded; none where DexScreener does not know it. Fails with `UpstreamError`. */
export const pairsFrom = (source: JsonSource) => (token: TokenRef) =>
  source
    .get(`/token-pairs/v1/${token.chain}/${encodeURIComponent(token.address)}`)
    .pipe(
      Effect.flatMap(
        Option.match({ onNone: () => Effect.succeed([]), onSome: (body) => parsePairs(token, body) })
      )
    )
