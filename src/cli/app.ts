import { Args, CliConfig, Command, Options, Span, ValidationError } from "@effect/cli"
import { Cause, Console, Effect, Option } from "effect"
import { API_VERSION } from "../api/version.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, Stop } from "./exit.ts"
import { HELP } from "./help.ts"
import { clientId, json, jwks, spending, token, url, urlArgument } from "./options.ts"

/** Commands load what they need when they run: `--help` must not wait for wallets and validators. */
const lazily = <M, A, E, R>(load: () => Promise<M>, use: (module: M) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.promise(load), use)

const loadBuy = () => import("./buy.ts")

const ping = Command.make("ping", { ...token, url, json, ...spending }, (options) =>
  lazily(loadBuy, (module) => module.ping(options))
).pipe(Command.withDescription("Buy the safety ping: is this token safe to buy?"))

const deep = Command.make("deep", { ...token, url, json, clientId, jwks, ...spending }, (options) =>
  lazily(loadBuy, (module) => module.deep(options))
).pipe(Command.withDescription("Buy the deep report: verdict, score, reasons, every signal; verified"))

const order = Options.float("order").pipe(
  Options.withPseudoName("USD"),
  Options.withDescription(
    "Value of the order. Above 100 the deep report is bought even when the ping does not pass"
  )
)

const screen = Command.make(
  "screen",
  { ...token, order, url, json, clientId, jwks, ...spending },
  (options) => lazily(loadBuy, (module) => module.screen(options))
).pipe(Command.withDescription("Decide on an order: ping first, the deep report where it is worth it"))

const report = Args.text({ name: "report" }).pipe(
  Args.withDescription("File with a deep report, or with what deep --json or screen --json printed")
)

const verify = Command.make("verify", { file: report, jwks, url, json }, (options) =>
  lazily(
    () => import("./verify.ts"),
    (module) => module.verify(options)
  )
).pipe(Command.withDescription("Verify a report's attestation; offline with --jwks FILE"))

const serve = Command.make("serve", {}, () =>
  lazily(
    () => import("./serve.ts"),
    (module) => module.serve
  )
).pipe(Command.withDescription("Run the service; it is configured by environment variables, see the README"))

const freeCall = Options.boolean("free-call").pipe(
  Options.withDescription("Also make one free deep call and verify it")
)

const doctor = Command.make("doctor", { url: urlArgument, json, freeCall }, (options) =>
  lazily(
    () => import("./doctor/doctor.ts"),
    (module) => module.doctor(options)
  )
).pipe(Command.withDescription("Check a running deployment: challenge, documents, MCP, keys, clock"))

const root = Command.make("token-risk").pipe(
  Command.withDescription("Token risk screening for Solana and Base, paid per call with x402."),
  Command.withSubcommands([screen, ping, deep, verify, doctor, serve])
)

const cli = Command.run(root, {
  name: "token-risk",
  version: API_VERSION,
  summary: Span.text("Token risk screening for Solana and Base, paid per call with x402.")
})

/** Built-in options are the same for every command and would bury its own. */
const CliSettings = CliConfig.layer({ showBuiltIns: false })

const codeOf = (cause: Cause.Cause<ValidationError.ValidationError | Stop>): Effect.Effect<ExitCode> => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure instanceof Stop)
    return Effect.as(
      failure.message === undefined ? Effect.void : Console.error(failure.message),
      failure.code
    )
  // The framework has printed what is wrong with the command line.
  if (ValidationError.isValidationError(failure)) return Effect.succeed(EXIT.usage)
  if (Cause.isInterruptedOnly(cause)) return Effect.succeed(EXIT.interrupted)
  return Effect.as(Console.error("token-risk failed unexpectedly."), EXIT.unavailable)
}

const asksForHelp = ([first, ...rest]: ReadonlyArray<string>): boolean =>
  first === undefined || (rest.length === 0 && (first === "--help" || first === "-h" || first === "help"))

/** Runs one command line (`argv` as in `process.argv`) and gives its exit code. Never fails. */
export const runCommandLine = (argv: ReadonlyArray<string>) =>
  (asksForHelp(argv.slice(2)) ? Console.log(HELP) : cli(argv)).pipe(
    Effect.as<ExitCode>(EXIT.good),
    Effect.catchAllCause(codeOf),
    Effect.provide(CliSettings)
  )
