/** The same work with more connections, and with more workers. */
import { Effect } from "effect"
import { availableParallelism } from "node:os"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { type Contender, startOurs } from "./contenders.ts"
import { toolLists } from "./cases.ts"
import { type Asked, load, openConnections, quantile } from "./load.ts"

const CONNECTIONS = [1, 10, 100, 1_000]
const REQUESTS = 6_000
/** Requests for each worker before anything is counted: the compiler has to be done. */
const WARM_UP = 30_000
/** Connections of the warm-up, and where workers are compared: those of the other cases under full load. */
const COMPARED = 50
/** Lists of tools by which workers are compared, and those for each before. */
const TOOL_LISTS = 4_000
/** Rounds in which they are. */
const ROUNDS = 7
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

/** One worker's turn, and the two's right after it. */
type Round = readonly [one: GrowthFigures, two: GrowthFigures]

/**
 * What the second worker brought, by lists of tools: they take a dozen times of what the caller takes for them. By cheaper
 * ones a machine with two processors measures the caller, who needs one of them. Lists of all workers share the processors
 * with the caller, and one worker uses more than one of them: V8 compiles and collects in threads of its own. So two
 * workers bring what one left idle, and what each of them saves by having half of the requests under way: a collection
 * copies all that are. The line says both. All are medians over rounds, each of which compares two turns that follow each
 * other: of one turn each, another machine's work on the same processors made 1.7 of 0.9 or the other way round.
 */
const comparison = (rounds: ReadonlyArray<Round>): string => {
  const median = (of: (round: Round) => number) => quantile(rounds.map(of), 0.5).toFixed(2)
  const rate = median(([one, two]) => two.perSecond / one.perSecond)
  const cpu = median(([one, two]) => two.cpuMillis / one.cpuMillis)
  const idle = median(([one]) => Math.min(2, availableParallelism() / (one.cores + one.callerCores)))
  const used = (at: 0 | 1) =>
    `${median((round) => round[at].cores)} + ${median((round) => round[at].callerCores)}`
  return (
    `two workers, lists of tools: ${rate} x the requests a second of one, ${cpu} x its CPU per request; ` +
    `processors of the service and of the caller: ${used(0)} with one worker, ${used(1)} with two; ` +
    `by what one leaves idle of ${availableParallelism()} alone: ${idle} x`
  )
}

/** 1 to 1,000 connections with one worker and with two, which take turns. */
export const growth = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const one = yield* startOurs(sandbox, { WORKERS: "1" })
    const two = yield* startOurs(sandbox, { WORKERS: "2" })
    const both = [
      { service: one, workers: 1 },
      { service: two, workers: 2 }
    ]
    const mixedAt = (connections: number) =>
      Effect.forEach(both, ({ service, workers }) =>
        Effect.promise(() => at(service, mixed(service, sandbox, REQUESTS), { workers, connections }))
      )
    const toolsAt = (service: Contender, workers: number) =>
      Effect.promise(() => at(service, toolLists(service, TOOL_LISTS), { workers, connections: COMPARED }))
    for (const { service, workers } of both)
      yield* Effect.promise(() => warmUp(mixed(service, sandbox, WARM_UP * workers)))
    const measured = (yield* Effect.forEach(CONNECTIONS, mixedAt)).flat()
    const figures = both.flatMap(({ workers }) => measured.filter((figure) => figure.workers === workers))
    for (const { service, workers } of both)
      yield* Effect.promise(() => warmUp(toolLists(service, TOOL_WARM_UP * workers)))
    const rounds = yield* Effect.replicateEffect(Effect.all([toolsAt(one, 1), toolsAt(two, 2)]), ROUNDS)
    const lines = figures.map(
      (figure) =>
        `${figure.workers} worker(s), ${figure.connections} connections: ${figure.perSecond.toFixed(0)} per second, ` +
        `p99 ${figure.p99Millis.toFixed(0)} ms, CPU ${figure.cpuMillis.toFixed(3)} ms, ${figure.megabytes.toFixed(0)} MB`
    )
    return { figures, lines: [...lines, comparison(rounds)] }
  }).pipe(Effect.scoped)
