/** Requests to a running service, and payments for them signed by the official x402 clients. */
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http"
import { request as httpRequest } from "node:http"
import { connect } from "node:net"
import type { PaymentPayload, PaymentRequired, SettleResponse } from "@x402/core/types"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` for one that is no JSON. */
  readonly body: unknown
}

/** One screening, as a client asks for it. */
export interface Screening {
  readonly method: "GET" | "POST"
  readonly operation: "ping" | "deep"
  readonly chain: "base" | "solana"
  readonly address: string
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

export const ask = async (
  url: string,
  init: RequestInit = {},
  send: Fetch = globalThis.fetch
): Promise<Answer> => {
  const response = await send(url, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

export const pathOf = (operation: "ping" | "deep"): string => `/api/token-risk/v1/${operation}`

/** URL and `fetch` options of a screening. */
export const toHttp = (
  base: string,
  { address, chain, method, operation }: Screening,
  headers: Readonly<Record<string, string>> = {}
): readonly [string, RequestInit] =>
  method === "GET"
    ? [`${base}${pathOf(operation)}?${new URLSearchParams({ chain, address }).toString()}`, { headers }]
    : [
        `${base}${pathOf(operation)}`,
        {
          method,
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ chain, address })
        }
      ]

/** The terms in an answer, without the signature of the offer: that names the minute it was made in. */
export const termsIn = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) => (key === "signature" ? undefined : value))

export const screen = (
  base: string,
  screening: Screening,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> => ask(...toHttp(base, screening, headers))

/** The same with a payment header. */
export const pay = (base: string, screening: Screening, payment: string): Promise<Answer> =>
  screen(base, screening, { "payment-signature": payment })

export const challengeOf = (answer: Answer): PaymentRequired =>
  decodePaymentRequiredHeader(answer.headers.get("payment-required") ?? "")

/** The receipt of an answer; fails where there is none. */
export const receiptOf = (answer: Answer): SettleResponse =>
  decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "")

/** The machine-readable reason of a refused payment. */
export const reasonOf = (answer: Answer): string | undefined =>
  answer.headers.has("payment-response") ? receiptOf(answer).errorReason : undefined

export const encode = (payload: unknown): string =>
  Buffer.from(JSON.stringify(payload), "utf8").toString("base64")

/** A payment for a screening, signed by the official client after an unpaid request. */
export const signFor = async (base: string, screening: Screening, buyer: Buyer): Promise<PaymentPayload> =>
  buyer.client.createPaymentPayload(challengeOf(await screen(base, screening)))

/** `signFor` as a header value. */
export const paymentFor = async (base: string, screening: Screening, buyer: Buyer): Promise<string> =>
  encode(await signFor(base, screening, buyer))

/** A request through node:http, which sends what `fetch` would not: any method, any Host, any header. */
export const askRaw = (
  url: string,
  options: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string | Uint8Array
    readonly path?: string
  } = {}
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, pathname, port, search } = new URL(url)
    const request = httpRequest(
      {
        hostname,
        port,
        path: options.path ?? `${pathname}${search}`,
        method: options.method ?? "GET",
        headers: { ...options.headers },
        maxHeaderSize: 1 << 20,
        agent: false
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", reject)
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8")
          const headers = new Headers()
          for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value))
          resolve({ status: response.statusCode ?? 0, headers, text, body: parsed(text) })
        })
      }
    )
    request.once("error", reject)
    request.end(options.body)
  })

/** Writes bytes to the service's socket and gives everything it answers until it closes or goes quiet. */
export const askBytes = (url: string, bytes: string | Uint8Array, quietMs = 1_500): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ""
    const finish = (): void => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(quietMs, finish)
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.once("close", finish)
    socket.on("error", finish)
    socket.write(bytes)
  })

/** Starts a request whose caller can hang up. */
export const askAndHangUp = (
  url: string,
  init: RequestInit
): { readonly hangUp: () => void; readonly ended: Promise<unknown> } => {
  const controller = new AbortController()
  const ended = fetch(url, { ...init, signal: controller.signal }).catch(() => undefined)
  return { hangUp: () => controller.abort(), ended }
}
