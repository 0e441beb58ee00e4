import { BlockList, isIP, isIPv4 } from "node:net"
import { isPrintable } from "../../domain/printable.ts"

/** Everything IANA marks as not globally reachable, and transition ranges that hide an IPv4 address. */
const closed = new BlockList()
const V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
] as const
const V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const
for (const [net, prefix] of V4) closed.addSubnet(net, prefix, "ipv4")
for (const [net, prefix] of V6) closed.addSubnet(net, prefix, "ipv6")

/** Only 2000::/3 is global unicast: loopback, ULA, link-local, mapped and translated addresses lie outside it. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet("2000::", 3, "ipv6")

/**
 * Whether an IP address belongs to the public internet. Source: IANA special-purpose address registries
 * (RFC 6890 and its updates).
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closed.check(address, "ipv4")
  return isIP(address) === 6 && globalUnicast.check(address, "ipv6") && !closed.check(address, "ipv6")
}

/** Names that never resolve on the public internet. Source: RFC 6761, RFC 6762, RFC 8375, ICANN. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|home\.arpa|onion|test|invalid)$/

/** The host of a URL without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

/**
 * Why a webhook cannot be delivered to this URL; `undefined` when it may be. What the name resolves to is checked again
 * at each delivery.
 */
export const webhookUrlReason = (text: string): string | undefined => {
  // What a URL's parser would drop without a word is none of its characters, and some texts no database would take.
  if (!URL.canParse(text) || !isPrintable(text)) return "must be an absolute https URL"
  const url = new URL(text)
  if (url.protocol !== "https:") return "must be an https URL"
  if (url.username !== "" || url.password !== "" || url.hash !== "")
    return "must be free of credentials and fragment"
  if (url.port !== "") return "must be on port 443"
  const host = hostOf(url)
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : "must be a public address"
  // A dot at the end says that a name is whole; it makes no public name of one label.
  const name = host.replace(/\.+$/, "")
  return PRIVATE_NAME.test(name) || !name.includes(".") ? "must be a public address" : undefined
}
