import { Args, CliConfig, Command, Options, Span, ValidationError } from "@effect/cli"
import { Cause, Console, Effect, Layer, Option } from "effect"
import { API_VERSION } from "../api/version.ts"
import { stripped } from "./console.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, failureOf, Stop } from "./exit.ts"
import { commandHelp, HELP } from "./help.ts"
import {
  clientId,
  every,
  json,
  jwks,
  looks,
  order,
  refunding,
  resumed,
  spending,
  token,
  tokenOrFile,
  url,
  urlArgument
} from "./options.ts"
import { Session, SessionLive } from "./session.ts"
import { printableJson } from "./text.ts"

/** Commands load what they need when they run: `--help` must not wait for wallets and validators. */
const lazily = <A, E, R>(load: () => Promise<Effect.Effect<A, E, R>>) => Effect.flatten(Effect.promise(load))

const loadBuy = () => import("./buy.ts")

const ping = Command.make("ping", { ...token, url, json, ...resumed, ...spending }, (options) =>
  lazily(async () => (await loadBuy()).ping(options))
).pipe(Command.withDescription("Buy the safety ping: is this token safe to buy?"))

const deep = Command.make(
  "deep",
  { ...token, url, json, ...resumed, clientId, jwks, ...spending },
  (options) => lazily(async () => (await loadBuy()).deep(options))
).pipe(Command.withDescription("Buy the deep report: verdict, score, reasons, every signal; verified"))

const screen = Command.make(
  "screen",
  { ...tokenOrFile, order, url, json, clientId, jwks, ...spending },
  (options) => lazily(async () => (await loadBuy()).screen(options))
).pipe(Command.withDescription("Decide on an order: ping first, the deep report where it is worth it"))

const watch = Command.make("watch", { ...token, every, count: looks, url, json, ...spending }, (options) =>
  lazily(async () => (await import("./watch.ts")).watch(options))
).pipe(Command.withDescription("Ping a token every so often and name what changed"))

const report = Args.text({ name: "report" }).pipe(
  Args.withDescription(
    "File with a deep report, or with what deep --json or screen --json printed; - for stdin"
  )
)

const verify = Command.make("verify", { file: report, jwks, url, json }, (options) =>
  lazily(async () => (await import("./verify.ts")).verify(options))
).pipe(Command.withDescription("Verify a report's attestation; offline with --jwks FILE"))

const checkConfig = Options.boolean("check-config").pipe(
  Options.withDescription("Only check the configuration and say everything that is wrong with it")
)

const serve = Command.make("serve", { checkConfig }, (options) =>
  lazily(async () => (await import("./serve.ts")).serve(options))
).pipe(
  Command.withDescription(
    "Run the service; it is configured by environment variables, see deploy/CONFIGURATION.md"
  )
)

const file = Args.text({ name: "file" })
const loadBackup = () => import("./backup.ts")

const backup = Command.make("backup", { file }, (options) =>
  lazily(async () => (await loadBackup()).backupTo(options))
).pipe(Command.withDescription("Write the database of DATABASE_URL to a new file, while the service runs"))

const restore = Command.make("restore", { file }, (options) =>
  lazily(async () => (await loadBackup()).restoreFrom(options))
).pipe(Command.withDescription("Fill the empty database of DATABASE_URL from a backup"))

const freeCall = Options.boolean("free-call").pipe(
  Options.withDescription("Also make one free deep call and verify it")
)

const doctor = Command.make("doctor", { url: urlArgument, json, freeCall }, (options) =>
  lazily(async () => (await import("./doctor/doctor.ts")).doctor(options))
).pipe(Command.withDescription("Check a running deployment: challenge, documents, MCP, keys, clock"))

const paymentId = Args.text({ name: "id" }).pipe(
  Args.withDescription("A payment's key or a transaction: shows every event and its proof"),
  Args.optional
)

const payments = Command.make("payments", { id: paymentId, json }, (options) =>
  lazily(async () => (await import("./payments.ts")).payments(options))
).pipe(Command.withDescription("For the operator: unresolved and refused payments, or one by id"))

const day = Options.text("day").pipe(
  Options.withDescription("The day to compare, UTC: YYYY-MM-DD"),
  Options.withPseudoName("DAY")
)

const reconcile = Command.make("reconcile", { day, json }, (options) =>
  lazily(async () => (await import("./reconcile.ts")).reconcile(options))
).pipe(Command.withDescription("For the operator: a day's inflow on chain against the ledger"))

const checkoutId = Args.text({ name: "checkout" }).pipe(Args.withDescription("The checkout's id: chk_…"))

const refund = Command.make("refund", { id: checkoutId, ...refunding, url, json }, (options) =>
  lazily(async () => (await import("./refund.ts")).refund(options))
).pipe(Command.withDescription("Prepare the transaction that refunds a checkout, for the merchant to sign"))

const root = Command.make("token-risk").pipe(
  Command.withDescription("Token risk screening for Solana and Base, paid per call with x402."),
  Command.withSubcommands([
    screen,
    ping,
    deep,
    watch,
    verify,
    doctor,
    serve,
    backup,
    restore,
    payments,
    reconcile,
    refund
  ])
)

const cli = Command.run(root, {
  name: "token-risk",
  version: API_VERSION,
  summary: Span.text("Token risk screening for Solana and Base, paid per call with x402.")
})

/** Built-in options are the same for every command and would bury its own. */
const CliSettings = CliConfig.layer({ showBuiltIns: false })

const toSendAgain = (which: string, payments: ReadonlyArray<string>): string =>
  [
    `\n${which}, sent again, pays once and brings its answer. To the ping or deep report it was for, add`,
    ...payments.map((payment) => `  --payment ${payment}`)
  ].join("\n")

/**
 * For people: what is wrong, and where a payment's outcome is open that payment itself. It pays once however often it is
 * sent, and whoever does not have it can only sign a second one.
 */
const told = ({ charged, message = "", payment }: Stop): string =>
  charged === null && payment !== undefined ? message + toSendAgain("The same payment", [payment]) : message

/** Says how a command ended: on stderr for people, with `--json` on stdout for programs. */
const say = (stop: Stop, asJson: boolean): Effect.Effect<ExitCode> => {
  const said =
    // An error without a message has an empty one.
    (stop.message ?? "") === ""
      ? Effect.void
      : asJson
        ? Console.log(printableJson(failureOf(stop)))
        : Console.error(told(stop))
  return Effect.as(said, stop.code)
}

const stopOf = (
  cause: Cause.Cause<ValidationError.ValidationError | Stop>,
  usageError: string | undefined
): Stop => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure instanceof Stop) return failure
  // For people the framework has printed what is wrong with the command line.
  if (ValidationError.isValidationError(failure)) return new Stop({ code: EXIT.usage, message: usageError })
  return new Stop({
    code: EXIT.unavailable,
    errorCode: "failed",
    message: "token-risk failed unexpectedly.",
    // A defect proves nothing about money.
    charged: null
  })
}

/** Says that the command was interrupted, and whether money may be on its way; the payment, where it is one. */
const interrupted = (asJson: boolean) =>
  Effect.gen(function* () {
    const { committed, open } = yield* Session
    const isPaying = open.length > 0 || (yield* Effect.promise(committed)) > 0n
    const charged = isPaying ? null : false
    const payment = open.length === 1 ? open[0] : undefined
    // Where several calls were under way, for programs too: their member for a payment holds one.
    const several = open.length > 1 ? toSendAgain("Each of these payments", open) : ""
    const message =
      charged === null
        ? `Interrupted. Payments were signed and may have been executed: look at your wallet before paying again.${several}`
        : "Interrupted. Nothing was paid."
    yield* say(new Stop({ code: EXIT.interrupted, message, charged, payment }), asJson)
  })

const asksForHelp = ([first, ...rest]: ReadonlyArray<string>): string | undefined => {
  const isHelp = (text: string | undefined) => text === "--help" || text === "-h"
  if (first === undefined || (rest.length === 0 && (isHelp(first) || first === "help"))) return HELP
  if (first === "help" && rest.length === 1) return commandHelp(rest[0] ?? "")
  return rest.some(isHelp) ? commandHelp(first) : undefined
}

/** With `--json`, what the framework prints about a wrong command line is kept for the JSON as well. */
const keepingErrors = <A, E, R>(effect: Effect.Effect<A, E, R>, kept: Array<string> | undefined) =>
  kept === undefined
    ? effect
    : Effect.flatMap(Effect.console, (console) =>
        Effect.withConsole(effect, {
          ...console,
          error: (...parts) => {
            kept.push(stripped(parts).join(" ").trim())
            return console.error(...parts)
          }
        })
      )

/** Runs one command line (`argv` as in `process.argv`) and gives its exit code. Never fails. */
export const runCommandLine = (argv: ReadonlyArray<string>) => {
  const args = argv.slice(2)
  const asJson = args.includes("--json")
  const usageErrors: Array<string> = []
  const help = asksForHelp(args)
  const run =
    help === undefined ? keepingErrors(cli(argv), asJson ? usageErrors : undefined) : Console.log(help)
  return run.pipe(
    Effect.as<ExitCode>(EXIT.good),
    Effect.catchAllCause((cause) =>
      say(stopOf(cause, asJson ? usageErrors.join(" ") || "the command line is wrong" : undefined), asJson)
    ),
    Effect.onInterrupt(() => interrupted(asJson)),
    Effect.provide(Layer.merge(CliSettings, SessionLive))
  )
}
