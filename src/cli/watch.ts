import { Clock, Console, Effect, Either, Option } from "effect"
import type { Delivered } from "../client/token-risk-client.ts"
import type { PingResult } from "../client/types.ts"
import { counted } from "../domain/counted.ts"
import { formatUsd } from "../domain/usd.ts"
import type { BuyOptions } from "./buy.ts"
import { Display } from "./display.ts"
import { EXIT, failureOf, Stop } from "./exit.ts"
import type { Paint } from "./paint.ts"
import { paintFor } from "./paint.ts"
import type { Progress } from "./purchase.ts"
import { calling, openClient, pingCode, received, tokenOf } from "./purchase.ts"
import { jsonLine } from "./text.ts"

interface WatchOptions extends BuyOptions {
  /** Milliseconds between two looks. */
  readonly every: number
  readonly count: Option.Option<number>
}

/** How looks are printed. */
interface Print {
  readonly json: boolean
  readonly paint: Paint
}

const WATCHED = ["safe", "mintAuthorityOff", "lpLocked", "pairs"] as const

const word = (value: unknown): string => (value === null ? "unknown" : String(value))

/** What differs from the look before, in words. */
const changes = (before: PingResult | undefined, now: PingResult): ReadonlyArray<string> =>
  before === undefined
    ? []
    : WATCHED.filter((name) => before[name] !== now[name]).map(
        (name) => `${name}: ${word(before[name])} → ${word(now[name])}`
      )

const line = (
  result: PingResult,
  changed: ReadonlyArray<string>,
  at: number,
  spent: bigint,
  paint: Paint
) => {
  const verdict = { true: paint.green("SAFE"), false: paint.red("NOT SAFE"), null: paint.yellow("UNKNOWN") }
  return [
    new Date(at).toISOString().slice(11, 19),
    verdict[`${result.safe}`],
    counted(result.pairs, "pool"),
    result.priceUsd === null ? "price unknown" : `${result.priceUsd} USD`,
    ...(changed.length === 0 ? [] : [paint.bold(changed.join(", "))]),
    paint.dim(`spent ${formatUsd(spent)} USD`)
  ].join("  ")
}

/** Looks in a row that may bring no answer; then something is wrong that waiting does not mend. */
const PATIENCE = 5

/** Service or network failed, so that the next look may succeed. A defect of this program is not such a failure. */
const isPassing = ({ code, errorCode }: Stop): boolean => code === EXIT.unavailable && errorCode !== "failed"

/** A look that brought nothing. A payment it left open is the client's to send again, with the next look. */
const lostLine = (stop: Stop, at: number, spent: bigint, paint: Paint) =>
  [
    new Date(at).toISOString().slice(11, 19),
    paint.yellow("NO ANSWER"),
    failureOf(stop).code,
    ...(stop.payment === undefined ? [] : ["the next look sends the same payment again"]),
    paint.dim(`spent ${formatUsd(spent)} USD`)
  ].join("  ")

type Look = Either.Either<Delivered<PingResult>, Stop>

/** What is printed of a look. */
const printed = (look: Look, before: PingResult | undefined, at: number, spent: bigint, print: Print) => {
  const spentUsd = formatUsd(spent)
  if (Either.isLeft(look))
    return print.json
      ? jsonLine({ at, ...failureOf(look.left), spentUsd })
      : lostLine(look.left, at, spent, print.paint)
  const { result } = look.right
  const changed = changes(before, result)
  return print.json
    ? jsonLine({ at, changed, ...received(look.right), spentUsd })
    : line(result, changed, at, spent, print.paint)
}

/**
 * `watch`: a ping every so often, one line each (with `--json` one object a line), changes named. Once a first answer has
 * come, a few that do not come end nothing. Ends with the code of its last look after `--count`, with 3 when the budget is
 * spent, with 130 when interrupted.
 */
export const watch = Effect.fnUntraced(function* (options: WatchOptions) {
  const print = { json: options.json, paint: paintFor((yield* Display).color) }
  const token = yield* tokenOf(options.chain, options.address)
  const status: Progress = { text: undefined, prices: [] }
  const client = yield* openClient(options, status)
  let before: PingResult | undefined
  let lost = 0
  for (let number = 1; ; number++) {
    const look = yield* Effect.either(
      calling(client, (limits) => client.ping(token.chain, token.address, limits))
    )
    const isLast = Option.contains(options.count, number)
    lost = Either.isLeft(look) ? lost + 1 : 0
    if (Either.isLeft(look) && (isLast || before === undefined || lost === PATIENCE || !isPassing(look.left)))
      return yield* look.left
    const spent = yield* Effect.promise(client.spent)
    yield* Console.log(printed(look, before, yield* Clock.currentTimeMillis, spent, print))
    if (Either.isRight(look)) {
      before = look.right.result
      const code = pingCode(before.safe)
      if (isLast) return yield* code === EXIT.good ? Effect.void : new Stop({ code })
    }
    yield* Effect.sleep(options.every)
  }
})
