import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer, Screening } from "../support/calls.ts"
import { ask, askRaw, encode, pathOf, screen, signFor, toHttp } from "../support/calls.ts"
import { baseBuyer } from "../support/sandbox.ts"
import {
  DEEP_PRICE,
  movedSince,
  newBasePayer,
  NOTHING,
  onceOnBase,
  readBooks,
  useService
} from "../support/stage.ts"

// Every test has client ids of its own, so one service serves most of them.
const { service, stage } = useService(() => ({ CACHE_TTL: "1 millis", FREE_CALLS_PER_IP: "1000" }))

const deep = (method: "GET" | "POST" = "GET"): Screening => ({
  method,
  operation: "deep",
  chain: "base",
  address: stage().sandbox.base.tokens.clean.address
})

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).toSorted()
const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const callAs = (url: string, id: string, screening = deep()) => screen(url, screening, { "x-client-id": id })

describe("the free tier", () => {
  it("gives each client id three deep reports, by GET and POST together, and then asks for payment", async () => {
    const { url } = service()
    const before = await readBooks(stage())
    for (const method of ["GET", "POST", "GET"] as const) {
      const answer = await callAs(url, "alice", deep(method))
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ free: true, attestation: { digest: expect.any(String) } })
      expect(answer.headers.has("payment-response")).toBe(false)
      expect(answer.headers.has("x-free-tier-remaining")).toBe(false)
    }
    const fourth = await callAs(url, "alice", deep("POST"))
    expect(fourth.status).toBe(402)
    expect(fourth.headers.has("payment-required")).toBe(true)
    expect((await callAs(url, "bob")).status).toBe(200)
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("gives exactly three of ten parallel calls", async () => {
    const { url } = service()
    const answers = await Promise.all(times(10, () => callAs(url, "parallel")))
    expect(statuses(answers)).toEqual([200, 200, 200, 402, 402, 402, 402, 402, 402, 402])
  })

  it("is never given without a client id, and never on a ping", async () => {
    const { url } = service()
    expect((await screen(url, deep())).status).toBe(402)
    expect((await callAs(url, "pinger", { ...deep(), operation: "ping" })).status).toBe(402)
  })

  it("does not count what failed: unknown tokens, invalid input, outages", async () => {
    const { base } = stage().sandbox
    const { url } = service()
    const unlisted = { ...deep(), address: base.tokens.unlisted.address }
    for (let round = 0; round < 4; round++) {
      expect((await callAs(url, "unlucky", unlisted)).status).toBe(404)
      const invalid = await ask(`${url}${pathOf("deep")}?chain=base&address=0x1`, {
        headers: { "x-client-id": "unlucky" }
      })
      expect(invalid.status).toBe(400)
      const empty = await ask(`${url}${pathOf("deep")}`, { headers: { "x-client-id": "unlucky" } })
      expect(empty.status).toBe(400)
    }
    const answers = await Promise.all(times(4, () => callAs(url, "unlucky")))
    expect(statuses(answers)).toEqual([200, 200, 200, 402])
  })

  it("leaves a payment that comes with a free call untouched, good for later", async () => {
    const { url } = service()
    const payer = await newBasePayer(stage())
    const payment = encode(await signFor(url, deep(), baseBuyer(payer)))
    const before = await readBooks(stage())
    const both = { "x-client-id": "careful", "payment-signature": payment }
    for (let call = 0; call < 3; call++) {
      const answer = await screen(url, deep(), both)
      expect(answer.body).toMatchObject({ free: true })
      expect(answer.headers.has("payment-response")).toBe(false)
    }
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
    const paid = await screen(url, deep(), both)
    expect(paid.body).toMatchObject({ free: false })
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(DEEP_PRICE))
  })

  it("is remembered over a restart", async () => {
    const environment = { DATABASE_URL: stage().databaseFile() }
    const first = await stage().start(environment)
    expect(statuses([await callAs(first.url, "a"), await callAs(first.url, "a")])).toEqual([200, 200])
    first.signal("SIGTERM")
    await Effect.runPromise(first.ended)
    const second = await stage().start(environment)
    expect(statuses([await callAs(second.url, "a"), await callAs(second.url, "a")])).toEqual([200, 402])
  })

  it("is bounded per address and over all callers, however many ids one invents", async () => {
    const perAddress = await stage().start({ FREE_CALLS_PER_IP: "5" })
    const invented = await Promise.all(times(12, (index) => callAs(perAddress.url, `invented-${index}`)))
    expect(invented.filter(({ status }) => status === 200)).toHaveLength(5)
    const [url] = toHttp(perAddress.url, deep())
    // Nobody vouches for these headers, so they change nothing.
    const forged = await askRaw(url, {
      headers: { "x-client-id": "forger", "x-forwarded-for": "192.0.2.7", forwarded: "for=192.0.2.8" }
    })
    expect(forged.status).toBe(402)

    const overall = await stage().start({ FREE_CALLS_GLOBAL: "2" })
    const all = await Promise.all(times(6, (index) => callAs(overall.url, `caller-${index}`)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2)
  })

  it("can be turned off", async () => {
    const { url } = await stage().start({ FREE_DEEP_CALLS: "0" })
    expect((await callAs(url, "alice")).status).toBe(402)
  })
})
