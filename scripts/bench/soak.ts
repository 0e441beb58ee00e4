/** Full load over a thousand connections for minutes, and the memory of the service minute by minute. */
import { Effect } from "effect"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { startOurs } from "./contenders.ts"
import { mixed } from "./growth.ts"
import { load, openConnections } from "./load.ts"

const CONNECTIONS = 1_000
/** Requests that are made, and sent, at a time. */
const REQUESTS = 20_000
const MINUTE = 60_000

/** One minute of load: requests answered, and megabytes at its end. */
export interface SoakFigures {
  readonly perSecond: number
  readonly megabytes: number
}

/** Prints a line a minute: ten minutes that all end with the same memory are the claim. */
export const soak = (sandbox: Sandbox, minutes: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const service = yield* startOurs(sandbox)
      const asked = mixed(service, sandbox, REQUESTS)
      const agent = openConnections(CONNECTIONS)
      const figures: Array<SoakFigures> = []
      for (let minute = 1; minute <= minutes; minute++) {
        const one = yield* Effect.promise(async () => {
          const started = performance.now()
          let answered = 0
          while (performance.now() - started < MINUTE)
            answered += (await load(agent, asked, CONNECTIONS)).millis.length
          const { rssBytes } = await service.usage()
          const seconds = (performance.now() - started) / 1_000
          return { perSecond: answered / seconds, megabytes: rssBytes / 1_048_576 }
        })
        figures.push(one)
        console.log(
          `minute ${minute}: ${one.megabytes.toFixed(0)} MB, ${one.perSecond.toFixed(0)} requests a second`
        )
      }
      agent.destroy()
      return figures
    })
  )
