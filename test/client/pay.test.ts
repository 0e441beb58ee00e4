import { afterEach, beforeEach, describe, expect, it, vi } from "@effect/vitest"
import {
  Aborted,
  BASE_NETWORK,
  createTokenRiskClient,
  MalformedChallenge,
  NetworkError,
  PaymentRefused,
  PolicyRefusal,
  TimedOut,
  TokenRiskError,
  UnexpectedAnswer
} from "../../src/client/index.ts"
import type { ClientOptions, Wallet } from "../../src/client/index.ts"
import { challengeFor, header, pingResult } from "../support/answers.ts"
import { termsFor } from "../support/payment/terms.ts"

const ORIGIN = "https://risk.test"
const TOKEN = "0x4200000000000000000000000000000000000006"

const challenge = (url: string) =>
  challengeFor(url, [
    { scheme: "upto", network: BASE_NETWORK, amount: "1" },
    { ...termsFor("0x0000000000000000000000000000000000000001", 5_000n), extra: {} }
  ])

const PING = pingResult(true)
const RECEIPT = { success: true, transaction: "0x1", network: BASE_NETWORK }

type Reply = () => Response | "lost" | "silent"
const unpaid =
  (url = `${ORIGIN}/x`): Reply =>
  () =>
    new Response("{}", { status: 402, headers: { "payment-required": header(challenge(url)) } })
const refused =
  (errorReason: string): Reply =>
  () =>
    new Response("{}", {
      status: 402,
      headers: {
        "payment-required": header(challenge(ORIGIN)),
        "payment-response": header({ success: false, errorReason, transaction: "", network: "" })
      }
    })
const ok: Reply = () =>
  new Response(JSON.stringify(PING), { headers: { "payment-response": header(RECEIPT) } })
const busy: Reply = () => new Response('{"error":"busy"}', { status: 503, headers: { "retry-after": "2" } })

/** A client of a server that plays its replies in order; the last one stands for the rest. */
const stage = async (replies: ReadonlyArray<Reply>, options: Partial<ClientOptions> = {}) => {
  const seen: Array<string | null> = []
  let signatures = 0
  const wallet: Wallet = { networks: [BASE_NETWORK], sign: async () => `signature-${(signatures += 1)}` }
  const client = await createTokenRiskClient({
    baseUrl: ORIGIN,
    wallet,
    fetch: async (_url, init) => {
      const reply = (replies[seen.length] ?? replies.at(-1) ?? ok)()
      seen.push(new Headers(init.headers).get("payment-signature"))
      if (reply === "lost") throw new TypeError("fetch failed")
      if (reply !== "silent") return reply
      return new Promise((_, reject) =>
        init.signal?.addEventListener("abort", () => reject(new Error("aborted")))
      )
    },
    ...options
  })
  /** Runs a ping to its end, however long it waits. */
  const ping = async (call = {}) => {
    const ended = client.ping("base", TOKEN, call).then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => ({ value: undefined, error })
    )
    await vi.advanceTimersByTimeAsync(120_000)
    return ended
  }
  return { client, ping, seen, signatures: () => signatures }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const errorOf = (error: unknown): TokenRiskError => {
  if (error instanceof TokenRiskError) return error
  throw new Error(`no TokenRiskError: ${String(error)}`)
}

describe("a paying client", () => {
  it("pays a 402 once, keeps account and the receipt", async () => {
    const { client, ping, seen } = await stage([unpaid(), ok])
    expect((await ping()).value?.receipt).toEqual(RECEIPT)
    expect(seen).toEqual([null, "signature-1"])
    expect(await client.spent()).toBe(5000n)
    expect(client.receipts()).toMatchObject([{ amount: 5000n, receipt: RECEIPT }])
  })

  it("sends the same payment again on 503 and on a lost reply, and never signs a second one", async () => {
    const { client, ping, seen, signatures } = await stage([unpaid(), busy, () => "lost", busy, ok])
    expect((await ping()).value?.result.safe).toBe(true)
    expect(signatures()).toBe(1)
    expect(seen.slice(1)).toEqual(["signature-1", "signature-1", "signature-1", "signature-1"])
    expect(await client.spent()).toBe(5000n)
  })

  it("gives up after a bounded number of repeats, counts the money as spent and does not know if it is", async () => {
    const { client, ping, seen } = await stage([unpaid(), () => "lost"], { timeoutMs: 60_000 })
    const error = errorOf((await ping()).error)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ code: "network", charged: null, payment: "signature-1" })
    expect(seen).toHaveLength(7)
    expect(await client.spent()).toBe(5000n)
  })

  it("sends an open payment first at the next identical call, instead of a second one", async () => {
    const lost: Reply = () => "lost"
    const { client, ping, seen, signatures } = await stage([unpaid(), lost, lost, lost, lost, lost, lost, ok])
    expect(errorOf((await ping()).error).charged).toBeNull()
    expect((await ping()).value?.result.safe).toBe(true)
    expect(signatures()).toBe(1)
    expect(seen.at(-1)).toBe("signature-1")
    expect(await client.spent()).toBe(5000n)
  })

  it("sends the payment of another process, and signs anew only when that one is refused", async () => {
    const first = await stage([ok])
    await first.ping({ payment: "from-elsewhere" })
    expect(first.seen).toEqual(["from-elsewhere"])
    expect(first.signatures()).toBe(0)
    const second = await stage([refused("invalid_exact_evm_payload_authorization_valid_before"), ok])
    expect((await second.ping({ payment: "from-elsewhere" })).value?.result.safe).toBe(true)
    expect(second.seen).toEqual(["from-elsewhere", "signature-1"])
  })

  it("takes a refused payment off the account, names the reason and does not sign again", async () => {
    const { client, ping, signatures } = await stage([unpaid(), refused("insufficient_funds")])
    const error = errorOf((await ping()).error)
    expect(error).toBeInstanceOf(PaymentRefused)
    expect(error).toMatchObject({ code: "payment_refused", reason: "insufficient_funds", charged: false })
    expect(error.message).toContain("insufficient_funds")
    expect(signatures()).toBe(1)
    expect(await client.spent()).toBe(0n)
  })

  it("does not call a payment unspent that the service says is used", async () => {
    const { client, ping } = await stage([unpaid(), () => "lost", refused("payment_already_used")])
    expect(errorOf((await ping()).error).charged).toBeNull()
    expect(await client.spent()).toBe(5000n)
  })

  it("signs nothing that its policy forbids or nobody approves, and says why", async () => {
    const policy = {
      maxPerCall: 4_999n,
      budget: 9_999n,
      networks: [BASE_NETWORK],
      maxTimeoutSeconds: 120
    } as const
    for (const options of [{ policy }, { approve: () => false }]) {
      const { client, ping, signatures } = await stage([unpaid()], options)
      const { error } = await ping()
      expect(error).toBeInstanceOf(PolicyRefusal)
      expect(errorOf(error).message).toContain("the spending policy forbids this payment")
      expect(signatures()).toBe(0)
      expect(await client.spent()).toBe(0n)
    }
  })

  it("pays nothing without a wallet, and says what is missing", async () => {
    const client = await createTokenRiskClient({
      baseUrl: ORIGIN,
      fetch: async () =>
        new Response("{}", { status: 402, headers: { "payment-required": header(challenge(`${ORIGIN}/x`)) } })
    })
    const error = errorOf(await client.ping("base", TOKEN).catch((failure: unknown) => failure))
    expect(error).toBeInstanceOf(PolicyRefusal)
    expect(error.message).toContain(`no wallet for ${BASE_NETWORK}`)
    expect(await client.spent()).toBe(0n)
  })

  it("signs nothing for a challenge of another origin, or for no challenge at all", async () => {
    const bare: Reply = () => new Response("{}", { status: 402 })
    for (const reply of [unpaid("https://evil.test/ping"), bare]) {
      const { ping, signatures } = await stage([reply])
      expect((await ping()).error).toBeInstanceOf(MalformedChallenge)
      expect(signatures()).toBe(0)
    }
  })
})

describe("time-outs and signals", () => {
  it("end a call to a silent server, after a short time when nothing else is said", async () => {
    for (const [options, milliseconds] of [
      [{}, 15_000],
      [{ timeoutMs: 250 }, 250]
    ] as const) {
      const { client } = await stage([() => "silent"])
      let error: unknown
      const ended = client.ping("base", TOKEN, options).catch((reason: unknown) => {
        error = reason
      })
      await vi.advanceTimersByTimeAsync(milliseconds - 1)
      expect(error).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await ended
      expect(error).toBeInstanceOf(TimedOut)
      expect(error).toMatchObject({ code: "timeout", charged: false })
    }
  })

  it("after the payment was sent leave it open: not charged is not known", async () => {
    const { client, ping } = await stage([unpaid(), () => "silent"])
    expect((await ping()).error).toMatchObject({ code: "timeout", charged: null, payment: "signature-1" })
    expect(await client.spent()).toBe(5000n)
  })

  it("aborted before the call, send nothing; before the signature, sign nothing; before the sending, pay nothing", async () => {
    const early = await stage([unpaid(), ok])
    expect((await early.ping({ signal: AbortSignal.abort() })).error).toBeInstanceOf(Aborted)
    expect(early.seen).toEqual([])

    const controller = new AbortController()
    const approve = () => {
      controller.abort()
      return true
    }
    const asked = await stage([unpaid(), ok], { approve })
    expect((await asked.ping({ signal: controller.signal })).error).toMatchObject({ charged: false })
    expect(asked.signatures()).toBe(0)

    const late = new AbortController()
    const wallet: Wallet = {
      networks: [BASE_NETWORK],
      sign: async () => {
        late.abort()
        return "signed"
      }
    }
    const signed = await stage([unpaid(), ok], { wallet })
    expect((await signed.ping({ signal: late.signal })).error).toBeInstanceOf(Aborted)
    expect(signed.seen).toEqual([null])
    expect(await signed.client.spent()).toBe(0n)
  })

  it("do not count the time in which somebody is asked to approve, and go on after it", async () => {
    const approve = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 60_000))
    const slow = await stage([unpaid(), ok], { approve })
    expect((await slow.ping()).value?.receipt).toEqual(RECEIPT)
    const silent = await stage([unpaid(), () => "silent"], { approve })
    expect((await silent.ping({ timeoutMs: 250 })).error).toBeInstanceOf(TimedOut)
    const asked = await stage([unpaid(), ok], { approve })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 1_000)
    expect((await asked.ping({ signal: controller.signal })).error).toBeInstanceOf(Aborted)
    expect(asked.signatures()).toBe(0)
  })

  it("end a call whose wallet does not answer; what it signs later is sent to nobody", async () => {
    let sign: (payment: string) => void = () => {}
    const wallet: Wallet = {
      networks: [BASE_NETWORK],
      sign: () => new Promise((resolve) => (sign = resolve))
    }
    const { client, ping, seen } = await stage([unpaid(), ok], { wallet })
    expect((await ping({ timeoutMs: 250 })).error).toBeInstanceOf(TimedOut)
    sign("late")
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toEqual([null])
    expect(await client.spent()).toBe(0n)
  })

  it("must be numbers above zero", async () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { ping, seen } = await stage([ok])
      expect((await ping({ timeoutMs })).error).toMatchObject({ code: "invalid_request", charged: false })
      expect(seen).toEqual([])
    }
  })
})

describe("errors", () => {
  it("are real errors with a name, a message, a code and what was charged", async () => {
    const { ping } = await stage([
      () => new Response('{"error":"no pools found for this token"}', { status: 404 })
    ])
    const error = errorOf((await ping()).error)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: "TokenNotFound",
      code: "token_not_found",
      charged: false,
      message: "no pools found for this token"
    })
  })

  it("name the address when another server answers", async () => {
    const html: Reply = () => new Response("<h1>It works</h1>", { headers: { "content-type": "text/html" } })
    const missing: Reply = () => new Response("not here", { status: 404 })
    const elsewhere: Reply = () =>
      new Response(null, { status: 302, headers: { location: "https://evil.test" } })
    for (const reply of [html, missing, elsewhere]) {
      const { error } = await (await stage([reply])).ping()
      expect(error).toBeInstanceOf(UnexpectedAnswer)
      expect(errorOf(error).message).toMatch(/risk\.test.*[Cc]heck the address/)
    }
  })

  it("of the input name what is allowed, before anything is sent", async () => {
    const { client, seen } = await stage([ok])
    const wrong = [
      ["ethereum", TOKEN, '"solana" or "base"'],
      ["base", "0x123", "40 hex digits"],
      ["solana", "0OIl", "base58 of 32 bytes"]
    ] as const
    for (const [chain, address, text] of wrong) {
      // @ts-expect-error: callers without types can name any chain.
      await expect(client.ping(chain, address)).rejects.toThrow(text)
    }
    for (const usd of [Number.NaN, Number.POSITIVE_INFINITY, -5])
      await expect(client.screen("base", TOKEN, usd)).rejects.toThrow("finite")
    expect(seen).toEqual([])
  })
})
