import type { HttpServerRequest } from "@effect/platform"
import { checkoutPath } from "../../api/checkout.ts"
import { META } from "../../domain/mcp-meta.ts"
import { ALL_OPERATIONS, MCP_PATH, operationAt, TOKEN_RISK_PATH } from "../../domain/catalog.ts"
import { HEALTH } from "../health.ts"
import { routedPathOf } from "../path.ts"
import { toolCallsIn } from "./tool-calls.ts"

/** What a request costs us, from a look at it. Each class has room of its own, so that none can crowd out another. */
export const CLASSES = ["health", "documents", "challenge", "free", "paid", "checkout", "webhooks"] as const
export type RequestClass = (typeof CLASSES)[number]

/** The room of one class. */
export interface Room {
  /** Requests worked on at once. */
  readonly slots: number
  /** Of these, how many one address may have. */
  readonly slotsPerAddress: number
  /** Requests of one address that may wait for a slot. */
  readonly waitingPerAddress: number
  /** Longest wait for a slot. */
  readonly waitSeconds: number
  /** Longest time in the slot. */
  readonly seconds: number
  /** Requests one address may send at once, and how many a second it gets back. */
  readonly burst: number
  readonly perSecond: number
}

const room = (slots: number, seconds: number, burst: number, perSecond: number, waitSeconds = 5): Room => ({
  slots,
  slotsPerAddress: Math.max(1, Math.floor(slots / 2)),
  waitingPerAddress: 512,
  waitSeconds,
  seconds,
  burst,
  perSecond
})

/** Health is measured but never refused: a service that is busy must still say that it lives. */
export type LimitedClass = Exclude<RequestClass, "health">

/**
 * The rooms. A busy honest agent asks hundreds of prices a second and has tens of paid calls under way; half of each
 * room always stays for others. Free work may take at most half of the screenings that run at once, so that the other
 * half is there for those who pay.
 */
export const makeRooms = (screeningConcurrency: number): Readonly<Record<LimitedClass, Room>> => ({
  documents: room(64, 20, 400, 200),
  challenge: room(256, 10, 2_000, 1_000),
  free: room(Math.max(1, Math.min(16, Math.floor(screeningConcurrency / 2))), 30, 1_000, 200, 15),
  // Settling goes on in a scope of the application when this cuts the wait for it.
  paid: room(128, 90, 1_000, 500, 10),
  checkout: room(64, 90, 1_000, 200, 10),
  // Nobody changes where events go, or asks for old ones again, many times a second. The deliveries themselves have
  // limits of their own, see `checkout/webhooks/sender.ts`.
  webhooks: room(16, 30, 60, 2)
})

/** The router's own terms: letter case, doubled and trailing slashes do not matter. */
const normalPath = (request: HttpServerRequest.HttpServerRequest): string =>
  routedPathOf(request)
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")

const HEALTH_PATHS: ReadonlySet<string> = new Set(Object.values(HEALTH))

/** Whether a path, in its plain spelling, is one of the health endpoints. */
export const isHealth = (path: string): boolean => HEALTH_PATHS.has(path)

/** Where what was bought is fetched again, or bought anew. */
const PURCHASE_PATHS: ReadonlySet<string> = new Set(
  ALL_OPERATIONS.map(({ purchasesRoute }) => TOKEN_RISK_PATH + purchasesRoute)
)

/** What changes where a merchant's events go, or sends one again. */
const isAboutWebhooks = (method: string, path: string): boolean =>
  (method === "PATCH" && path.endsWith("/merchant")) ||
  (method === "POST" && /\/events\/[^/]+\/replay$/.test(path))

/**
 * What a tool call will cost. A caller who names a payment or a client id without using it gets less room, not more.
 */
const toolClass = (request: HttpServerRequest.HttpServerRequest, body: string): RequestClass => {
  const calls = toolCallsIn(body)
  if (calls.some((meta) => meta[META.payment] !== undefined)) return "paid"
  const isNamed = request.headers["x-client-id"] !== undefined
  return calls.some((meta) => isNamed || meta[META.clientId] !== undefined) ? "free" : "challenge"
}

/** The class of a request whose body (empty when it has none) has arrived. */
export const makeClassify = (checkoutService: string) => {
  const checkout = `${checkoutPath(checkoutService)}/`
  return (request: HttpServerRequest.HttpServerRequest, body: string): RequestClass => {
    const path = normalPath(request)
    if (isHealth(path)) return "health"
    if (path === MCP_PATH) return toolClass(request, body)
    if (path.startsWith(checkout)) return isAboutWebhooks(request.method, path) ? "webhooks" : "checkout"
    const operation = operationAt(path)
    const isSold = operation !== undefined || PURCHASE_PATHS.has(path)
    const isPaying = request.method !== "HEAD" && request.headers["payment-signature"] !== undefined
    if (isSold && isPaying) return "paid"
    if (operation === undefined) return "documents"
    if (request.method === "HEAD") return "challenge"
    return operation.hasFreeCalls && request.headers["x-client-id"] !== undefined ? "free" : "challenge"
  }
}
