/** Screenings of tokens nobody has asked for before, every upstream 50 ms away. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Duration, Effect, Schema } from "effect"
import { bundleScript, root } from "../bundle.mjs"
import { ALLOCATOR } from "../sandbox/allocator.ts"
import { type Sandbox, startSandbox } from "../sandbox/sandbox.ts"
import { type Contender, startOurs } from "./contenders.ts"
import { ask, openConnections, quantile } from "./load.ts"
import { CHAINS, type Chain, type Environment, startCounted, startFar } from "./upstreams.ts"

const UPSTREAM_MILLIS = 50
/**
 * Runs before the ones that count: the compiler has to have seen the code, and of code that runs once a screening it
 * compiles more with every one. Between the 40th and the 150th go some four milliseconds.
 */
const WARM_UP = 150
const RUNS = 45
/** Nothing stays warm from one run to the next. */
const CACHE_LIFE = "5 millis"
/**
 * A service that has asked nothing for so long has started: what it tries of a node it asks one thing after another, which
 * takes seconds on a slow machine.
 */
const SILENT_MILLIS = 2_500
/** Callers who ask for one token at once. */
const CROWD = 1_000

export interface ColdFigures {
  readonly chain: Chain
  readonly operation: "ping" | "deep"
  readonly p50Millis: number
  /** Time in units of one upstream exchange. */
  readonly roundTrips: number
  /** What its process took of the processor. */
  readonly cpuMillis: number
}

/** Requests to all upstreams for one caller, and for a thousand at once. */
export interface CrowdFigures {
  readonly chain: Chain
  readonly one: number
  readonly crowd: number
}

const tokenOn = (sandbox: Sandbox, chain: Chain): string => sandbox[chain].tokens.clean.address

const deepAt = (sandbox: Sandbox, url: string, chain: Chain, connections = 1) => {
  const agent = openConnections(connections)
  const deep = async (): Promise<number> => {
    const { millis, status } = await ask(agent, {
      method: "POST",
      url: `${url}/api/token-risk/v1/deep`,
      headers: { "content-type": "application/json", "x-client-id": "bench" },
      body: JSON.stringify({ chain, address: tokenOn(sandbox, chain) })
    })
    // A thousand connections opened at once are not all read within five seconds where others use the processors.
    if (status === 408) return deep()
    if (status !== 200) throw new Error(`deep on ${chain}: ${status}`)
    return millis
  }
  return { deep, close: () => agent.destroy() }
}

/** One screening. */
interface Run {
  readonly millis: number
  readonly cpuMillis: number
}

const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** The medians over runs, each of which finds an empty cache. */
const repeated = (once: Effect.Effect<Run>, chain: Chain, operation: ColdFigures["operation"]) =>
  Effect.map(
    Effect.replicateEffect(Effect.delay(once, Duration.times(CACHE_LIFE, 2)), WARM_UP + RUNS),
    (runs): ColdFigures => {
      const counted = runs.slice(WARM_UP)
      const p50Millis = median(counted.map(({ millis }) => millis))
      const cpuMillis = median(counted.map((run) => run.cpuMillis))
      return { chain, operation, p50Millis, roundTrips: p50Millis / UPSTREAM_MILLIS, cpuMillis }
    }
  )

const coldDeepOf = (sandbox: Sandbox, { url, usage }: Contender) =>
  Effect.forEach(CHAINS, (chain) => {
    const { close, deep } = deepAt(sandbox, url, chain)
    const once = Effect.promise(async (): Promise<Run> => {
      const before = await usage()
      const millis = await deep()
      const after = await usage()
      return { millis, cpuMillis: (after.cpuMicros - before.cpuMicros) / 1_000 }
    })
    return Effect.ensuring(repeated(once, chain, "deep"), Effect.sync(close))
  })

/** Free reports over HTTP, of a service that is gone when they are counted: its looks at chains would be others' time. */
const coldDeep = (sandbox: Sandbox, environment: Environment) =>
  startOurs(sandbox, { ...environment, CACHE_TTL: CACHE_LIFE }).pipe(
    Effect.flatMap((service) => coldDeepOf(sandbox, service)),
    Effect.scoped
  )

const Screened = Schema.Struct({ millis: Schema.Number, cpuMillis: Schema.Number })

/** Where what the engine is built to finds the packages that no build holds. */
const BUILDS = join(root, "node_modules", ".cache", "token-risk")

/** The engine as the service's build would have it. */
const builtEngine = Effect.acquireRelease(
  Effect.promise(async () => {
    mkdirSync(BUILDS, { recursive: true })
    const directory = mkdtempSync(join(BUILDS, "engine-"))
    return { directory, file: await bundleScript("scripts/bench/cold-engine.ts", directory) }
  }),
  ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** The engine in a process of its own, told of the upstreams by its variables. */
const startEngine = (environment: Environment) =>
  Effect.flatMap(builtEngine, ({ file }) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const child = fork(file, {
          // As the service runs: not with the loader that this bench runs by.
          execArgv: [],
          env: { ...process.env, ...ALLOCATOR, ...environment, CACHE_TTL: CACHE_LIFE }
        })
        await once(child, "message")
        return child
      }),
      (child) => Effect.sync(() => child.kill())
    )
  )

const pinged = async (engine: ChildProcess, chain: Chain, address: string): Promise<Run> => {
  engine.send({ chain, address })
  const [told]: ReadonlyArray<unknown> = await once(engine, "message")
  return Schema.decodeUnknownSync(Screened)(told)
}

/**
 * The engine alone: over HTTP a ping is paid, and its payment takes longer than its screening. Beside the upstreams in
 * this process, as it once ran, it waited whenever they passed on what they were asked, and its time was theirs too.
 */
const coldPing = (sandbox: Sandbox, environment: Environment) =>
  Effect.flatMap(startEngine(environment), (engine) =>
    Effect.forEach(CHAINS, (chain) =>
      repeated(
        Effect.promise(() => pinged(engine, chain, tokenOn(sandbox, chain))),
        chain,
        "ping"
      )
    )
  )

/** What a start asks in the background is no screening's. */
const untilSilent = async (count: () => number): Promise<void> => {
  let before = Number.NaN
  while (count() !== before) {
    before = count()
    await new Promise((passed) => setTimeout(passed, SILENT_MILLIS))
  }
}

/** Requests of one caller for a token that is not known, and of a thousand at once, each of a service just started. */
const crowds = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const { askedFor, environment } = yield* startCounted(sandbox)
    const asked = (chain: Chain, callers: number) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* startOurs(sandbox, environment)
          yield* Effect.promise(() => untilSilent(() => askedFor(chain)))
          const before = askedFor(chain)
          const { close, deep } = deepAt(sandbox, url, chain, callers)
          yield* Effect.promise(() => Promise.all(Array.from({ length: callers }, deep)))
          close()
          return askedFor(chain) - before
        })
      )
    return yield* Effect.forEach(CHAINS, (chain) =>
      Effect.gen(function* () {
        const figures: CrowdFigures = {
          chain,
          one: yield* asked(chain, 1),
          crowd: yield* asked(chain, CROWD)
        }
        return figures
      })
    )
  })

const coldLine = ({ chain, cpuMillis, operation, p50Millis, roundTrips }: ColdFigures): string =>
  `cold ${operation}, ${chain}, ${UPSTREAM_MILLIS} ms per upstream: ${p50Millis.toFixed(0)} ms ` +
  `(${roundTrips.toFixed(1)} round trips, ${cpuMillis.toFixed(0)} ms CPU)`

/** Time of cold pings and deep reports on both chains, and what a crowd for one cold token asks of the upstreams. */
export const coldScreenings = Effect.scoped(
  Effect.gen(function* () {
    const sandbox = yield* startSandbox()
    const crowd = yield* crowds(sandbox)
    const environment = yield* startFar(sandbox, UPSTREAM_MILLIS)
    const figures = [...(yield* coldDeep(sandbox, environment)), ...(yield* coldPing(sandbox, environment))]
    const lines = [
      ...figures.map(coldLine),
      ...crowd.map(
        (one) =>
          `${one.chain}: ${one.one} requests to upstreams for one caller, ${one.crowd} for ${CROWD} at once`
      )
    ]
    return { figures, crowd, lines }
  })
)
