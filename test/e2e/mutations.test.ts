import { describe, expect, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { askRaw, encode, pathOf, pay, signFor } from "../support/calls.ts"
import { pingOf } from "../support/payment/buying.ts"
import { baseBuyer, solanaBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, onceOnBase, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { newBasePayer, newSolanaPayer, useSharedService } from "../support/stage.ts"

const { service, stage } = useSharedService()

const screening = () => pingOf(stage())

const honest = async () => signFor(service().url, screening(), baseBuyer(await newBasePayer(stage())))

const base64 = (text: string): string => Buffer.from(text).toString("base64")

/** One random change of a text: a byte flipped, removed, doubled, or a piece moved. */
const mutate = (text: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const at = yield* Random.nextIntBetween(0, text.length)
    const length = yield* Random.nextIntBetween(1, 12)
    const piece = text.slice(at, at + length)
    const noise = String.fromCharCode(yield* Random.nextIntBetween(0x20, 0x7f))
    const kinds = [
      text.slice(0, at) + noise + text.slice(at + 1),
      text.slice(0, at) + text.slice(at + length),
      text.slice(0, at) + piece + piece + text.slice(at + length),
      text.slice(0, at) + [...piece].toReversed().join("") + text.slice(at + length),
      text.slice(0, at),
      text.slice(0, at) + noise.repeat(length) + text.slice(at),
      text.replaceAll(/\d/g, (digit) => (digit === "5" ? "9" : digit))
    ]
    return kinds[yield* Random.nextIntBetween(0, kinds.length)] ?? text
  })

const mutations = (text: string, count: number, seed: string): ReadonlyArray<string> =>
  Effect.runSync(
    Effect.forEach(Array.from({ length: count }), () => mutate(text)).pipe(
      Effect.withRandom(Random.make(seed))
    )
  ).filter((mutated) => mutated !== text)

describe("random mutations", () => {
  const CONCURRENCY = 8
  const statuses = async (requests: ReadonlyArray<() => Promise<{ readonly status: number }>>) =>
    Effect.runPromise(
      Effect.forEach(requests, (request) => Effect.promise(request), { concurrency: CONCURRENCY })
    )

  for (const [network, payloadOf] of [
    ["Base", honest],
    [
      "Solana",
      async () =>
        signFor(
          service().url,
          screening(),
          solanaBuyer(await newSolanaPayer(stage()), stage().sandbox.solana.url)
        )
    ]
  ] as const) {
    it(`of a payment on ${network} never give 5xx, and at most one of them pays`, async () => {
      const payload = await payloadOf()
      const before = await readBooks(stage())
      const json = JSON.stringify(payload)
      const headers = [
        ...mutations(json, 160, `json ${network}`).map((text) => base64(text)),
        ...mutations(base64(json), 40, `base64 ${network}`)
      ]
      const answers = await statuses(headers.map((header) => () => pay(service().url, screening(), header)))
      const seen = answers.map(({ status }) => status)
      expect(seen.filter((status) => ![200, 400, 402].includes(status))).toEqual([])
      const { base, sentOnBase, sentOnSolana, solana } = await movedSince(stage(), before)
      expect(sentOnBase + sentOnSolana).toBeLessThanOrEqual(1)
      expect(base + solana).toBe(seen.includes(200) ? PING_PRICE : 0n)
    })
  }

  it("of a request body never give 5xx and never charge for what was not asked", async () => {
    const payload = await honest()
    const before = await readBooks(stage())
    const { address } = stage().sandbox.base.tokens.clean
    const bodies = mutations(JSON.stringify({ chain: "base", address }), 150, "bodies")
    const payment = encode(payload)
    const answers = await statuses(
      bodies.map(
        (body) => () =>
          askRaw(`${service().url}${pathOf("ping")}`, {
            method: "POST",
            body,
            headers: { "content-type": "application/json", "payment-signature": payment }
          })
      )
    )
    expect(answers.filter(({ status }) => ![200, 400, 402, 404].includes(status))).toEqual([])
    const moved = await movedSince(stage(), before)
    expect([NOTHING, onceOnBase(PING_PRICE)]).toContainEqual(moved)
  })
})
