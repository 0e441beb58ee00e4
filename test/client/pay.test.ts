import type { HttpClientRequest } from "@effect/platform"
import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Ref, TestClock } from "effect"
import { paymentErrorOf, withPayment } from "../../src/client/pay.ts"
import type { SpendingPolicy } from "../../src/client/policy.ts"
import { defaultPolicy } from "../../src/client/policy.ts"
import type { Wallet } from "../../src/client/wallet.ts"
import { BASE_NETWORK, BASE_USDC } from "../../src/domain/chain.ts"
import type { PaymentRequired } from "../../src/domain/x402.ts"

const URL_ = "https://risk.test/api/token-risk/v1/ping"

const challenge = (url = URL_): PaymentRequired => ({
  x402Version: 2,
  error: "Payment Required",
  resource: { url, description: "", mimeType: "application/json" },
  accepts: [
    {
      scheme: "exact",
      network: BASE_NETWORK,
      amount: "5000",
      asset: BASE_USDC,
      payTo: "0x0000000000000000000000000000000000000001",
      maxTimeoutSeconds: 60,
      extra: {}
    }
  ]
})

type Reply = Response | "lost"
const unpaid = (url?: string) =>
  new Response("{}", {
    status: 402,
    headers: { "payment-required": Buffer.from(JSON.stringify(challenge(url))).toString("base64") }
  })
const ok = () => new Response("{}", { status: 200 })
const busy = () => new Response("{}", { status: 503, headers: { "retry-after": "2" } })

/** A server that plays its replies in order; the last one stands for the rest. */
const scenario = (replies: ReadonlyArray<() => Reply>, policy: Partial<SpendingPolicy> = {}) =>
  Effect.gen(function* () {
    const spent = yield* Ref.make(0n)
    const seen: Array<string | undefined> = []
    let signatures = 0
    const wallet: Wallet = {
      networks: [BASE_NETWORK],
      sign: () => Effect.sync(() => `signature-${(signatures += 1)}`)
    }
    const server = HttpClient.make((request: HttpClientRequest.HttpClientRequest) => {
      const reply = (replies[seen.length] ?? replies.at(-1) ?? ok)()
      seen.push(request.headers["payment-signature"])
      return reply === "lost"
        ? Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport" }))
        : Effect.succeed(HttpClientResponse.fromWeb(request, reply))
    })
    const client = withPayment({ wallet, policy: { ...defaultPolicy, ...policy }, spent })(server)
    const fiber = yield* Effect.fork(Effect.either(client.get(URL_)))
    yield* TestClock.adjust("2 minutes")
    const result = yield* Fiber.join(fiber)
    return { result, seen, spent: yield* Ref.get(spent), signatures }
  })

describe("a paying client", () => {
  it.effect("pays a 402 once and keeps account", () =>
    Effect.gen(function* () {
      const { result, seen, spent } = yield* scenario([unpaid, ok])
      expect(result._tag === "Right" && result.right.status).toBe(200)
      expect(seen).toEqual([undefined, "signature-1"])
      expect(spent).toBe(5000n)
    })
  )

  it.effect("sends the same payment again on 503 and on a lost reply, and never signs a second one", () =>
    Effect.gen(function* () {
      const { result, seen, signatures, spent } = yield* scenario([unpaid, busy, () => "lost", busy, ok])
      expect(result._tag === "Right" && result.right.status).toBe(200)
      expect(signatures).toBe(1)
      expect(seen.slice(1)).toEqual(["signature-1", "signature-1", "signature-1", "signature-1"])
      expect(spent).toBe(5000n)
    })
  )

  it.effect("gives up after a bounded number of repeats and counts the money as spent", () =>
    Effect.gen(function* () {
      const { result, seen, spent } = yield* scenario([unpaid, () => "lost"])
      expect(result._tag).toBe("Left")
      expect(seen).toHaveLength(7)
      expect(spent).toBe(5000n)
    })
  )

  it.effect("takes a refused payment off the account and does not sign again", () =>
    Effect.gen(function* () {
      const { result, signatures, spent } = yield* scenario([unpaid, unpaid])
      expect(result._tag === "Right" && result.right.status).toBe(402)
      expect(signatures).toBe(1)
      expect(spent).toBe(0n)
    })
  )

  it.effect("signs nothing that its policy forbids, and says why", () =>
    Effect.gen(function* () {
      const { result, signatures, spent } = yield* scenario([unpaid], { maxPerCall: 4_999n })
      expect(signatures).toBe(0)
      expect(spent).toBe(0n)
      expect(result._tag === "Left" && paymentErrorOf(result.left)?._tag).toBe("PolicyRefusal")
    })
  )

  it.effect("signs nothing for a challenge of another origin", () =>
    Effect.gen(function* () {
      const { result, signatures } = yield* scenario([() => unpaid("https://evil.test/ping")])
      expect(signatures).toBe(0)
      expect(result._tag === "Left" && paymentErrorOf(result.left)?._tag).toBe("MalformedChallenge")
    })
  )
})
