import { Args, HelpDoc, Options, ValidationError } from "@effect/cli"
import type { Option } from "effect"
import { Config, Effect } from "effect"
import { parseUsd } from "../domain/money.ts"

const DEFAULT_URL = "http://127.0.0.1:3402"

const invalid = (message: string) => ValidationError.invalidValue(HelpDoc.p(message))

const money = (name: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("USD"),
    Options.mapEffect((text) => {
      const amount = parseUsd(text)
      return amount === undefined
        ? Effect.fail(invalid(`--${name} must be a decimal amount of USD with at most 6 decimals`))
        : Effect.succeed(amount)
    })
  )

const origin = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? Effect.succeed(new URL(text).origin)
    : Effect.fail(invalid("the service's address must be an http or https URL"))

/** Origin of the service. */
export const url = Options.text("url").pipe(
  Options.withDescription(`Address of the service. Default: TOKEN_RISK_URL, else ${DEFAULT_URL}`),
  Options.withPseudoName("URL"),
  Options.withFallbackConfig(Config.nonEmptyString("TOKEN_RISK_URL")),
  Options.withDefault(DEFAULT_URL),
  Options.mapEffect(origin)
)

export const urlArgument = Args.text({ name: "url" }).pipe(
  Args.withDescription("Address of the deployment to check"),
  Args.mapEffect((text) => Effect.mapError(origin(text), ({ error }) => error))
)

export const json = Options.boolean("json").pipe(
  Options.withDescription("Print one JSON object on stdout, for machines")
)

export const jwks = Options.text("jwks").pipe(
  Options.withDescription("Key set to verify reports with: a file or URL. Default: the service's own"),
  Options.withPseudoName("FILE_OR_URL"),
  Options.optional
)

export const clientId = Options.text("client-id").pipe(
  Options.withDescription("Your stable id: the first deep calls of a day are free with it"),
  Options.withPseudoName("ID"),
  Options.withFallbackConfig(Config.nonEmptyString("TOKEN_RISK_CLIENT_ID")),
  Options.optional
)

export const token = {
  chain: Args.choice([["base", "base"] as const, ["solana", "solana"] as const], { name: "chain" }).pipe(
    Args.withDescription("base or solana")
  ),
  address: Args.text({ name: "address" }).pipe(Args.withDescription("Token contract (base) or mint (solana)"))
}

/** How, and how much, a command may pay. */
export const spending = {
  maxPrice: money("max-price").pipe(
    Options.withDescription("Most for one call. Default: 0.05"),
    Options.withDefault(50_000n)
  ),
  budget: money("budget").pipe(
    Options.withDescription("Most for the whole command. Default: 1"),
    Options.withDefault(1_000_000n)
  ),
  payOn: Options.choice("pay-on", ["base", "solana"]).pipe(
    Options.withDescription("Pay on this chain only. Default: whichever you have a key for, Base first"),
    Options.optional
  ),
  baseKeyFile: Options.text("base-key-file").pipe(
    Options.withDescription("File with the 0x hex key that pays on Base. Default: TOKEN_RISK_BASE_KEY"),
    Options.withPseudoName("FILE"),
    Options.optional
  ),
  solanaKeyFile: Options.text("solana-key-file").pipe(
    Options.withDescription(
      "File with the key that pays on Solana, base58 or JSON array. Default: TOKEN_RISK_SOLANA_KEY; reads SOLANA_RPC_URL"
    ),
    Options.withPseudoName("FILE"),
    Options.optional
  ),
  yes: Options.boolean("yes", { aliases: ["y"] }).pipe(
    Options.withDescription("Pay without being asked, within the limits")
  )
}

export interface Spending {
  readonly maxPrice: bigint
  readonly budget: bigint
  readonly payOn: Option.Option<"base" | "solana">
  readonly baseKeyFile: Option.Option<string>
  readonly solanaKeyFile: Option.Option<string>
  readonly yes: boolean
}
