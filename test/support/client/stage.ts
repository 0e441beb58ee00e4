/** A client and a server that plays its replies, on fake timers. */
import { vi } from "@effect/vitest"
import { BASE_NETWORK, createTokenRiskClient, TokenRiskError } from "../../../src/client/index.ts"
import type { ClientOptions, Wallet } from "../../../src/client/index.ts"
import { challengeFor, header, pingResult } from "../answers.ts"
import { termsFor } from "../payment/terms.ts"

export const ORIGIN = "https://risk.test"
export const TOKEN = "0x4200000000000000000000000000000000000006"

export const challenge = (url: string) =>
  challengeFor(url, [
    { scheme: "upto", network: BASE_NETWORK, amount: "1" },
    { ...termsFor("0x0000000000000000000000000000000000000001", 5_000n), extra: {} }
  ])

export const PING = pingResult(true)
export const RECEIPT = { success: true, transaction: "0x1", network: BASE_NETWORK }

export type Reply = () => Response | "lost" | "silent"
export const unpaid =
  (url = `${ORIGIN}/x`): Reply =>
  () =>
    new Response("{}", { status: 402, headers: { "payment-required": header(challenge(url)) } })
export const refused =
  (errorReason: string): Reply =>
  () =>
    new Response("{}", {
      status: 402,
      headers: {
        "payment-required": header(challenge(ORIGIN)),
        "payment-response": header({ success: false, errorReason, transaction: "", network: "" })
      }
    })
export const ok: Reply = () =>
  new Response(JSON.stringify(PING), { headers: { "payment-response": header(RECEIPT) } })
export const busy: Reply = () =>
  new Response('{"error":"busy"}', { status: 503, headers: { "retry-after": "2" } })

/** A client of a server that plays its replies in order; the last one stands for the rest. */
export const stage = async (replies: ReadonlyArray<Reply>, options: Partial<ClientOptions> = {}) => {
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

export const errorOf = (error: unknown): TokenRiskError => {
  if (error instanceof TokenRiskError) return error
  throw new Error(`no TokenRiskError: ${String(error)}`)
}
