import type { IncomingMessage, ServerResponse } from "node:http"
import { setImmediate as nextRound } from "node:timers/promises"
import { Effect } from "effect"
import { describe, expect, it } from "@effect/vitest"
import { makeArrivals } from "../../src/http/arrivals.ts"
import { oneAtATime } from "../../src/http/sent-ahead.ts"
import { connectionTo } from "../support/connection.ts"

/** Three requests in one piece, and what was begun of them. */
const serving = Effect.gen(function* () {
  const begun: Array<{ readonly request: IncomingMessage; readonly response: ServerResponse }> = []
  const client = yield* connectionTo(
    oneAtATime((request, response) => void begun.push({ request, response }), makeArrivals())
  )
  client.write(["1", "2", "3"].map((name) => `GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`).join(""))
  const until = (holds: () => boolean) =>
    Effect.promise(async () => {
      while (!holds()) await nextRound()
    })
  const urls = () => begun.map(({ request }) => request.url)
  return { begun, client, until, urls }
})

describe("requests sent ahead on a connection", () => {
  it.scopedLive("are begun when the answer before them is out, and answered in order", () =>
    Effect.gen(function* () {
      const { begun, client, until, urls } = yield* serving
      let read = ""
      client.on("data", (chunk) => (read += chunk.toString("latin1")))
      for (const count of [1, 2, 3]) {
        yield* until(() => begun.length === count)
        for (let round = 0; round < 20; round += 1) yield* Effect.promise(() => nextRound())
        expect(urls()).toEqual(["/1", "/2", "/3"].slice(0, count))
        begun[count - 1]?.response.end(`answer ${count}`)
      }
      yield* until(() => read.includes("answer 3"))
      expect(read.match(/answer \d/g)).toEqual(["answer 1", "answer 2", "answer 3"])
    })
  )

  it.scopedLive("are not begun for a caller who has gone", () =>
    Effect.gen(function* () {
      const { begun, client, until, urls } = yield* serving
      yield* until(() => begun.length === 1)
      client.resetAndDestroy()
      yield* until(() => begun[0]?.request.socket.destroyed === true)
      begun[0]?.response.end("too late")
      for (let round = 0; round < 20; round += 1) yield* Effect.promise(() => nextRound())
      expect(urls()).toEqual(["/1"])
    })
  )

  it.scopedLive("are not begun for a caller who does not read the answer before them", () =>
    Effect.gen(function* () {
      const { begun, client, until, urls } = yield* serving
      client.pause()
      yield* until(() => begun.length === 1)
      begun[0]?.response.end(Buffer.alloc(64 * 1_048_576))
      for (let round = 0; round < 200; round += 1) yield* Effect.promise(() => nextRound())
      expect(urls()).toEqual(["/1"])
    })
  )
})
