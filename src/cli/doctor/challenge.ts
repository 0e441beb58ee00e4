import { isDeepStrictEqual } from "node:util"
import { Effect, Either, Schema } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK, usdcOf } from "../../domain/chain.ts"
import { formatUsd } from "../../domain/money.ts"
import { parseStrictJson } from "../../domain/strict-json.ts"
import { PaymentRequired } from "../../domain/x402.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, checkResult } from "./check-result.ts"
import type { SiteReply, Site } from "./site.ts"

/** nginx answers 502 above its default header buffer; many sellers found out in production. */
const MAX_HEADER_BYTES = 4_096

const decode = Schema.decodeUnknownEither(PaymentRequired)

/** The bazaar extension in the words of the package facilitators use; an empty list when it is valid. */
const bazaarErrors = async (
  extensions: Readonly<Record<string, unknown>> | undefined
): Promise<ReadonlyArray<string>> => {
  const bazaar = extensions?.["bazaar"]
  if (typeof bazaar !== "object" || bazaar === null)
    return ["extensions.bazaar is missing: no index will list it"]
  const { isDiscoveryExtension, validate } = await import("./bazaar.ts")
  return isDiscoveryExtension(bazaar) ? validate(bazaar) : ["extensions.bazaar has no info and schema"]
}

const problemsIn = async (site: Site, answer: SiteReply): Promise<ReadonlyArray<string>> => {
  if (answer.status !== 402) return [`answers ${answer.status}, not 402: crawlers do not list it`]
  const header = answer.headers.get("payment-required")
  if (header === null) return ["has no PAYMENT-REQUIRED header"]
  const carried = parseStrictJson(Buffer.from(header, "base64").toString("utf8"))
  const decoded = decode(carried)
  if (Either.isLeft(decoded)) return ["PAYMENT-REQUIRED is not an x402 v2 challenge with complete accepts"]
  const { accepts, extensions, resource } = decoded.right
  const networks = accepts.map(({ network }) => network)
  return [
    ...(isDeepStrictEqual(carried, answer.json) ? [] : ["header and body differ"]),
    ...(header.length < MAX_HEADER_BYTES
      ? []
      : [`PAYMENT-REQUIRED has ${header.length} bytes, more than proxies pass`]),
    ...(URL.canParse(resource.url) && new URL(resource.url).origin === site.origin
      ? []
      : ["resource.url is of another origin: set PUBLIC_URL to the address people use"]),
    ...[BASE_NETWORK, SOLANA_NETWORK]
      .filter((network) => !networks.some((offered) => offered === network))
      .map((network) => `does not accept ${network}`),
    ...accepts
      .filter(({ asset, network }) => asset !== usdcOf(network))
      .map(({ network }) => `asset on ${network} is not USDC`),
    ...(await bazaarErrors(extensions))
  ]
}

const priceOf = ({ json }: SiteReply): string => {
  const decoded = decode(json)
  const amount = Either.isRight(decoded) ? decoded.right.accepts[0]?.amount : undefined
  return amount === undefined ? "" : `${formatUsd(BigInt(amount))} USD, `
}

/** An unpaid, empty request to each paid address must be answered with a challenge that clients can pay. */
export const checkChallenges = (site: Site) =>
  Effect.forEach(
    ["ping", "deep"].flatMap((operation) => ["GET", "POST"].map((method) => ({ operation, method }))),
    ({ method, operation }): Effect.Effect<CheckResult> => {
      const name = `402 ${method} /v1/${operation}`
      return site.ask(`/api/token-risk/v1/${operation}`, { method }).pipe(
        Effect.flatMap((answer) =>
          Effect.map(
            Effect.promise(() => problemsIn(site, answer)),
            (problems) =>
              checkResult(
                name,
                problems,
                `${priceOf(answer)}${answer.headers.get("payment-required")?.length ?? 0} bytes of header`
              )
          )
        ),
        Effect.catchAll(() => Effect.succeed(fail(name, "no answer")))
      )
    },
    { concurrency: 2 }
  )
