/** The same work with more connections, and with more workers. */
import { Effect } from "effect"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { type Contender, startOurs } from "./contenders.ts"
import { load, openConnections, quantile } from "./load.ts"

const CONNECTIONS = [1, 10, 100, 1_000]
const REQUESTS = 6_000

export interface GrowthFigures {
  readonly workers: number
  readonly connections: number
  readonly perSecond: number
  readonly p99Millis: number
  readonly cpuMillis: number
  readonly megabytes: number
}

const at = async (service: Contender, sandbox: Sandbox, workers: number, connections: number) => {
  const agent = openConnections(connections)
  const body = JSON.stringify({ chain: "base", address: sandbox.base.tokens.clean.address })
  const asked = Array.from({ length: REQUESTS }, (_, index) => ({
    method: "POST" as const,
    url: `${service.url}/api/token-risk/v1/deep`,
    // Every tenth is a free report out of the cache, the others ask for a price.
    headers: { "content-type": "application/json", ...(index % 10 === 0 ? { "x-client-id": "bench" } : {}) },
    body
  }))
  const before = await service.usage()
  const { seconds, told } = await load(agent, asked, connections)
  const after = await service.usage()
  agent.destroy()
  const figures: GrowthFigures = {
    workers,
    connections,
    perSecond: told.length / seconds,
    p99Millis: quantile(
      told.map(({ millis }) => millis),
      0.99
    ),
    cpuMillis: (after.cpuMicros - before.cpuMicros) / 1_000 / told.length,
    megabytes: after.rssBytes / 1_048_576
  }
  return figures
}

/** 1 to 1,000 connections with one worker and with two. */
export const growth = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const figures: Array<GrowthFigures> = []
    for (const workers of [1, 2]) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const service = yield* startOurs(sandbox, { WORKERS: String(workers) })
          for (const connections of [10, ...CONNECTIONS]) {
            const one = yield* Effect.promise(() => at(service, sandbox, workers, connections))
            figures.push(one)
          }
        })
      )
    }
    const lines = figures.map(
      (one) =>
        `${one.workers} worker(s), ${one.connections} connections: ${one.perSecond.toFixed(0)} per second, ` +
        `p99 ${one.p99Millis.toFixed(0)} ms, CPU ${one.cpuMillis.toFixed(3)} ms, ${one.megabytes.toFixed(0)} MB`
    )
    return { figures, lines }
  })
