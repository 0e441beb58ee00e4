import { describe, expect, it } from "@effect/vitest"
import type { Answer, Screening } from "../support/calls.ts"
import { encode, screen, signFor } from "../support/calls.ts"
import { baseBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, onceOnBase, readBooks } from "../support/books.ts"
import { DEEP_PRICE } from "../support/prices.ts"
import { newBasePayer, useSharedService } from "../support/stage.ts"

const { service, stage } = useSharedService()

let callers = 0
/** A client id that nobody has used: one service serves most tests, and a test that is tried again asks it again. */
const newCaller = (): string => `free-tier-${(callers += 1)}`

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
    const alice = newCaller()
    const before = await readBooks(stage())
    for (const method of ["GET", "POST", "GET"] as const) {
      const answer = await callAs(url, alice, deep(method))
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ free: true, attestation: { digest: expect.any(String) } })
      expect(answer.headers.has("payment-response")).toBe(false)
      expect(answer.headers.has("x-free-tier-remaining")).toBe(false)
    }
    const fourth = await callAs(url, alice, deep("POST"))
    expect(fourth.status).toBe(402)
    expect(fourth.headers.has("payment-required")).toBe(true)
    expect((await callAs(url, newCaller())).status).toBe(200)
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("gives exactly three of six parallel calls", async () => {
    const { url } = service()
    const caller = newCaller()
    const answers = await Promise.all(times(6, () => callAs(url, caller)))
    expect(statuses(answers)).toEqual([200, 200, 200, 402, 402, 402])
  })

  it("does not count what failed: unknown tokens and invalid input", async () => {
    const { base } = stage().sandbox
    const { url } = service()
    const unlucky = newCaller()
    const unlisted = { ...deep(), address: base.tokens.unlisted.address }
    expect((await callAs(url, unlucky, unlisted)).status).toBe(404)
    const invalid = { ...deep(), address: "0x1" }
    expect((await callAs(url, unlucky, invalid)).status).toBe(400)
    const answers = await Promise.all(times(4, () => callAs(url, unlucky)))
    expect(statuses(answers)).toEqual([200, 200, 200, 402])
  })

  it("leaves a payment that comes with a free call untouched, good for later", async () => {
    const { url } = service()
    const payer = await newBasePayer(stage())
    const payment = encode(await signFor(url, deep(), baseBuyer(payer)))
    const before = await readBooks(stage())
    const both = { "x-client-id": newCaller(), "payment-signature": payment }
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

  it("does not answer for a payment that has bought: it gets what it bought, and no free call is used up", async () => {
    const { url } = service()
    const payment = encode(await signFor(url, deep(), baseBuyer(await newBasePayer(stage()))))
    const bought = await screen(url, deep(), { "payment-signature": payment })
    expect(bought.body).toMatchObject({ free: false })
    const id = newCaller()
    const again = await screen(url, deep(), { "payment-signature": payment, "x-client-id": id })
    expect(again.text).toBe(bought.text)
    expect(again.headers.get("payment-response")).toBe(bought.headers.get("payment-response"))
    expect(statuses(await Promise.all(times(4, () => callAs(url, id))))).toEqual([200, 200, 200, 402])
  })

  it("answers for a payment that has bought something else, and leaves it alone", async () => {
    const { url } = service()
    const payment = encode(await signFor(url, deep(), baseBuyer(await newBasePayer(stage()))))
    expect((await screen(url, deep(), { "payment-signature": payment })).status).toBe(200)
    const other = {
      ...deep(),
      chain: "solana",
      address: stage().sandbox.solana.tokens.clean.address
    } as const
    const free = await screen(url, other, { "payment-signature": payment, "x-client-id": newCaller() })
    expect([free.status, free.body]).toEqual([200, expect.objectContaining({ free: true })])
  })

  it("is bounded per address, however many ids one invents and whatever headers nobody vouches for", async () => {
    const { url } = await stage().start({ FREE_CALLS_PER_IP: "2" })
    const invented = await Promise.all(times(5, (index) => callAs(url, `invented-${index}`)))
    expect(invented.filter(({ status }) => status === 200)).toHaveLength(2)
    const forged = await screen(url, deep(), {
      "x-client-id": "forger",
      "x-forwarded-for": "192.0.2.7",
      forwarded: "for=192.0.2.8"
    })
    expect(forged.status).toBe(402)
  })
})
