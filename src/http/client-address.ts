import type { HttpServerRequest } from "@effect/platform"
import { Config, Context, Effect, Layer, Option } from "effect"

/** Address used when the peer's is not known any more (it has hung up): all such callers share one bucket. */
const UNKNOWN = "unknown"

/**
 * The caller's address for rate limits. Behind one trusted proxy it is the right-most entry of `X-Forwarded-For`, the
 * one the proxy itself wrote; everything left of it is the caller's own claim.
 */
export class ClientAddress extends Context.Tag("token-risk/ClientAddress")<
  ClientAddress,
  (request: HttpServerRequest.HttpServerRequest) => string
>() {}

export const clientAddressConfig = Config.boolean("TRUST_PROXY").pipe(Config.withDefault(false))

const lastForwarded = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  const last = request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim()
  return last === "" ? undefined : last
}

/** IPv6 callers own a /64 each, so the last 64 bits say nothing about who is asking. */
const bucket = (address: string): string => {
  const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address
  if (!plain.includes(":")) return plain
  const [head = "", tail] = plain.split("::")
  const groups = head.split(":").filter((group) => group !== "")
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter((g) => g !== "").length
  const full = [...groups, ...Array.from({ length: missing }, () => "0"), ...(tail?.split(":") ?? [])]
  return `${full.slice(0, 4).join(":")}::/64`
}

export const ClientAddressLive = Layer.effect(
  ClientAddress,
  Effect.map(clientAddressConfig, (trustProxy) => (request: HttpServerRequest.HttpServerRequest) => {
    const peer = Option.getOrElse(request.remoteAddress, () => UNKNOWN)
    return bucket(trustProxy ? (lastForwarded(request) ?? peer) : peer)
  })
)
