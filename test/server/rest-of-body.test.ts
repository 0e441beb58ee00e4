import { once } from "node:events"
import { Effect } from "effect"
import { describe, expect, it } from "@effect/vitest"
import { awaitRestOfBody } from "../../src/server/rest-of-body.ts"
import { connectionTo } from "../support/connection.ts"

const HEAD = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n"

/** A server that answers before the body has come, and a connection to it. */
const refusing = (millis: number) =>
  Effect.gen(function* () {
    const client = yield* connectionTo((request, response) => {
      response.once("close", () => awaitRestOfBody(request, millis))
      response.writeHead(413).end("no")
    })
    let read = ""
    client.on("data", (chunk) => (read += chunk.toString("latin1")))
    const answers = (count: number) =>
      Effect.promise(async () => {
        while (read.split("HTTP/1.1 413").length <= count) await once(client, "data")
      })
    return { client, answers }
  })

describe("a body that was refused", () => {
  it.scopedLive("is not thrown away for long: the connection ends", () =>
    Effect.gen(function* () {
      const { answers, client } = yield* refusing(20)
      client.write(`${HEAD}{`)
      yield* answers(1)
      yield* Effect.promise(() => once(client, "close"))
    })
  )

  it.scopedLive("is waited for when its rest comes, and the connection goes on", () =>
    Effect.gen(function* () {
      const { answers, client } = yield* refusing(60_000)
      client.write(`${HEAD}12345`)
      yield* answers(1)
      client.write(`67890${HEAD}1234567890`)
      yield* answers(2)
      expect(client.destroyed).toBe(false)
    })
  )
})
