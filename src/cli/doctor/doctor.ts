import { Console, Effect } from "effect"
import { counted } from "../../domain/counted.ts"
import { Display } from "../display.ts"
import { EXIT, Stop } from "../exit.ts"
import type { Paint } from "../paint.ts"
import { paintFor } from "../paint.ts"
import { labelled, plain, printableJson } from "../text.ts"
import { checkChallenges } from "./challenge.ts"
import { checkDocuments } from "./documents.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, ok, warn } from "./check-result.ts"
import { checkFreeCall } from "./free-call.ts"
import { checkMcp } from "./mcp.ts"
import { checkNodes } from "./nodes.ts"
import type { Site } from "./site.ts"
import { openSite } from "./site.ts"
import { checkTransport } from "./transport.ts"

interface DoctorOptions {
  readonly url: string
  readonly json: boolean
  readonly freeCall: boolean
}

const REGISTRY = "x402scan's validator"

/** The registry's validator takes a second to load, so it is loaded when it is used. */
const checkRegistry = (site: Site): Effect.Effect<ReadonlyArray<CheckResult>> =>
  Effect.tryPromise(async () => (await import("./registry.ts")).auditRegistry(site.origin)).pipe(
    Effect.map(({ misread, warnings }) => {
      const found = [
        ...misread.map((what) => fail(REGISTRY, what)),
        ...warnings.map(({ code, message, severity }) =>
          severity === "error" ? fail(REGISTRY, `${code}: ${message}`) : warn(REGISTRY, `${code}: ${message}`)
        )
      ]
      return found.length === 0 ? [ok(REGISTRY, "0 errors, 0 warnings")] : found
    }),
    Effect.catchAll(() => Effect.succeed([fail(REGISTRY, "could not read the description")]))
  )

/** Every check of a deployment, in the order of the table. */
export const examine = (url: string, freeCall: boolean): Effect.Effect<ReadonlyArray<CheckResult>> => {
  const site = openSite(url)
  return Effect.all(
    [
      checkTransport(site),
      checkChallenges(site),
      checkRegistry(site),
      checkDocuments(site),
      checkMcp(site),
      checkNodes,
      freeCall ? Effect.map(checkFreeCall(site), (one) => [one]) : Effect.succeed([])
    ],
    { concurrency: 2 }
  ).pipe(Effect.map((groups) => groups.flat()))
}

const MARK = { ok: "✓", warn: "!", fail: "✗" } as const
const NAME_WIDTH = 26
const WIDTH = 80

const renderResult =
  (paint: Paint) =>
  ({ detail, name, state }: CheckResult): ReadonlyArray<string> => {
    const tone = { ok: paint.green, warn: paint.yellow, fail: paint.red }[state]
    const [first = "", ...rest] = labelled(`    ${name}`, plain(detail), NAME_WIDTH, WIDTH)
    return [`  ${tone(MARK[state])} ${first.slice(4)}`, ...rest]
  }

/** `doctor`: prints the table of results; ends with 1 when any check failed. */
export const doctor = Effect.fnUntraced(function* (options: DoctorOptions) {
  const display = yield* Display
  const paint = paintFor(display.color)
  const results = yield* display.during(
    () => `examining ${options.url}`,
    examine(options.url, options.freeCall)
  )
  const count = (state: CheckResult["state"]) => results.filter((one) => one.state === state).length
  const healthy = count("fail") === 0
  yield* Console.log(
    options.json
      ? printableJson({ url: options.url, healthy, findings: results })
      : [
          paint.bold(options.url),
          "",
          ...results.flatMap(renderResult(paint)),
          "",
          `  ${count("ok")} ok, ${counted(count("warn"), "warning")}, ${counted(count("fail"), "failure")}`
        ].join("\n")
  )
  if (!healthy) return yield* new Stop({ code: EXIT.unhealthy })
})
