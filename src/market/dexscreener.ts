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

const TokenSide = Schema.Struct({ address: lenient(ShortText) })

/** Source of the shape: https://docs.dexscreener.com/api/reference and recorded responses; any field may be missing. */
const Pair = Schema.Struct({
  chainId: lenient(ShortText),
  dexId: lenient(ShortText),
  pairAddress: ShortText,
  labels: Schema.optional(Schema.Unknown),
  baseToken: Schema.Struct({ address: ShortText, ...Called.fields }),
  quoteToken: lenient(TokenSide),
  priceUsd: lenient(Price),
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

const isAbout = (token: TokenRef) => {
  const spell = spelling(token)
  return (pair: typeof Pair.Type): boolean =>
    (pair.chainId === null || pair.chainId === token.chain) && spell(pair.baseToken.address) === token.address
}

const toMarketPair = (token: TokenRef) => {
  const spell = spelling(token)
  return (pair: typeof Pair.Type): MarketPair => {
    const quote = pair.quoteToken?.address ?? null
    const called = calledAs(pair.baseToken)
    return {
      dexId: pair.dexId ?? "unknown",
      labels: decodeLabels(pair.labels).items,
      pairAddress: spell(pair.pairAddress),
      quoteAddress: quote === null ? null : spell(quote),
      priceUsd: pair.priceUsd,
      liquidityUsd: pair.liquidity?.usd ?? null,
      liquidityBase: pair.liquidity?.base ?? null,
      liquidityQuote: pair.liquidity?.quote ?? null,
      createdAt: pair.pairCreatedAt,
      ...(called === null ? {} : { called })
    }
  }
}

/**
 * The pools in which the token is the base token, out of a `/token-pairs/v1` body. Pairs that are not understood, of
 * another chain, or with the token on the quote side are left out. A body that is no list, or a list in which nothing
 * is a pair, is malformed: only an empty list says that the token has no pools.
 */
const parsePairs = (
  token: TokenRef,
  body: unknown
): Effect.Effect<ReadonlyArray<MarketPair>, UpstreamError> => {
  const { items, isWhole } = decodePairs(body)
  return items.length > 0 || isWhole
    ? Effect.succeed(items.filter(isAbout(token)).map(toMarketPair(token)))
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
