/** Screenings of tokens nobody has asked for before, every upstream 50 ms away. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { Duration, Effect, Schema } from "effect"
import { request } from "undici"
import { type JsonAnswer, serveJson } from "../sandbox/json-server.ts"
import { startRpcProxy } from "../sandbox/rpc-proxy.ts"
import { type Sandbox, startSandbox } from "../sandbox/sandbox.ts"
import { type Contender, startOurs } from "./contenders.ts"
import { ask, openConnections, quantile } from "./load.ts"

const UPSTREAM_MILLIS = 50
/** Runs before the ones that count: the compiler has to have seen the code. */
const WARM_UP = 40
const RUNS = 15
/** Nothing stays warm from one run to the next. */
const CACHE_LIFE = "5 millis"
/** Callers who ask for one token at once. */
const CROWD = 1_000

const CHAINS = ["base", "solana"] as const
type Chain = (typeof CHAINS)[number]

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

/**
 * A market that has its answers ready, as the real ones do: ours computes them by a dozen calls of the very node that the
 * screening asks at the same time, and those would be measured as the screening's.
 */
const startKept = (upstream: string) => {
  const kept = new Map<string, JsonAnswer>()
  return serveJson(async ({ url: { pathname } }) => {
    const known = kept.get(pathname)
    if (known !== undefined) return known
    const { body, statusCode: status } = await request(`${new URL(upstream).origin}${pathname}`)
    const answer = { status, body: null, text: await body.text() }
    kept.set(pathname, answer)
    return answer
  })
}

const startFarChains = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const [base, solana, dexScreener, rugCheck] = yield* Effect.all([
      startRpcProxy(sandbox.base.url),
      startRpcProxy(sandbox.solana.url),
      startKept(sandbox.market.dexScreenerUrl),
      startKept(sandbox.market.rugCheckUrl)
    ])
    const nodes = { base, solana }
    return {
      sandbox,
      environment: {
        BASE_RPC_URL: base.url,
        SOLANA_RPC_URL: solana.url,
        DEXSCREENER_URL: dexScreener.url,
        RUGCHECK_URL: `${rugCheck.url}/v1`
      },
      addressOf: (chain: Chain) => sandbox[chain].tokens.clean.address,
      withDelay: () => {
        for (const faults of [base.httpFaults, solana.httpFaults, dexScreener.faults, rugCheck.faults])
          faults.delayMs = UPSTREAM_MILLIS
      },
      /** Requests so far to the market's servers and to this chain's node, by what a screening reads. */
      askedFor: (chain: Chain) =>
        [...nodes[chain].requests].reduce(
          (sum, [method, count]) => sum + (READS.test(method) ? count : 0),
          dexScreener.requests() + rugCheck.requests()
        )
    }
  })
type FarChains = Effect.Effect.Success<ReturnType<typeof startFarChains>>

/** What a screening asks of a node; everything else is asked on a timer too. */
const READS =
  /^(?:eth_call|eth_getCode|eth_getStorageAt|eth_getLogs|get(?:Multiple|Program)Accounts|getTokenLargestAccounts|simulateTransaction)$/

const deepAt = (far: FarChains, url: string, chain: Chain, connections = 1) => {
  const agent = openConnections(connections)
  const deep = async (): Promise<number> => {
    const { millis, status } = await ask(agent, {
      method: "POST",
      url: `${url}/api/token-risk/v1/deep`,
      headers: { "content-type": "application/json", "x-client-id": "bench" },
      body: JSON.stringify({ chain, address: far.addressOf(chain) })
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

/** Free reports over HTTP. */
const coldDeep = (far: FarChains, { url, usage }: Contender) =>
  Effect.forEach(CHAINS, (chain) => {
    const { close, deep } = deepAt(far, url, chain)
    const once = Effect.promise(async (): Promise<Run> => {
      const before = await usage()
      const millis = await deep()
      const after = await usage()
      return { millis, cpuMillis: (after.cpuMicros - before.cpuMicros) / 1_000 }
    })
    return Effect.ensuring(repeated(once, chain, "deep"), Effect.sync(close))
  })

const Screened = Schema.Struct({ millis: Schema.Number, cpuMillis: Schema.Number })

/** The engine in a process of its own, told of the upstreams by its variables. */
const startEngine = ({ environment }: FarChains) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = fork(join(import.meta.dirname, "cold-engine.ts"), {
        execArgv: ["--import", "tsx"],
        env: { ...process.env, ...environment, CACHE_TTL: CACHE_LIFE }
      })
      await once(child, "message")
      return child
    }),
    (child) => Effect.sync(() => child.kill())
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
const coldPing = (far: FarChains) =>
  Effect.flatMap(startEngine(far), (engine) =>
    Effect.forEach(CHAINS, (chain) =>
      repeated(
        Effect.promise(() => pinged(engine, chain, far.addressOf(chain))),
        chain,
        "ping"
      )
    )
  )

/** Requests of one caller for a token that is not known, and of a thousand at once, each of a service just started. */
const crowds = (far: FarChains) =>
  Effect.forEach(CHAINS, (chain) =>
    Effect.gen(function* () {
      const asked = (callers: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* startOurs(far.sandbox, far.environment)
            const before = far.askedFor(chain)
            const { close, deep } = deepAt(far, url, chain, callers)
            yield* Effect.promise(() => Promise.all(Array.from({ length: callers }, deep)))
            close()
            return far.askedFor(chain) - before
          })
        )
      const figures: CrowdFigures = { chain, one: yield* asked(1), crowd: yield* asked(CROWD) }
      return figures
    })
  )

const coldLine = ({ chain, cpuMillis, operation, p50Millis, roundTrips }: ColdFigures): string =>
  `cold ${operation}, ${chain}, ${UPSTREAM_MILLIS} ms per upstream: ${p50Millis.toFixed(0)} ms ` +
  `(${roundTrips.toFixed(1)} round trips, ${cpuMillis.toFixed(0)} ms CPU)`

/** Time of cold pings and deep reports on both chains, and what a crowd for one cold token asks of the upstreams. */
export const coldScreenings = Effect.scoped(
  Effect.gen(function* () {
    const far = yield* Effect.flatMap(startSandbox(), startFarChains)
    const crowd = yield* crowds(far)
    const service = yield* startOurs(far.sandbox, { ...far.environment, CACHE_TTL: CACHE_LIFE })
    far.withDelay()
    const figures = [...(yield* coldDeep(far, service)), ...(yield* coldPing(far))]
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
