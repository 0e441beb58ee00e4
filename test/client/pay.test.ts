import { afterEach, beforeEach, describe, expect, it, vi } from "@effect/vitest"
import {
  BASE_NETWORK,
  createTokenRiskClient,
  MalformedChallenge,
  NetworkError,
  PaymentRefused,
  PolicyRefusal
} from "../../src/client/index.ts"
import { header } from "../support/answers.ts"
import type { Reply } from "../support/client/stage.ts"
import {
  ORIGIN,
  TOKEN,
  challenge,
  RECEIPT,
  unpaid,
  refused,
  ok,
  busy,
  stage,
  errorOf
} from "../support/client/stage.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

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
