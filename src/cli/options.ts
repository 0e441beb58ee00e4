import { Args, HelpDoc, Options, ValidationError } from "@effect/cli"
import type { Option } from "effect"
import { Config, Effect } from "effect"
import { parseUsd } from "../domain/usd.ts"
import { parseCount, parseDuration } from "./numbers.ts"

const DEFAULT_URL = "http://127.0.0.1:3402"

const invalid = (message: string) => ValidationError.invalidValue(HelpDoc.p(message))

/** An option whose text must be of one form; `form` completes "must be". */
const parsed = <A>(name: string, pseudo: string, parse: (text: string) => A | undefined, form: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(pseudo),
    Options.mapEffect((text) => {
      const value = parse(text)
      return value === undefined ? Effect.fail(invalid(`--${name} must be ${form}`)) : Effect.succeed(value)
    })
  )

const money = (name: string) =>
  parsed(name, "USD", parseUsd, "a decimal amount of USD with at most 6 decimals")

const duration = (name: string) =>
  parsed(name, "SECONDS", parseDuration, "a time above 0 and up to a day, such as 10, 2.5, 500ms or 5m")

const count = (name: string, max: number) =>
  parsed(name, "N", (text) => parseCount(text, max), `a whole number from 1 to ${max}`)

const origin = (name: string) => (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? Effect.succeed(new URL(text).origin)
    : Effect.fail(invalid(`${name} must be an http or https URL, such as https://risk.example`))

/** Origin of the service. */
export const url = Options.text("url").pipe(
  Options.withDescription(`Address of the service. Default: TOKEN_RISK_URL, else ${DEFAULT_URL}`),
  Options.withPseudoName("URL"),
  Options.withFallbackConfig(Config.nonEmptyString("TOKEN_RISK_URL")),
  Options.withDefault(DEFAULT_URL),
  Options.mapEffect(origin("the address of the service (--url or TOKEN_RISK_URL)"))
)

export const urlArgument = Args.text({ name: "url" }).pipe(
  Args.withDescription(`Address of the deployment to check. Default: TOKEN_RISK_URL, else ${DEFAULT_URL}`),
  Args.withFallbackConfig(Config.nonEmptyString("TOKEN_RISK_URL")),
  Args.withDefault(DEFAULT_URL),
  Args.mapEffect((text) => Effect.mapError(origin("URL")(text), ({ error }) => error))
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

const chain = Args.choice([["base", "base"] as const, ["solana", "solana"] as const], { name: "chain" }).pipe(
  Args.withDescription("base or solana")
)
const address = Args.text({ name: "address" }).pipe(
  Args.withDescription("Token contract (base) or mint (solana)")
)

export const token = { chain, address }

/** Without an address, the tokens come from `--file`. */
export const tokenOrFile = {
  chain,
  address: Args.optional(address),
  file: Options.text("file").pipe(
    Options.withDescription("File with one address a line, - for stdin: screens them all"),
    Options.withPseudoName("FILE"),
    Options.optional
  ),
  concurrency: count("concurrency", 32).pipe(
    Options.withDescription("Tokens of a file that are screened at once. Default: 4"),
    Options.withDefault(4)
  )
}

/** Value of an order, in smallest units of USD. */
export const order = money("order").pipe(
  Options.withDescription(
    "Value of the order. Above 100 the deep report is bought even when the ping does not pass. Default: 0"
  ),
  Options.withDefault(0n)
)

/** Whoever reads the list of processes can present a payment that stands on the command line, and gets its answer. */
export const resumed = {
  payment: Options.text("payment").pipe(
    Options.withDescription(
      "Sends this signed payment again instead of signing one; a failure's JSON names it. Others on the machine can see it here: --payment-file keeps it to yourself"
    ),
    Options.withPseudoName("BASE64"),
    Options.optional
  ),
  paymentFile: Options.text("payment-file").pipe(
    Options.withDescription("The same from a file, - for stdin: the payment, or the failure's JSON"),
    Options.withPseudoName("FILE"),
    Options.optional
  )
}

/** A secret comes from a file or a variable, never from the command line, which others on the machine can read. */
const secretFile = (name: string, holds: string) =>
  Options.text(name).pipe(
    Options.withDescription(`File with ${holds}`),
    Options.withPseudoName("FILE"),
    Options.optional
  )

/** What goes back, to whom, and with whose permission. */
export const refunding = {
  payer: Options.text("payer").pipe(
    Options.withDescription("Whom to refund, where several accounts paid"),
    Options.withPseudoName("ADDRESS"),
    Options.optional
  ),
  amount: money("amount").pipe(
    Options.withDescription("How much. Default: all that was received and not refunded"),
    Options.optional
  ),
  tokenFile: secretFile("token-file", "the merchant token. Default: TOKEN_RISK_MERCHANT_TOKEN"),
  service: Options.text("service").pipe(
    Options.withDescription("Path segment of the checkout. Default: CHECKOUT_SERVICE, else checkout"),
    Options.withFallbackConfig(Config.nonEmptyString("CHECKOUT_SERVICE")),
    Options.withDefault("checkout")
  )
}

export const every = duration("every").pipe(
  Options.withDescription("Time between two looks. Default: 5m"),
  Options.withDefault(300_000)
)
export const looks = count("count", 1_000_000).pipe(
  Options.withDescription("End after so many looks. Default: when interrupted or the budget is spent"),
  Options.optional
)

/** How, and how much, a command may pay, and how long it may take. */
export const spending = {
  timeout: duration("timeout").pipe(
    Options.withDescription(
      "Longest time of one call, payment included, the time you are asked excluded. Default: 15"
    ),
    Options.withDefault(15_000)
  ),
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
  baseKeyFile: secretFile("base-key-file", "the 0x hex key that pays on Base. Default: TOKEN_RISK_BASE_KEY"),
  solanaKeyFile: secretFile(
    "solana-key-file",
    "the key that pays on Solana, base58 or JSON array. Default: TOKEN_RISK_SOLANA_KEY; reads SOLANA_RPC_URL"
  ),
  yes: Options.boolean("yes", { aliases: ["y"] }).pipe(
    Options.withDescription("Pay without being asked, within the limits")
  )
}

export interface Spending {
  /** Milliseconds. */
  readonly timeout: number
  readonly maxPrice: bigint
  readonly budget: bigint
  readonly payOn: Option.Option<"base" | "solana">
  readonly baseKeyFile: Option.Option<string>
  readonly solanaKeyFile: Option.Option<string>
  readonly yes: boolean
}
