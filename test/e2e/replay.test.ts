import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { CheckoutTerms } from "../../src/domain/checkout.ts"
import type { Screening } from "../support/calls.ts"
import { ask, challengeOf, encode, pay, paymentFor, reasonOf, receiptOf, toHttp } from "../support/calls.ts"
import { baseBuyer, solanaBuyer, startRpcProxy } from "../support/sandbox.ts"
import type { Answer } from "../support/calls.ts"
import {
  DEEP_PRICE,
  eventually,
  movedSince,
  newBasePayer,
  newSolanaPayer,
  NOTHING,
  onceOnBase,
  onceOnSolana,
  PING_PRICE,
  readBooks,
  useStage
} from "../support/stage.ts"

const stage = useStage()

type Network = "base" | "solana"
const networks = ["base", "solana"] as const

const newBuyer = async (network: Network) =>
  network === "base"
    ? baseBuyer(await newBasePayer(stage()))
    : solanaBuyer(await newSolanaPayer(stage()), stage().sandbox.solana.url)

const once = (network: Network, price: bigint) =>
  network === "base" ? onceOnBase(price) : onceOnSolana(price)

const deepOn = (chain: Network): Screening => ({
  method: "POST",
  operation: "deep",
  chain,
  address:
    chain === "base" ? stage().sandbox.base.tokens.clean.address : stage().sandbox.solana.tokens.clean.address
})

const expectSame = (answers: ReadonlyArray<Answer>) => {
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(new Set(answers.map(({ headers }) => headers.get("payment-response"))).size).toBe(1)
}

describe("the same payment for the same request", () => {
  for (const network of networks) {
    it(`on ${network} gets the same bytes and receipt again, also after a restart, for one transfer`, async () => {
      const environment = { DATABASE_URL: stage().databaseFile(), CACHE_TTL: "1 millis" }
      const first = await stage().start(environment)
      const payment = await paymentFor(first.url, deepOn("base"), await newBuyer(network))
      const before = await readBooks(stage())
      const answers = [
        await pay(first.url, deepOn("base"), payment),
        await pay(first.url, deepOn("base"), payment)
      ]
      answers.push(await pay(first.url, { ...deepOn("base"), method: "GET" }, payment))
      first.signal("SIGTERM")
      expect(await Effect.runPromise(first.ended)).toBe(0)
      const second = await stage().start(environment)
      answers.push(await pay(second.url, deepOn("base"), payment))
      expectSame(answers)
      expect(await movedSince(stage(), before)).toEqual(once(network, DEEP_PRICE))
    })

    it(`on ${network}, sent twenty times at once, is one transfer and twenty equal answers`, async () => {
      const service = await stage().start({ CACHE_TTL: "1 millis" })
      const payment = await paymentFor(service.url, deepOn("solana"), await newBuyer(network))
      const before = await readBooks(stage())
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => pay(service.url, deepOn("solana"), payment))
      )
      expectSame(answers)
      expect(await movedSince(stage(), before)).toEqual(once(network, DEEP_PRICE))
    })
  }

  it("survives SIGKILL in mid-settlement: the answer was kept, and is delivered for one transfer on each chain", async () => {
    const { base, solana } = stage().sandbox
    const proxies = {
      base: await stage().run(startRpcProxy(base.url)),
      solana: await stage().run(startRpcProxy(solana.url))
    }
    const environment = {
      DATABASE_URL: stage().databaseFile(),
      CACHE_TTL: "1 millis",
      BASE_RPC_URL: proxies.base.url,
      SOLANA_RPC_URL: proxies.solana.url
    }
    const doomed = await stage().start(environment)
    const payments = {
      base: await paymentFor(doomed.url, deepOn("base"), await newBuyer("base")),
      solana: await paymentFor(doomed.url, deepOn("base"), await newBuyer("solana"))
    }
    const before = await readBooks(stage())
    proxies.base.faults.lostReplies.add("eth_sendRawTransaction")
    proxies.base.faults.refusedMethods.add("eth_getTransactionReceipt")
    proxies.solana.faults.lostReplies.add("sendTransaction")
    proxies.solana.faults.refusedMethods.add("getSignatureStatuses")
    const lost = networks.map((network) =>
      pay(doomed.url, deepOn("base"), payments[network]).catch(() => undefined)
    )
    await eventually(
      () => movedSince(stage(), before),
      ({ sentOnBase, sentOnSolana }) => sentOnBase === 1 && sentOnSolana === 1
    )
    doomed.signal("SIGKILL")
    await Effect.runPromise(doomed.ended)
    for (const answer of await Promise.all(lost)) expect(answer?.status).not.toBe(200)
    for (const { faults } of Object.values(proxies)) {
      faults.lostReplies.clear()
      faults.refusedMethods.clear()
    }

    const heir = await stage().start(environment)
    for (const network of networks) {
      // The dead process's lease has to run out; until then the only honest answer is "ask again".
      const answer = await eventually(
        () => pay(heir.url, deepOn("base"), payments[network]),
        ({ headers, status }) => {
          if (status !== 200) expect([status, headers.has("retry-after")]).toEqual([503, true])
          return status === 200
        },
        60
      )
      expectSame([answer, await pay(heir.url, deepOn("base"), payments[network])])
      expect(receiptOf(answer).success).toBe(true)
    }
    expect(await movedSince(stage(), before)).toEqual({
      base: DEEP_PRICE,
      solana: DEEP_PRICE,
      sentOnBase: 1,
      sentOnSolana: 1
    })
  })

  it("sent to two processes on one port at once is one transfer and no second report", async () => {
    const service = await stage().start({
      DATABASE_URL: stage().databaseFile(),
      CACHE_TTL: "1 millis",
      WORKERS: "2"
    })
    for (const network of networks) {
      const payment = await paymentFor(service.url, deepOn("base"), await newBuyer(network))
      const before = await readBooks(stage())
      const [url, init] = toHttp(service.url, deepOn("base"), {
        "payment-signature": payment,
        connection: "close"
      })
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, init)))
      const delivered = answers.filter(({ status }) => status === 200)
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
      expect(delivered.length).toBeGreaterThan(0)
      expectSame(delivered)
      expectSame([...delivered, await pay(service.url, deepOn("base"), payment)])
      expect(await movedSince(stage(), before)).toEqual(once(network, DEEP_PRICE))
    }
  })
})

describe("a payment that was used", () => {
  it("buys nothing else: no other token, operation, chain or channel", async () => {
    const service = await stage().start({ DEEP_PRICE_USD: "0.005" })
    const { base, solana } = stage().sandbox
    const mcp = `${service.url}/api/token-risk/mcp`
    for (const network of networks) {
      const screening: Screening = {
        method: "POST",
        operation: "ping",
        chain: "base",
        address: base.tokens.clean.address
      }
      const buyer = await newBuyer(network)
      const payload = await buyer.client.createPaymentPayload(
        challengeOf(await ask(...toHttp(service.url, screening)))
      )
      // Without a resource, nothing but the ledger binds the payment to its request.
      const { accepted, payload: signed, x402Version } = payload
      const bare = { x402Version, accepted, payload: signed }
      const before = await readBooks(stage())
      expect((await pay(service.url, screening, encode(bare))).status).toBe(200)
      const others: ReadonlyArray<Screening> = [
        { ...screening, address: base.tokens.mintable.address },
        { ...screening, operation: "deep" },
        { ...screening, operation: "deep", method: "GET" },
        { ...screening, chain: "solana", address: solana.tokens.clean.address }
      ]
      for (const other of others) {
        const answer = await pay(service.url, other, encode(bare))
        expect([answer.status, reasonOf(answer)]).toEqual([402, "payment_already_used"])
      }
      const overMcp = await ask(mcp, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: {
            name: "check_token_safety_ping",
            arguments: { chain: "base", address: base.tokens.clean.address },
            _meta: { "x402/payment": bare }
          }
        })
      })
      expect(overMcp.text).toContain("payment_already_used")
      expect(overMcp.text).toContain('"success":false')
      expect(await movedSince(stage(), before)).toEqual(once(network, PING_PRICE))
    }
  })

  it("over MCP buys nothing over HTTP, and the same answer again over MCP", async () => {
    const service = await stage().start()
    const { base } = stage().sandbox
    const screening: Screening = {
      method: "POST",
      operation: "ping",
      chain: "base",
      address: base.tokens.clean.address
    }
    const buyer = await newBuyer("base")
    const { accepted, payload, x402Version } = await buyer.client.createPaymentPayload(
      challengeOf(await ask(...toHttp(service.url, screening)))
    )
    const payment = { x402Version, accepted, payload }
    const call = () =>
      ask(`${service.url}/api/token-risk/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: {
            name: "check_token_safety_ping",
            arguments: { chain: "base", address: base.tokens.clean.address },
            _meta: { "x402/payment": payment }
          }
        })
      })
    const before = await readBooks(stage())
    const first = await call()
    expect(first.text).toContain("x402/payment-response")
    expect((await call()).text).toBe(first.text)
    const overHttp = await pay(service.url, screening, encode(payment))
    expect([overHttp.status, reasonOf(overHttp)]).toEqual([402, "payment_already_used"])
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))
  })

  it("for a screening does not pay a checkout, and a checkout's payment buys no screening", async () => {
    const service = await stage().start({ CHECKOUT_MIN_USD: "0.005" })
    const { base } = stage().sandbox
    const created = await ask(`${service.url}/api/checkout/v1/checkout/create`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        network: "base",
        merchantPayTo: base.accounts.merchant.address,
        amountUsd: "0.005",
        memo: "order"
      })
    })
    expect(created.status).toBe(200)
    const terms = Schema.decodeUnknownSync(CheckoutTerms)(created.body)
    const verify = (payment: string) =>
      ask(`${service.url}/api/checkout/v1/checkout/${terms.checkoutId}/verify`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ paymentSignature: payment })
      })
    const screening: Screening = {
      method: "POST",
      operation: "ping",
      chain: "base",
      address: base.tokens.clean.address
    }
    const challenge = challengeOf(await ask(...toHttp(service.url, screening)))
    // What is signed does not say what it pays for: only the ledger can tell the two uses apart.
    const sign = async () => {
      const { accepted, payload, x402Version } = await (
        await newBuyer("base")
      ).client.createPaymentPayload(challenge)
      return {
        forScreening: encode({ x402Version, accepted, payload }),
        forCheckout: encode({ x402Version, accepted: terms, payload })
      }
    }
    const before = await readBooks(stage())
    const used = await sign()
    expect((await pay(service.url, screening, used.forScreening)).status).toBe(200)
    expect((await verify(used.forCheckout)).status).toBe(409)
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))

    const other = await sign()
    expect((await verify(other.forCheckout)).body).toMatchObject({ status: "paid" })
    const reused = await pay(service.url, screening, other.forScreening)
    expect([reused.status, reasonOf(reused)]).toEqual([402, "payment_already_used"])
    expect(await movedSince(stage(), before)).toEqual({ ...NOTHING, base: 2n * PING_PRICE, sentOnBase: 2 })
  })
})
