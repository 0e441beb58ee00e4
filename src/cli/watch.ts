import { Clock, Console, Effect, Option } from "effect"
import type { PingResult } from "../client/types.ts"
import { formatUsd } from "../domain/usd.ts"
import type { BuyOptions } from "./buy.ts"
import { Display } from "./display.ts"
import { EXIT, Stop } from "./exit.ts"
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
    `${result.pairs} pools`,
    result.priceUsd === null ? "price unknown" : `${result.priceUsd} USD`,
    ...(changed.length === 0 ? [] : [paint.bold(changed.join(", "))]),
    paint.dim(`spent ${formatUsd(spent)} USD`)
  ].join("  ")
}

/**
 * `watch`: a ping every so often, one line each (with `--json` one object a line), changes named. Ends with the code of
 * its last look after `--count`, with 3 when the budget is spent, with 130 when interrupted.
 */
export const watch = Effect.fnUntraced(function* (options: WatchOptions) {
  const paint = paintFor((yield* Display).color)
  const token = yield* tokenOf(options.chain, options.address)
  const status: Progress = { text: undefined, prices: [] }
  const client = yield* openClient(options, status)
  let before: PingResult | undefined
  for (let look = 1; ; look++) {
    const delivered = yield* calling(client, (limits) => client.ping(token.chain, token.address, limits))
    const { result } = delivered
    const changed = changes(before, result)
    const spent = yield* Effect.promise(client.spent)
    const at = yield* Clock.currentTimeMillis
    yield* Console.log(
      options.json
        ? jsonLine({ at, changed, ...received(delivered), spentUsd: formatUsd(spent) })
        : line(result, changed, at, spent, paint)
    )
    before = result
    if (Option.contains(options.count, look)) {
      const code = pingCode(result.safe)
      if (code === EXIT.good) return
      return yield* new Stop({ code })
    }
    yield* Effect.sleep(options.every)
  }
})
