import { Config, ConfigError, Either, Option } from "effect"
import { OPERATIONS } from "../domain/catalog.ts"
import { parseUsd } from "../domain/money.ts"

const price = (name: string, fallback: string) =>
  Config.nonEmptyString(name).pipe(
    Config.withDefault(fallback),
    Config.mapOrFail((text) => {
      const amount = parseUsd(text)
      return amount === undefined || amount === 0n
        ? Either.left(
            ConfigError.InvalidData([name], "must be a decimal USD amount above 0 with at most 6 decimals")
          )
        : Either.right({ usd: text, amount })
    })
  )

const origin = (text: string): Either.Either<string, ConfigError.ConfigError> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === ""
    ? Either.right(url.href.replace(/\/$/, ""))
    : Either.left(ConfigError.InvalidData(["PUBLIC_URL"], "must be an http or https URL without query"))
}

/** Where to listen. */
export const listenConfig = Config.all({
  host: Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.port("PORT").pipe(Config.withDefault(3402))
})

/** The only source of URLs in challenges, manifests and OpenAPI; never the Host header. No trailing slash. */
export const publicUrlConfig = Config.all([
  Config.option(Config.nonEmptyString("PUBLIC_URL").pipe(Config.mapOrFail(origin))),
  listenConfig
]).pipe(
  Config.map(([configured, { host, port }]) =>
    Option.getOrElse(configured, () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`)
  )
)

/** Decimal USD and smallest units, by `priceKey` of the catalog. */
export const pricesConfig = Config.all({
  ping: price("PING_PRICE_USD", OPERATIONS.check_token_safety_ping.defaultPriceUsd),
  deep: price("DEEP_PRICE_USD", OPERATIONS.check_token_risk_deep.defaultPriceUsd)
})
