/** The same work with more connections, and with more workers. */
import { Effect } from "effect"
import { availableParallelism } from "node:os"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { type Contender, startOurs } from "./contenders.ts"
import { toolCalls } from "./cases.ts"
import { type Asked, load, openConnections, quantile } from "./load.ts"

const CONNECTIONS = [1, 10, 100, 1_000]
const REQUESTS = 6_000
/** Requests for each worker before anything is counted: the compiler has to be done. */
const WARM_UP = 30_000
/** Connections of the warm-up, and where workers are compared: enough callers for both, few enough to be no matter. */
const COMPARED = 100
/** Tool calls by which workers are compared, and those for each before. */
const TOOL_CALLS = 4_000
const TOOL_WARM_UP = 12_000

export interface GrowthFigures {
  readonly workers: number
  readonly connections: number
  readonly perSecond: number
  readonly p99Millis: number
  readonly cpuMillis: number
  readonly megabytes: number
  /** Processors that the service used, all its threads, and that the caller did. */
  readonly cores: number
  readonly callerCores: number
}

/** Every tenth is a free report out of the cache, the others ask for a price. */
export const mixed = (service: Contender, sandbox: Sandbox, count: number) => {
  const body = JSON.stringify({ chain: "base", address: sandbox.base.tokens.clean.address })
  return Array.from({ length: count }, (_, index) => ({
    method: "POST" as const,
    url: `${service.url}/api/token-risk/v1/deep`,
    headers: { "content-type": "application/json", ...(index % 10 === 0 ? { "x-client-id": "bench" } : {}) },
    body
  }))
}

const at = async (
  service: Contender,
  asked: ReadonlyArray<Asked>,
  { connections, workers }: Pick<GrowthFigures, "connections" | "workers">
) => {
  const agent = openConnections(connections)
  const before = await service.usage()
  const callerBefore = process.cpuUsage()
  const { millis, seconds } = await load(agent, asked, connections)
  const caller = process.cpuUsage(callerBefore)
  const after = await service.usage()
  agent.destroy()
  const figures: GrowthFigures = {
    workers,
    connections,
    perSecond: millis.length / seconds,
    p99Millis: quantile(millis, 0.99),
    cpuMillis: (after.cpuMicros - before.cpuMicros) / 1_000 / millis.length,
    megabytes: after.rssBytes / 1_048_576,
    cores: (after.cpuMicros - before.cpuMicros) / 1e6 / seconds,
    callerCores: (caller.user + caller.system) / 1e6 / seconds
  }
  return figures
}

const warmUp = async (asked: ReadonlyArray<Asked>) => {
  const agent = openConnections(COMPARED)
  await load(agent, asked, COMPARED)
  agent.destroy()
}

/**
 * What the second worker brought, by calls of tools: they take a dozen times of what the caller takes for them. By cheaper
 * ones a machine with two processors measures the caller, who needs one of them. Calls of all workers share the processors
 * with the caller, and one worker uses more than one of them: V8 compiles and collects in threads of its own. So two
 * workers can bring what one left idle, and no more: that is the bound, at the same processor's time per call.
 */
const comparison = ([one, two]: ReadonlyArray<GrowthFigures>): string => {
  if (one === undefined || two === undefined) return ""
  const rate = (two.perSecond / one.perSecond).toFixed(2)
  const cpu = (two.cpuMillis / one.cpuMillis).toFixed(2)
  const bound = Math.min(2, availableParallelism() / (one.cores + one.callerCores)).toFixed(2)
  const used = ({ callerCores, cores }: GrowthFigures) => `${cores.toFixed(2)} + ${callerCores.toFixed(2)}`
  return (
    `two workers, tool calls: ${rate} x the requests a second of one, ${cpu} x its CPU per request; ` +
    `processors of the service and of the caller: ${used(one)} with one worker, ${used(two)} with two; ` +
    `by what one leaves idle of ${availableParallelism()} it could be ${bound} x`
  )
}

/** 1 to 1,000 connections with one worker and with two. */
export const growth = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const figures: Array<GrowthFigures> = []
    const tools: Array<GrowthFigures> = []
    for (const workers of [1, 2]) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const service = yield* startOurs(sandbox, { WORKERS: String(workers) })
          yield* Effect.promise(() => warmUp(mixed(service, sandbox, WARM_UP * workers)))
          for (const connections of CONNECTIONS) {
            const asked = mixed(service, sandbox, REQUESTS)
            figures.push(yield* Effect.promise(() => at(service, asked, { workers, connections })))
          }
          yield* Effect.promise(() => warmUp(toolCalls(sandbox, service, TOOL_WARM_UP * workers)))
          const asked = toolCalls(sandbox, service, TOOL_CALLS)
          tools.push(yield* Effect.promise(() => at(service, asked, { workers, connections: COMPARED })))
        })
      )
    }
    const lines = figures.map(
      (one) =>
        `${one.workers} worker(s), ${one.connections} connections: ${one.perSecond.toFixed(0)} per second, ` +
        `p99 ${one.p99Millis.toFixed(0)} ms, CPU ${one.cpuMillis.toFixed(3)} ms, ${one.megabytes.toFixed(0)} MB`
    )
    return { figures, lines: [...lines, comparison(tools)] }
  })
