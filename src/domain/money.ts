import { Schema } from "effect"
import { rule } from "./rule.ts"

export { formatUsd, parseUsd, USDC_DECIMALS, USDC_UNIT } from "./usd.ts"

/** An amount of smallest units as it stands in an x402 message: canonical ASCII digits (`BigInt` alone accepts more). */
export const AtomicAmount = Schema.String.pipe(
  Schema.pattern(/^(?:0|[1-9][0-9]{0,38})$/, {
    message: () => rule("must be a whole number of smallest units")
  })
)
