import { Config, Either } from "effect"
import { OPERATIONS } from "../domain/catalog.ts"
import { parseUsd } from "../domain/money.ts"
import { invalid } from "../domain/settings.ts"

const price = (name: string, fallback: string) =>
  Config.nonEmptyString(name).pipe(
    Config.withDefault(fallback),
    Config.mapOrFail((text) => {
      const amount = parseUsd(text)
      return amount === undefined || amount === 0n
        ? invalid(name, "must be USD above 0 with at most 6 decimals, such as 0.005")
        : Either.right({ usd: text, amount })
    })
  )

/** Decimal USD and smallest units, by `priceKey` of the catalog. */
export const pricesConfig = Config.all({
  ping: price("PING_PRICE_USD", OPERATIONS.check_token_safety_ping.defaultPriceUsd),
  deep: price("DEEP_PRICE_USD", OPERATIONS.check_token_risk_deep.defaultPriceUsd)
})
