import { describe, expect, it } from "@effect/vitest"
import { evmAccount } from "../../scripts/sandbox/accounts.ts"
import { authorize, envelope } from "../support/authorizations.ts"
import type { Answer, Screening } from "../support/calls.ts"
import { challengeOf, encode, pay, reasonOf, receiptOf, screen, signFor } from "../support/calls.ts"
import type { FacilitatorDouble } from "../support/facilitator.ts"
import { startFacilitator } from "../support/facilitator.ts"
import { baseBuyer, solanaBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, onceOnBase, onceOnSolana, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { eventually, newBasePayer, newSolanaPayer, useService } from "../support/stage.ts"

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

const networks = ["base", "solana"] as const
type Network = (typeof networks)[number]

const newPayment = async (network: Network): Promise<string> => {
  const buyer =
    network === "base"
      ? baseBuyer(await newBasePayer(stage()))
      : solanaBuyer(await newSolanaPayer(stage()), stage().sandbox.solana.url)
  return encode(await signFor(service().url, screening(), buyer))
}

const once = (network: Network) => (network === "base" ? onceOnBase(PING_PRICE) : onceOnSolana(PING_PRICE))

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

const expectUnknown = (answer: Answer) => {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(answer.headers.has("payment-required")).toBe(false)
}

describe("with a remote facilitator", () => {
  for (const network of networks) {
    it(`a payment on ${network} is settled once and answered alike when it comes again`, async () => {
      const payment = await newPayment(network)
      const before = await readBooks(stage())
      const first = await send(payment)
      expect(first.status).toBe(200)
      expect(receiptOf(first)).toMatchObject({ success: true, transaction: expect.stringMatching(/.{64}/) })
      const again = await Promise.all([send(payment), send(payment)])
      for (const answer of again) {
        expect(answer.text).toBe(first.text)
        expect(answer.headers.get("payment-response")).toBe(first.headers.get("payment-response"))
      }
      expect(await movedSince(stage(), before)).toEqual(once(network))
    })

    for (const settle of ["failed", "error", "garbage", "empty", "reset", "pending"] as const) {
      it(`a payment on ${network} it answers with "${settle}" is unknown, and ends in one transfer`, async () => {
        const payment = await newPayment(network)
        const before = await readBooks(stage())
        expectUnknown(await whileIt({ settle }, () => send(payment)))
        expect(await movedSince(stage(), before)).toEqual(NOTHING)
        const answer = await eventually(
          () => send(payment),
          ({ status }) => status === 200
        )
        expect(receiptOf(answer).success).toBe(true)
        expect(await movedSince(stage(), before)).toEqual(once(network))
      })
    }

    it(`a payment on ${network} it settles without telling us is found on chain, and not settled again`, async () => {
      const payment = await newPayment(network)
      const before = await readBooks(stage())
      const settled = double().calls.settle.length
      const answer = await whileIt({ settle: "lost" }, () => send(payment))
      if (answer.status !== 200) expectUnknown(answer)
      const later = await eventually(
        () => send(payment),
        ({ status }) => status === 200
      )
      expect(receiptOf(later).success).toBe(true)
      expect(double().calls.settle.length).toBe(settled + 1)
      expect(await movedSince(stage(), before)).toEqual(once(network))
    })

    for (const verify of ["error", "garbage", "reset", "throttle", "hang", "blind"] as const) {
      it(`a payment on ${network} whose check it answers with "${verify}" is 503 and stays good`, async () => {
        const payment = await newPayment(network)
        const before = await readBooks(stage())
        expectUnknown(await whileIt({ verify }, () => send(payment)))
        expect(await movedSince(stage(), before)).toEqual(NOTHING)
        expect((await send(payment)).status).toBe(200)
      })
    }

    it(`a payment on ${network} it calls invalid is 402 and not settled`, async () => {
      const payment = await newPayment(network)
      const before = await readBooks(stage())
      const answer = await whileIt({ verify: "always-invalid" }, () => send(payment))
      expect([answer.status, reasonOf(answer)]).toEqual([402, "invalid_because_we_say_so"])
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
    })
  }

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
