import { Effect, Option, Predicate, Schema } from "effect"
import { isSolanaAddress, type SolanaAddress } from "../domain/address.ts"
import { UpstreamError } from "../domain/errors.ts"
import { Called, calledAs } from "./called.ts"
import type { JsonSource } from "./json-source.ts"
import { Amount, decodable, lenient, Percent, Positive, ShortText } from "./lenient.ts"
import type { RugCheckMarket, RugCheckReport } from "./market-data.ts"

const Authorities = Schema.Struct({
  mintAuthority: Schema.optional(Schema.Unknown),
  freezeAuthority: Schema.optional(Schema.Unknown)
})

/** Source of the shape: recorded `/report` responses; any field may be missing. */
const Report = Schema.Struct({
  ...Authorities.fields,
  mint: lenient(ShortText),
  token: lenient(Authorities),
  tokenMeta: lenient(Called),
  score_normalised: lenient(Percent),
  rugged: lenient(Schema.Boolean),
  risks: Schema.optional(Schema.Unknown),
  markets: Schema.optional(Schema.Unknown),
  topHolders: Schema.optional(Schema.Unknown),
  knownAccounts: Schema.optional(Schema.Unknown),
  creator: lenient(ShortText),
  creatorBalance: lenient(Amount),
  insiderNetworks: Schema.optional(Schema.Unknown),
  graphInsidersDetected: lenient(Amount),
  totalHolders: lenient(Amount),
  price: lenient(Positive),
  transferFee: lenient(Schema.Struct({ pct: lenient(Amount) }))
})

const Risk = Schema.Struct({ name: ShortText, level: lenient(ShortText), score: lenient(Amount) })

const Market = Schema.Struct({
  pubkey: ShortText,
  marketType: lenient(ShortText),
  mintLP: lenient(ShortText),
  liquidityA: lenient(ShortText),
  liquidityB: lenient(ShortText),
  lp: lenient(
    Schema.Struct({
      lpLockedPct: lenient(Percent),
      quoteUSD: lenient(Amount),
      baseUSD: lenient(Amount),
      lpMint: lenient(ShortText)
    })
  )
})

const Holder = Schema.Struct({
  address: ShortText,
  owner: lenient(ShortText),
  pct: Amount,
  insider: lenient(Schema.Boolean)
})

const InsiderNetwork = Schema.Struct({ size: lenient(Amount), tokenAmount: lenient(Amount) })

const KnownAccount = Schema.Struct({ type: ShortText })

const decodeReport = Schema.decodeUnknown(Report)
/** Real reports name some ten risks, twenty holders, and for the most traded tokens a few hundred markets, of which the first serve. */
const decodeRisks = decodable(Risk, 50)
const decodeMarkets = decodable(Market, 100)
const decodeHolders = decodable(Holder, 50)
const MAX_KNOWN_ACCOUNTS = 200
const decodeNetworks = decodable(InsiderNetwork, 50)
const decodeKnownAccount = Schema.decodeUnknownOption(KnownAccount)

/**
 * The report names an authority twice. `null` is its word for "revoked" and counts only where nothing contradicts it;
 * a field that is absent or of another type says nothing (`undefined`).
 */
const authority = (...said: ReadonlyArray<unknown>): string | null | undefined => {
  const named = said.find((value) => typeof value === "string" && value !== "")
  if (typeof named === "string") return named
  return said.includes(null) ? null : undefined
}

const toMarket = ({
  liquidityA,
  liquidityB,
  lp,
  marketType,
  mintLP,
  pubkey
}: typeof Market.Type): RugCheckMarket => ({
  pubkey,
  marketType: marketType ?? "unknown",
  lpLockedPct: lp?.lpLockedPct ?? null,
  quoteUsd: lp?.quoteUSD ?? null,
  baseUsd: lp?.baseUSD ?? null,
  lpMint: lp?.lpMint ?? mintLP,
  vaults: [liquidityA, liquidityB].filter((vault) => vault !== null)
})

/** All holders or none: a concentration over the entries we happened to understand would be a guess. */
const toHolders = (list: unknown): RugCheckReport["topHolders"] => {
  const { items, isWhole } = decodeHolders(list)
  if (!isWhole) return null
  return items.map(({ address, owner, pct, insider }) => ({
    address,
    owner,
    pct,
    insider: insider ?? false
  }))
}

const toKnownAccounts = (accounts: unknown): RugCheckReport["knownAccounts"] =>
  Object.fromEntries(
    Object.entries(Predicate.isRecord(accounts) ? accounts : {})
      .slice(0, MAX_KNOWN_ACCOUNTS)
      .flatMap(([address, account]) =>
        isSolanaAddress(address)
          ? Option.match(decodeKnownAccount(account), {
              onNone: () => [],
              onSome: ({ type }) => [[address, { type }]]
            })
          : []
      )
  )

const malformed = (detail: string): UpstreamError =>
  new UpstreamError({ upstream: "rugcheck", kind: "malformed", detail })

/** What the screening reads of a `/report` body. A body that is no object, or about another mint, is malformed. */
const parseReport = (mint: SolanaAddress, body: unknown): Effect.Effect<RugCheckReport, UpstreamError> =>
  decodeReport(body).pipe(
    Effect.mapError(() => malformed("body is no report")),
    Effect.filterOrFail(
      (report) => report.mint === null || report.mint === mint,
      () => malformed("report is about another mint")
    ),
    Effect.map((report) => ({
      report,
      risks: decodeRisks(report.risks),
      called: calledAs(report.tokenMeta)
    })),
    Effect.map(({ called, report, risks }) => ({
      mintAuthority: authority(report.mintAuthority, report.token?.mintAuthority),
      freezeAuthority: authority(report.freezeAuthority, report.token?.freezeAuthority),
      scoreNormalised: report.score_normalised,
      rugged: report.rugged,
      risksAreWhole: risks.isWhole && risks.items.every(({ level }) => level !== null),
      risks: risks.items.map(({ name, level, score }) => ({
        name,
        level: level ?? "",
        score: score ?? 0
      })),
      markets: decodeMarkets(report.markets).items.map(toMarket),
      topHolders: toHolders(report.topHolders),
      knownAccounts: toKnownAccounts(report.knownAccounts),
      creator: report.creator,
      creatorBalance: report.creatorBalance,
      insiderNetworks: decodeNetworks(report.insiderNetworks).items,
      graphInsidersDetected: report.graphInsidersDetected,
      totalHolders: report.totalHolders,
      price: report.price,
      transferFeePct: report.transferFee?.pct ?? null,
      ...(called === null ? {} : { called })
    }))
  )

/** The report on a mint; none where RugCheck does not know it. Fails with `UpstreamError`. */
export const reportFrom = (source: JsonSource) => (mint: SolanaAddress) =>
  source.get(`/tokens/${encodeURIComponent(mint)}/report`).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: (body) => Effect.asSome(parseReport(mint, body))
      })
    )
  )
