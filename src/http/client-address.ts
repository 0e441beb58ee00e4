import { Config, ConfigError, Context, Effect, Either, Layer, Option } from "effect"
import { BlockList, isIP, isIPv4, SocketAddress } from "node:net"

/** Address used when the peer's is not known any more (it has hung up): all such callers share one bucket. */
const UNKNOWN = "unknown"

/** Longest chain of proxies that may be named. */
const MAX_HOPS = 10

/** Who is believed about the caller's address: nobody, so many proxies, or these networks. */
export type TrustProxy =
  | { readonly _tag: "nobody" }
  | { readonly _tag: "hops"; readonly hops: number }
  | { readonly _tag: "networks"; readonly isTrusted: (address: string) => boolean }

const NOBODY: TrustProxy = { _tag: "nobody" }

/** One form per address: IPv4 that came in over an IPv6 socket is IPv4. */
const plain = (address: string): string => {
  if (!address.includes(":")) return address
  const text = address.toLowerCase().split("%", 1)[0] ?? ""
  return text.startsWith("::ffff:") && isIPv4(text.slice(7)) ? text.slice(7) : text
}

/** The same as the system writes its peers: proxies leave zeros in, write capitals, or IPv4 in hex, and it is one caller. */
const canonical = (address: string): string =>
  isIP(address) === 6 ? plain(new SocketAddress({ address, family: "ipv6" }).address) : address

const addNetwork = (list: BlockList, text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/")
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  const type = family === 4 ? "ipv4" : "ipv6"
  if (bits === undefined) {
    list.addAddress(address, type)
    return true
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false
  list.addSubnet(address, Number(bits), type)
  return true
}

const parseTrust = (text: string): TrustProxy | undefined => {
  const value = text.trim().toLowerCase()
  if (["false", "no", "off", "0"].includes(value)) return NOBODY
  if (["true", "yes", "on"].includes(value)) return { _tag: "hops", hops: 1 }
  if (/^\d{1,2}$/.test(value))
    return Number(value) <= MAX_HOPS ? { _tag: "hops", hops: Number(value) } : undefined
  const list = new BlockList()
  const networks = value.split(",").map((part) => part.trim())
  if (!networks.every((network) => addNetwork(list, network))) return undefined
  const isTrusted = (address: string) => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6")
  }
  return { _tag: "networks", isTrusted }
}

/** `TRUST_PROXY`: `false`, `true` (one proxy in front), a number of proxies, or the networks the proxies are in. */
export const clientAddressConfig: Config.Config<TrustProxy> = Config.nonEmptyString("TRUST_PROXY").pipe(
  Config.mapOrFail((text) =>
    Either.fromNullable(parseTrust(text), () =>
      ConfigError.InvalidData(
        ["TRUST_PROXY"],
        `must be false, true, a number of proxies up to ${MAX_HOPS}, or a comma-separated list of networks (10.0.0.0/8)`
      )
    )
  ),
  Config.withDefault(NOBODY)
)

/** An address as proxies write it: with a port, in brackets, or in quotes. `undefined` for names and garbage. */
const parseNode = (text: string): string | undefined => {
  const bare = text.trim().replace(/^"(.*)"$/, "$1")
  const inBrackets = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(bare)?.[1]
  const withoutPort = inBrackets ?? (/^[^:]+:\d{1,5}$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare)
  const address = canonical(plain(withoutPort))
  return isIP(address) === 0 ? undefined : address
}

type Hops = ReadonlyArray<string | undefined>

const list = (header: string): ReadonlyArray<string> => header.split(",").filter((part) => part.trim() !== "")

/** `X-Forwarded-For`: the addresses every proxy saw, the nearest one's last. */
const forwardedFor = (header: string): Hops => list(header).map(parseNode)

/** `Forwarded` (RFC 7239): the same in `for=` parameters. */
const forwarded = (header: string): Hops =>
  list(header).map((element) => {
    const pair = element.split(";").find((part) => /^\s*for\s*=/i.test(part))
    return pair === undefined ? undefined : parseNode(pair.slice(pair.indexOf("=") + 1))
  })

/** The caller in a chain of hops; everything left of what a trusted proxy wrote is the caller's own claim. */
const callerIn = (hops: Hops, trust: TrustProxy): string | undefined => {
  if (trust._tag === "hops") return hops[Math.max(0, hops.length - trust.hops)]
  if (trust._tag === "nobody") return undefined
  const nearest = hops.findLastIndex((hop) => hop === undefined || !trust.isTrusted(hop))
  return hops[Math.max(0, nearest)]
}

/** The parts of a request that say who sent it, as Node or the platform has them. */
interface Sender {
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly remoteAddress: Option.Option<string>
}

/** The caller as the trusted proxies saw it, or the peer itself. A pair of headers that disagree tells nothing. */
const callerOf = (peer: string, headers: Sender["headers"], trust: TrustProxy): string => {
  if (trust._tag === "nobody" || (trust._tag === "networks" && !trust.isTrusted(peer))) return peer
  const { forwarded: standard, "x-forwarded-for": usual } = headers
  const claims = [
    ...(typeof usual === "string" ? [forwardedFor(usual)] : []),
    ...(typeof standard === "string" ? [forwarded(standard)] : [])
  ].map((hops) => callerIn(hops, trust))
  const [first] = claims
  return first !== undefined && claims.every((claim) => claim === first) ? first : peer
}

/** IPv6 callers own a /64 each, so the last 64 bits say nothing about who is asking. */
const bucket = (address: string): string => {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::")
  const groups = head.split(":").filter((group) => group !== "")
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter((g) => g !== "").length
  const full = [...groups, ...Array.from({ length: missing }, () => "0"), ...(tail?.split(":") ?? [])]
  return `${full.slice(0, 4).join(":")}::/64`
}

/** The bucket of a connection's peer, whatever it forwards. */
export const peerBucket = (address: string | undefined): string =>
  address === undefined ? UNKNOWN : bucket(plain(address))

/** The caller's address for limits. Nobody is believed about it unless `TRUST_PROXY` names them. */
export class ClientAddress extends Context.Tag("token-risk/ClientAddress")<
  ClientAddress,
  (request: Sender) => string
>() {}

export const ClientAddressLive = Layer.effect(
  ClientAddress,
  Effect.map(clientAddressConfig, (trust) => (request: Sender) => {
    const peer = Option.match(request.remoteAddress, { onNone: () => UNKNOWN, onSome: plain })
    return bucket(callerOf(peer, request.headers, trust))
  })
)
