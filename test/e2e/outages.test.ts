import { afterEach, beforeAll, describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import type { HttpFault } from "../../scripts/sandbox/json-server.ts"
import type { RpcProxy } from "../../scripts/sandbox/rpc-proxy.ts"
import type { Answer, Screening } from "../support/calls.ts"
import { encode, pay, screen, signFor } from "../support/calls.ts"
import { baseBuyer, solanaBuyer, startRpcProxy } from "../support/sandbox.ts"
import { movedSince, NOTHING, onceOnBase, onceOnSolana, readBooks } from "../support/books.ts"
import { DEEP_PRICE, PING_PRICE } from "../support/prices.ts"
import { newBasePayer, newSolanaPayer, useService } from "../support/stage.ts"

let proxies: Readonly<Record<"base" | "solana", RpcProxy>> | undefined

/** A service whose every upstream can fail. Nothing is cached, so that each call meets the upstreams. */
const { service, stage } = useService(async ({ run, sandbox }) => {
  proxies = {
    base: await run(startRpcProxy(sandbox.base.url)),
    solana: await run(startRpcProxy(sandbox.solana.url))
  }
  return { CACHE_TTL: "1 millis", BASE_RPC_URL: proxies.base.url, SOLANA_RPC_URL: proxies.solana.url }
})

const openShop = () => {
  if (proxies === undefined) throw new Error("the proxies start before the tests")
  return { url: service().url, upstreams: proxies, market: stage().sandbox.market }
}
afterEach(() => {
  const { market, upstreams } = openShop()
  for (const { mend } of Object.values(upstreams)) mend()
  for (const { faults } of [market.dexScreener, market.rugCheck]) faults.fault = "none"
})

const screeningOn = (chain: "base" | "solana", operation: "ping" | "deep" = "ping"): Screening => ({
  method: "GET",
  operation,
  chain,
  address:
    chain === "base" ? stage().sandbox.base.tokens.clean.address : stage().sandbox.solana.tokens.clean.address
})

const LISTED = ["clean", "mintable", "unlocked"] as const
let turn = 0

/**
 * Another token each time: a screening goes on when its caller was refused for the payment, and the next caller for the
 * same token would join it and get what was read while the chain still answered.
 */
const nextScreenings = () => {
  const token = LISTED[turn++ % LISTED.length] ?? "clean"
  const { base, solana } = stage().sandbox
  return {
    base: { ...screeningOn("base"), address: base.tokens[token].address },
    solana: { ...screeningOn("solana"), address: solana.tokens[token].address }
  }
}

const expectUnavailable = (answer: Answer) => {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(answer.headers.has("payment-required")).toBe(false)
  expect(answer.headers.has("payment-response")).toBe(false)
  expect(answer.body).toEqual({ error: expect.any(String) })
}

const newPayments = async (url: string, screening: Screening) => ({
  base: encode(await signFor(url, screening, baseBuyer(await newBasePayer(stage())))),
  solana: encode(
    await signFor(url, screening, solanaBuyer(await newSolanaPayer(stage()), stage().sandbox.solana.url))
  )
})

/** The token is on one chain and paid on the other; `down` may be either. */
const expectBothUnavailable = async (url: string, down: ReadonlyArray<RpcProxy>, fault: HttpFault) => {
  const screenings = nextScreenings()
  const payments = await newPayments(url, screenings.base)
  const before = await readBooks(stage())
  for (const { httpFaults } of down) httpFaults.fault = fault
  const answers = await Promise.all([
    pay(url, screenings.base, payments.solana),
    pay(url, screenings.solana, payments.base)
  ])
  for (const { httpFaults } of down) httpFaults.fault = "none"
  for (const answer of answers) expectUnavailable(answer)
  expect(await movedSince(stage(), before)).toEqual(NOTHING)
}

describe("a chain out of reach", () => {
  for (const fault of ["error", "throttle", "garbage", "empty", "reset"] as const) {
    it(`(${fault}) is 503 for its tokens and for payments on it, never an invalid signature, and charges nothing`, async () => {
      const { upstreams, url } = openShop()
      await expectBothUnavailable(url, [upstreams.base], fault)
      await expectBothUnavailable(url, [upstreams.solana], fault)
    })
  }

  it("(hang) is 503 before the caller gives up, and charges nothing", async () => {
    const { upstreams, url } = openShop()
    await expectBothUnavailable(url, [upstreams.base, upstreams.solana], "hang")
  })

  it("takes the same payment when it is back", async () => {
    const { upstreams, url } = openShop()
    for (const network of ["base", "solana"] as const) {
      const screening = screeningOn(network === "base" ? "solana" : "base")
      const { [network]: payment } = await newPayments(url, screening)
      const before = await readBooks(stage())
      upstreams[network].httpFaults.fault = "error"
      expectUnavailable(await pay(url, screening, payment))
      upstreams[network].httpFaults.fault = "none"
      expect((await pay(url, screening, payment)).status).toBe(200)
      expect(await movedSince(stage(), before)).toEqual(
        network === "base" ? onceOnBase(PING_PRICE) : onceOnSolana(PING_PRICE)
      )
    }
  })

  it("does not stop the challenge, nor the other chain", async () => {
    const { upstreams, url } = openShop()
    const { solana: payment } = await newPayments(url, screeningOn("solana"))
    upstreams.base.httpFaults.fault = "error"
    expect((await screen(url, screeningOn("base"))).status).toBe(402)
    expect((await pay(url, screeningOn("solana"), payment)).status).toBe(200)
    upstreams.base.httpFaults.fault = "none"
  })
})

const Judged = Schema.Struct({ score: Schema.Number, coverage: Schema.Number, verdict: Schema.String })

describe("market data out of reach", () => {
  const chains = ["base", "solana"] as const
  const whole: Array<typeof Judged.Type> = []

  // Once, before the first fault: a circuit that opened for one of them may still be open for the next.
  beforeAll(async () => {
    for (const chain of chains) {
      const answer = await screen(service().url, screeningOn(chain, "deep"), { "x-client-id": "whole" })
      whole.push(Schema.decodeUnknownSync(Judged)(answer.body))
    }
  })

  for (const fault of ["error", "throttle", "garbage", "reset", "hang"] as const) {
    it(`(${fault}) never lowers a score: fewer signals are known, or nothing is sold`, async () => {
      const { market, url } = openShop()
      const payments: Array<string> = []
      for (const chain of chains) payments.push((await newPayments(url, screeningOn(chain, "deep"))).base)
      const before = await readBooks(stage())
      market.dexScreener.faults.fault = fault
      market.rugCheck.faults.fault = fault
      const answers = await Promise.all(
        chains.map((chain, index) => pay(url, screeningOn(chain, "deep"), payments[index] ?? ""))
      )
      market.dexScreener.faults.fault = "none"
      market.rugCheck.faults.fault = "none"
      for (const [index, answer] of answers.entries()) {
        if (answer.status !== 200) {
          expectUnavailable(answer)
          continue
        }
        const judged = Schema.decodeUnknownSync(Judged)(answer.body)
        expect(judged.score).toBeGreaterThanOrEqual(whole[index]?.score ?? 101)
        expect(judged.coverage).toBeLessThanOrEqual(whole[index]?.coverage ?? 0)
        expect(judged.verdict).not.toBe("avoid")
      }
      const sold = answers.filter(({ status }) => status === 200).length
      const moved = await movedSince(stage(), before)
      // Payments that wait together may share one transaction.
      expect(moved.sentOnBase).toBeLessThanOrEqual(sold)
      expect(moved).toEqual({
        ...NOTHING,
        base: DEEP_PRICE * BigInt(sold),
        sentOnBase: moved.sentOnBase
      })
    })
  }

  it("together with the chain is 503 and charges nothing", async () => {
    const { market, upstreams, url } = openShop()
    const { solana: payment } = await newPayments(url, screeningOn("base"))
    const before = await readBooks(stage())
    upstreams.base.httpFaults.fault = "error"
    market.dexScreener.faults.fault = "error"
    expectUnavailable(await pay(url, screeningOn("base"), payment))
    market.dexScreener.faults.fault = "none"
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("leaves an unknown token unproven: 404 or 503, and never charged", async () => {
    const { market, url } = openShop()
    const unlisted = { ...screeningOn("base"), address: stage().sandbox.base.tokens.unlisted.address }
    const { solana: payment } = await newPayments(url, unlisted)
    const before = await readBooks(stage())
    market.dexScreener.faults.fault = "error"
    const answer = await pay(url, unlisted, payment)
    market.dexScreener.faults.fault = "none"
    expect([404, 503]).toContain(answer.status)
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })
})
