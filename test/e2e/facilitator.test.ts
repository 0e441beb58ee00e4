import { describe, expect, it } from "@effect/vitest"
import { evmAccount } from "../../scripts/sandbox/accounts.ts"
import { authorize, envelope } from "../support/authorizations.ts"
import type { Answer, Screening } from "../support/calls.ts"
import { challengeOf, encode, pay, reasonOf, receiptOf, screen, signFor } from "../support/calls.ts"
import type { FacilitatorDouble } from "../support/facilitator.ts"
import { startFacilitator } from "../support/facilitator.ts"
import { networks, newPayment, onceOnBoth } from "../support/payment/buying.ts"
import { baseBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { eventually, newBasePayer, useService } from "../support/stage.ts"

let facilitator: FacilitatorDouble | undefined

const { service, stage } = useService(async ({ run, sandbox }) => {
  facilitator = await run(startFacilitator(sandbox))
  return {
    FACILITATOR_URL: facilitator.url,
    BASE_SETTLER_PRIVATE_KEY: undefined,
    SOLANA_FEE_PAYER_PRIVATE_KEY: undefined
  }
})

const double = (): FacilitatorDouble => {
  if (facilitator === undefined) throw new Error("the facilitator starts before the tests")
  return facilitator
}

const screening = (): Screening => ({
  method: "GET",
  operation: "ping",
  chain: "base",
  address: stage().sandbox.base.tokens.clean.address
})

/** One payment on each network, by new buyers. */
const newPayments = () =>
  Promise.all(networks.map((network) => newPayment(stage(), service().url, screening(), network)))

const whileIt = async <A>(
  faults: Partial<FacilitatorDouble["faults"]>,
  action: () => Promise<A>
): Promise<A> => {
  Object.assign(double().faults, faults)
  try {
    return await action()
  } finally {
    Object.assign(double().faults, { verify: "honest", settle: "honest" })
  }
}

const send = (payment: string) => pay(service().url, screening(), payment)
const sendAll = (payments: ReadonlyArray<string>) => Promise.all(payments.map(send))

const sendAllUntilSold = (payments: ReadonlyArray<string>) =>
  Promise.all(
    payments.map((payment) =>
      eventually(
        () => send(payment),
        ({ status }) => status === 200
      )
    )
  )

const expectUnknown = (answer: Answer) => {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(answer.headers.has("payment-required")).toBe(false)
}

// On both networks at once: their books are apart, and what waits for one waits for the other.
describe("with a remote facilitator a payment, on either network,", () => {
  it("is settled once and answered alike when it comes again", async () => {
    const payments = await newPayments()
    const before = await readBooks(stage())
    const first = await sendAll(payments)
    for (const answer of first) {
      expect(answer.status).toBe(200)
      expect(receiptOf(answer)).toMatchObject({ success: true, transaction: expect.stringMatching(/.{64}/) })
    }
    const again = await Promise.all([sendAll(payments), sendAll(payments)])
    first.forEach((answer, at) => {
      for (const answers of again) {
        expect(answers[at]?.text).toBe(answer.text)
        expect(answers[at]?.headers.get("payment-response")).toBe(answer.headers.get("payment-response"))
      }
    })
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })

  for (const settle of ["failed", "error", "garbage", "empty", "reset", "pending"] as const) {
    it(`that it answers with "${settle}" is unknown, and ends in one transfer`, async () => {
      const payments = await newPayments()
      const before = await readBooks(stage())
      for (const answer of await whileIt({ settle }, () => sendAll(payments))) expectUnknown(answer)
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
      for (const answer of await sendAllUntilSold(payments)) expect(receiptOf(answer).success).toBe(true)
      expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
    })
  }

  it("that it settles without telling us is found on chain, and not settled again", async () => {
    const payments = await newPayments()
    const before = await readBooks(stage())
    const settled = double().calls.settle.length
    for (const answer of await whileIt({ settle: "lost" }, () => sendAll(payments)))
      if (answer.status !== 200) expectUnknown(answer)
    for (const answer of await sendAllUntilSold(payments)) expect(receiptOf(answer).success).toBe(true)
    expect(double().calls.settle.length).toBe(settled + payments.length)
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })

  for (const verify of ["error", "garbage", "reset", "throttle", "hang", "blind"] as const) {
    it(`whose check it answers with "${verify}" is 503 and stays good`, async () => {
      const payments = await newPayments()
      const before = await readBooks(stage())
      for (const answer of await whileIt({ verify }, () => sendAll(payments))) expectUnknown(answer)
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
      for (const { status } of await sendAll(payments)) expect(status).toBe(200)
    })
  }

  it("that it calls invalid is 402 and not settled", async () => {
    const payments = await newPayments()
    const before = await readBooks(stage())
    for (const answer of await whileIt({ verify: "always-invalid" }, () => sendAll(payments)))
      expect([answer.status, reasonOf(answer)]).toEqual([402, "invalid_because_we_say_so"])
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  // The local Solana tries a landed message anew where our fee payer has not signed it, as a node that is slow to notice does.
  it("that it calls invalid and sends all the same buys its answer when it comes again, once", async () => {
    const payments = await newPayments()
    const before = await readBooks(stage())
    for (const answer of await whileIt({ verify: "sent-all-the-same" }, () => sendAll(payments)))
      expect([answer.status, reasonOf(answer)]).toEqual([402, "invalid_because_we_say_so"])
    const sold = await sendAllUntilSold(payments)
    const again = await sendAll(payments)
    again.forEach(({ text }, at) => expect(text).toBe(sold[at]?.text))
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })

  it("that it sends all the same buys its answer also when it comes again long after it has landed", async () => {
    const payments = await newPayments()
    const before = await readBooks(stage())
    await whileIt({ verify: "sent-all-the-same" }, () => sendAll(payments))
    // Ten minutes of Solana.
    stage().sandbox.solana.ledger.clock.advance(3_000)
    const sold = await sendAllUntilSold(payments)
    for (const answer of sold) expect(receiptOf(answer).success).toBe(true)
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })
})

describe("with a remote facilitator", () => {
  it("that calls everything valid, a wrong recipient, amount, window or signature is refused all the same", async () => {
    const [terms] = challengeOf(await screen(service().url, screening())).accepts
    if (terms === undefined) throw new Error("no terms")
    const payer = await newBasePayer(stage())
    const thief = evmAccount("thief")
    const lies = [
      await authorize(payer, terms, { to: thief.address }),
      await authorize(payer, terms, { value: "1" }),
      await authorize(payer, terms, { validBefore: "1" }),
      { ...(await authorize(payer, terms)), signature: `0x${"11".repeat(65)}` }
    ]
    const before = await readBooks(stage())
    const settled = double().calls.settle.length
    await whileIt({ verify: "always-valid" }, async () => {
      for (const payload of lies.slice(0, 3)) {
        expect((await send(encode(envelope(terms, payload)))).status).toBe(402)
      }
      const forged = await send(encode(envelope(terms, { ...lies[3] })))
      expect(forged.status).toBe(402)
    })
    expect(double().calls.settle.length - settled).toBeLessThanOrEqual(1)
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("never sees the client's own bytes, only what we parsed and our own terms", async () => {
    const buyer = baseBuyer(await newBasePayer(stage()))
    const payload = await signFor(service().url, screening(), buyer)
    const spiced = { ...payload, injected: "x", payload: { ...payload.payload, injected: "y" } }
    expect((await send(encode(spiced))).status).toBe(200)
    expect(JSON.stringify(double().calls)).not.toContain("injected")
  })
})
