import { Effect, Either } from "effect"
import type { Decision, TokenRiskClient } from "../client/token-risk-client.ts"
import { counted } from "../domain/counted.ts"
import { tokenKey } from "../domain/token.ts"
import type { TokenRef } from "../domain/token.ts"
import { formatUsd, USDC_UNIT } from "../domain/usd.ts"
import { Display } from "./display.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, failureOf, Stop } from "./exit.ts"
import type { Paint } from "./paint.ts"
import type { Outcome, Progress, ShopOptions } from "./purchase.ts"
import { calling, conclude, decisionCode, openClient, received, tokenOf } from "./purchase.ts"
import { readInput } from "./read-input.ts"
import { bar, plain } from "./text.ts"

interface BatchOptions extends ShopOptions {
  readonly chain: "base" | "solana"
  readonly file: string
  readonly concurrency: number
  /** Smallest units of USD. */
  readonly order: bigint
}

/** More would be a mistake more often than a wish; it also bounds what is held in memory. */
const MAX_TOKENS = 10_000

const OPEN =
  "What became of these payments is not known. Each, sent again, pays once and brings its answer; it was for a ping or a deep report:"
const LOOK = "look at your wallet before paying again"

interface Screened {
  readonly token: TokenRef
  readonly result: Either.Either<Decision, Stop>
}

/** The tokens of a text: one address a line, blank lines and `#` comments left out, each token once. */
const tokensOf = Effect.fnUntraced(function* (chain: "base" | "solana", text: string) {
  const tokens = new Map<string, TokenRef>()
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const address = line.replace(/#.*$/, "").trim()
    if (address === "") continue
    const token = yield* tokenOf(chain, address).pipe(
      Effect.mapError(({ code, message }) => new Stop({ code, message: `line ${at + 1}: ${message ?? ""}` }))
    )
    tokens.set(tokenKey(token), token)
    if (tokens.size > MAX_TOKENS)
      return yield* new Stop({ code: EXIT.usage, message: `more than ${MAX_TOKENS} tokens in one file` })
  }
  if (tokens.size === 0)
    return yield* new Stop({ code: EXIT.usage, message: "the file names no token: one address a line" })
  return [...tokens.values()]
})

/** A failure outweighs every verdict, an avoid a caution, and a caution an allow. */
const codeOf = (screened: ReadonlyArray<Screened>): ExitCode => {
  const failed = screened.flatMap(({ result }) => (Either.isLeft(result) ? [result.left.code] : []))[0]
  if (failed !== undefined) return failed
  const codes = new Set(
    screened.flatMap(({ result }) => (Either.isRight(result) ? [decisionCode(result.right.why)] : []))
  )
  if (codes.has(EXIT.avoid)) return EXIT.avoid
  return codes.has(EXIT.caution) ? EXIT.caution : EXIT.good
}

const machineOf = ({ result, token }: Screened) => ({
  chain: token.chain,
  address: token.address,
  ...Either.match(result, {
    onLeft: failureOf,
    onRight: ({ deep, ping, tradable, why }) => ({
      tradable,
      why,
      ping: received(ping),
      deep: deep === null ? null : received(deep)
    })
  })
})

const humanOf =
  (paint: Paint) =>
  ({ result, token }: Screened): string => {
    const word = Either.match(result, {
      onLeft: (stop) => paint.yellow(`FAILED  ${failureOf(stop).code}`),
      onRight: ({ tradable, why }) =>
        tradable ? paint.green("TRADE") : paint.red(`NO      ${plain(why, 20)}`)
    })
    return `${token.address.padEnd(44)} ${word}`
  }

/** The payments that may have been executed and brought no answer. */
const openPayments = (screened: ReadonlyArray<Screened>): ReadonlyArray<string> => {
  const open = screened.flatMap(({ result, token }) =>
    Either.isLeft(result) && result.left.charged === null
      ? [
          `  ${token.address}  ${result.left.payment === undefined ? LOOK : `--payment ${result.left.payment}`}`
        ]
      : []
  )
  return open.length === 0 ? [] : ["", OPEN, ...open]
}

const outcomeOf = (screened: ReadonlyArray<Screened>, spent: bigint): Outcome => {
  const tradable = screened.filter(({ result }) => Either.isRight(result) && result.right.tradable).length
  const failed = screened.filter(({ result }) => Either.isLeft(result)).length
  return {
    code: codeOf(screened),
    machine: {
      tokens: screened.length,
      tradable,
      failed,
      spentUsd: formatUsd(spent),
      results: screened.map(machineOf)
    },
    human: ({ paint }) => [
      ...screened.map(humanOf(paint)),
      ...openPayments(screened),
      "",
      `${counted(screened.length, "token")}, ${tradable} tradable, ${failed} failed. Spent ${formatUsd(spent)} USD in all.`
    ]
  }
}

/** Asks once for all of them, naming the most it can cost; afterwards only the limits decide. */
const confirmAll = Effect.fnUntraced(function* (options: BatchOptions, tokens: number) {
  const { confirm, interactive } = yield* Display
  if (options.yes || !interactive) return options.yes
  const agreed = yield* confirm(
    `Screen ${counted(tokens, "token")} and pay up to ${formatUsd(options.budget)} USD in all, at most ${formatUsd(options.maxPrice)} USD a call?`
  )
  if (agreed) return true
  return yield* new Stop({ code: EXIT.notPaid, message: "Nothing was paid: you did not confirm it." })
})

const screenOne = (client: TokenRiskClient, token: TokenRef, order: number) =>
  Effect.map(
    Effect.either(calling(client, (limits) => client.screen(token.chain, token.address, order, limits))),
    (result): Screened => ({ token, result })
  )

/** `screen CHAIN --file FILE`: every token of the file, several at once, within one budget. */
export const screenFile = Effect.fnUntraced(function* (options: BatchOptions) {
  const display = yield* Display
  const tokens = yield* tokensOf(options.chain, yield* readInput(options.file, "the tokens"))
  const yes = yield* confirmAll(options, tokens.length)
  const status: Progress = { text: undefined, prices: [] }
  const client = yield* openClient({ ...options, yes }, status)
  let done = 0
  const progress = () => `${bar(done / tokens.length, 20)} ${done} of ${tokens.length} screened`
  const order = Number(options.order) / Number(USDC_UNIT)
  const screened = yield* display.during(
    progress,
    Effect.forEach(
      tokens,
      (token) => Effect.tap(screenOne(client, token, order), () => Effect.sync(() => (done += 1))),
      { concurrency: options.concurrency }
    )
  )
  const spent = yield* Effect.promise(client.spent)
  yield* conclude(outcomeOf(screened, spent), options, [])
})
