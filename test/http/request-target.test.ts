import { HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeClassify } from "../../src/http/admission/classes.ts"
import { ask, DEEP, openWith, runs, WETH } from "../support/two-ways.ts"

const QUERY = `chain=base&address=${WETH}`

/** Targets that the router takes for a deep report of WETH. */
const SPELLINGS: ReadonlyArray<string> = [
  `${DEEP}?${QUERY}`,
  `${DEEP};${QUERY}`,
  `${DEEP}#${QUERY}`,
  `${DEEP.replace("deep", "%64eep")}?${QUERY}`,
  `${DEEP.replaceAll("e", "%65")}/?${QUERY}`,
  `http://elsewhere.test${DEEP}?${QUERY}`,
  `*${DEEP.slice(1)}?${QUERY}`,
  `/${DEEP.toUpperCase().replaceAll("/", "//")}/?${QUERY}`
]

const classify = makeClassify("checkout")

const classOf = (method: string, target: string, headers: Readonly<Record<string, string>>) =>
  classify(
    HttpServerRequest.fromWeb(new Request("https://risk.test/", { method, headers })).modify({ url: target }),
    ""
  )

describe("a request's target", () => {
  it.scopedLive("is of the class of what it runs, however it is written", () =>
    Effect.gen(function* () {
      const { agent, fast } = yield* openWith(undefined)
      for (const path of SPELLINGS) {
        for (const [headers, requestClass] of [
          [{ "payment-signature": "signed" }, "paid"],
          [{ "x-client-id": "me" }, "free"],
          [{}, "challenge"]
        ] as const) {
          const before = runs.fast
          const { status } = yield* Effect.promise(() =>
            ask(fast, agent, { method: "GET", path, headers, body: undefined, late: false })
          )
          // Of an unpaid call the price is answered from memory where it is spelled plainly.
          if (requestClass !== "challenge")
            expect({ path, status, ran: runs.fast - before }).toEqual({ path, status: 200, ran: 1 })
          else expect({ path, status }).toEqual({ path, status: 402 })
          expect({ path, class: classOf("GET", path, headers) }).toEqual({ path, class: requestClass })
        }
      }
    })
  )

  it.scopedLive("names a token wherever the router finds its names: what is wrong with it is said", () =>
    Effect.gen(function* () {
      const { agent, fast } = yield* openWith(undefined)
      for (const path of [
        `${DEEP};chain=base`,
        `${DEEP}?a=1?&chain=base`,
        `${DEEP.replace("d", "%64")}?chain=base`
      ]) {
        const { body, status } = yield* Effect.promise(() =>
          ask(fast, agent, { method: "GET", path, headers: {}, body: undefined, late: false })
        )
        expect({ path, status, body }).toMatchObject({
          path,
          status: 400,
          body: expect.stringContaining("address")
        })
      }
    })
  )
})
