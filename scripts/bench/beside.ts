/**
 * Two builds of our service in one run, turn by turn: which takes less of the processor. Each pair of turns gives one
 * ratio, and the median of them holds on a machine that others use too, where sums do not.
 *
 *     npx tsx scripts/bench/beside.ts DIR [--case=ping-base] [--rounds=20]     the other build: DIR/dist
 */
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { startSandbox } from "../sandbox/sandbox.ts"
import { openPurses } from "./buying.ts"
import { CASES } from "./cases.ts"
import { startBeside, startOurs } from "./contenders.ts"
import { quantile } from "./load.ts"
import { turn } from "./measure.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { case: { type: "string", default: "ping-base" }, rounds: { type: "string", default: "20" } }
})
const [directory = "."] = positionals
const one = CASES.find(({ id }) => id === values.case)
if (one === undefined) throw new Error(`--case is one of ${CASES.map(({ id }) => id).join(", ")}`)
const rounds = Number(values.rounds)
const count = one.requests[1]
const warmUp = Math.max(1, Math.ceil(one.warmUp[1] / count))

const program = Effect.gen(function* () {
  const sandbox = yield* startSandbox()
  const ours = yield* startOurs(sandbox)
  const other = yield* startBeside(sandbox, directory)
  const shop = { sandbox, purses: yield* openPurses(sandbox) }
  const both = [["ours", ours] as const, ["other", other] as const]
  const pairs: Array<{ readonly ours: number; readonly other: number }> = []
  const millis = { ours: Array<number>(), other: Array<number>() }
  for (let round = -warmUp; round < rounds; round++) {
    const taken = { ours: 0, other: 0 }
    // Who goes second in a turn finds the chain warm: they take turns at that too.
    for (const [name, contender] of round % 2 === 0 ? both : both.toReversed()) {
      const taking = yield* Effect.promise(() => turn(one, shop, contender, count))
      taken[name] = taking.micros / 1_000 / count
      if (round >= 0) millis[name].push(...taking.millis)
    }
    if (round >= 0) pairs.push(taken)
  }
  const median = (values: ReadonlyArray<number>) => quantile(values, 0.5).toFixed(3)
  console.log(
    `${one.title}: CPU ms a request, medians of ${rounds} turns of ${count}: this build ${median(pairs.map((pair) => pair.ours))},` +
      ` the other ${median(pairs.map((pair) => pair.other))}; this over the other ${median(pairs.map((pair) => pair.ours / pair.other))}` +
      ` (quarters ${[0.25, 0.75]
        .map((share) =>
          quantile(
            pairs.map((pair) => pair.ours / pair.other),
            share
          ).toFixed(3)
        )
        .join(" to ")})`
  )
  for (const name of ["ours", "other"] as const)
    console.log(
      `${name}: p50 ${quantile(millis[name], 0.5).toFixed(1)} ms, p99 ${quantile(millis[name], 0.99).toFixed(1)} ms at ${one.connections} connections`
    )
})

await Effect.runPromise(Effect.scoped(program))
