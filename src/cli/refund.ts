import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Config, Console, Effect, Layer, Option, Redacted, Schema } from "effect"
import { checkoutPath } from "../api/checkout.ts"
import { ChainRpcLive } from "../chain/chain-rpc-live.ts"
import { CheckoutRepoLive } from "../checkout/checkout-repo-live.ts"
import { SightingsLive } from "../checkout/watch/sightings.ts"
import { RandomnessLive } from "../checkout/randomness.ts"
import { RefundRepoLive } from "../checkout/refunds/refund-repo.ts"
import type { RefundError } from "../checkout/refunds/refunds.ts"
import { Refunds, RefundsLive } from "../checkout/refunds/refunds.ts"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import { formatUsd } from "../domain/money.ts"
import type { RefundRequest } from "../domain/refund.ts"
import { PreparedRefund } from "../domain/refund.ts"
import { jsonIn } from "./answer.ts"
import { ServiceDatabaseLive } from "./database.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, Stop } from "./exit.ts"
import { networkName } from "./explorer.ts"
import { readInput } from "./read-input.ts"
import { plain, printableJson } from "./text.ts"

interface Options {
  readonly id: string
  readonly payer: Option.Option<string>
  /** Smallest units. */
  readonly amount: Option.Option<bigint>
  readonly tokenFile: Option.Option<string>
  readonly url: string
  readonly service: string
  readonly json: boolean
}

const stopped = (code: ExitCode, message: string, errorCode?: string) =>
  new Stop({ code, message, ...(errorCode === undefined ? {} : { errorCode }) })

const refused = (message: string) => stopped(EXIT.notPaid, `No refund: ${plain(message)}.`, "refund_refused")
const unreachable = stopped(EXIT.unavailable, "No refund: the service or the chain gave no answer.")
const unknown = stopped(EXIT.notFound, "No refund: no such checkout.", "checkout_not_found")

const AS_MERCHANT = "As a merchant set TOKEN_RISK_MERCHANT_TOKEN"

const decodeError = Schema.decodeUnknown(Schema.Struct({ error: Schema.String }))
const decodeRefund = Schema.decodeUnknown(PreparedRefund)

/** What a refusal of the service means here. */
const stopFor = (status: number, error: string): Stop => {
  if (status === 404) return unknown
  if (status === 401) return stopped(EXIT.usage, "The merchant token is not valid.", "unauthorized")
  return status >= 500 || status === 429 ? unreachable : refused(error)
}

/** Asks the service, as the merchant of the token. */
const fromService = ({ id, service, url }: Options, request: RefundRequest, token: Redacted.Redacted) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const path = `${url}${checkoutPath(service)}/checkout/${encodeURIComponent(id)}/refund`
    const answer = yield* HttpClientRequest.post(path).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.bodyJson(request),
      Effect.flatMap(client.execute)
    )
    if (answer.status === 200) return yield* decodeRefund(yield* jsonIn(answer))
    const { error } = yield* decodeError(yield* jsonIn(answer))
    return yield* stopFor(answer.status, error)
  }).pipe(
    Effect.timeout("30 seconds"),
    Effect.catchIf(
      (error) => !(error instanceof Stop),
      () => unreachable
    ),
    Effect.provide(FetchHttpClient.layer)
  )

const describe = (error: RefundError): Stop => {
  switch (error._tag) {
    case "CheckoutNotFound":
      return unknown
    case "CheckoutConflict":
      return refused(error.message)
    case "CheckoutInvalid":
      return refused(`${error.field} ${error.message}`)
    case "UpstreamError":
      return unreachable
  }
}

const LocalRefunds = RefundsLive.pipe(
  Layer.provide([CheckoutRepoLive, RefundRepoLive, SightingsLive, RandomnessLive, ChainRpcLive]),
  Layer.provideMerge(ServiceDatabaseLive)
)

/** Reads the journal itself, with the service's own environment. */
const fromDatabase = ({ id }: Options, request: RefundRequest) =>
  Effect.flatMap(Refunds, ({ prepare }) => Effect.mapError(prepare(id, request), describe)).pipe(
    Effect.provide(LocalRefunds),
    Effect.catchTag("ConfigError", () =>
      stopped(EXIT.usage, `${AS_MERCHANT}, or run this with the service's own environment.`)
    ),
    // A merchant has no database of ours, and is told so without having asked for one.
    Effect.mapError((error) =>
      error.code === EXIT.usage && error.message?.startsWith(AS_MERCHANT) === false
        ? stopped(EXIT.usage, `${error.message} ${AS_MERCHANT}.`)
        : error
    )
  )

const tokenOf = ({ tokenFile }: Options): Effect.Effect<Option.Option<Redacted.Redacted>, Stop> =>
  Option.match(tokenFile, {
    onSome: (path) =>
      Effect.map(readInput(path, "the merchant token"), (text) => Option.some(Redacted.make(text.trim()))),
    onNone: () =>
      Effect.mapError(
        Config.option(Config.redacted(Config.nonEmptyString("TOKEN_RISK_MERCHANT_TOKEN"))),
        () => stopped(EXIT.usage, "TOKEN_RISK_MERCHANT_TOKEN cannot be read")
      )
  })

const row = (label: string, text: string): string => `  ${label.padEnd(9)}${plain(text, 4_000)}`

const said = (refund: PreparedRefund): string =>
  [
    `Refund of ${formatUsd(BigInt(refund.amount))} USDC on ${networkName(refund.network)}, not signed and not sent`,
    row("order", refund.checkoutId),
    row("from", refund.from),
    row("to", refund.to),
    ...(refund.memo === null ? [] : [row("memo", refund.memo)]),
    "",
    ...(refund.transaction === null
      ? ["A contract wallet sends this call:"]
      : [
          refund.network === SOLANA_NETWORK
            ? "Sign this transaction with the merchant's wallet and send it within half a minute, or it never lands:"
            : "Sign this transaction with the merchant's wallet and send it:",
          plain(refund.transaction, 4_000),
          ""
        ]),
    ...(refund.call === null
      ? []
      : [
          ...(refund.transaction === null
            ? []
            : [
                "Or have the wallet make it, from this call or link; one of the two: both would be two refunds."
              ]),
          row("to", refund.call.to),
          row("data", refund.call.data),
          row("link", refund.call.uri),
          ""
        ]),
    refund.network === SOLANA_NETWORK
      ? "The checkout shows the refund when it is on chain. If it was too late, ask again in a minute: another is prepared."
      : "The checkout shows the refund when it is on chain. Asked again before that, the same refund is given."
  ].join("\n")

/** `refund`: the exact transaction that gives a checkout's money back, for the merchant to sign. We hold no such key. */
export const refund = (options: Options) =>
  Effect.gen(function* () {
    const request: RefundRequest = {
      payer: Option.getOrUndefined(options.payer),
      amountUsd: Option.getOrUndefined(Option.map(options.amount, formatUsd))
    }
    const token = yield* tokenOf(options)
    const prepared = yield* Option.match(token, {
      onSome: (secret) => fromService(options, request, secret),
      onNone: () => fromDatabase(options, request)
    })
    yield* Console.log(options.json ? printableJson(prepared) : said(prepared))
  })
