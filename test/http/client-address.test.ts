import { HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { ClientAddress, ClientAddressLive } from "../../src/http/client-address.ts"

const addressOf = (trust: string, peer: string, headers: Record<string, string> = {}) =>
  Effect.map(ClientAddress, (of) =>
    of(HttpServerRequest.fromWeb(new Request("http://x.test/", { headers })).modify({ remoteAddress: peer }))
  ).pipe(
    Effect.provide(ClientAddressLive),
    Effect.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["TRUST_PROXY", trust]]))))
  )

const PROXY = "10.0.0.5"
const xff = (value: string) => ({ "x-forwarded-for": value })
const fwd = (value: string) => ({ forwarded: value })

describe("the caller's address", () => {
  it.effect.each([
    ["nobody is trusted", "false", PROXY, xff("192.0.2.1"), PROXY],
    ["one proxy: the entry it wrote itself", "true", PROXY, xff("1.1.1.1, 192.0.2.1"), "192.0.2.1"],
    ["one proxy: with a port", "1", PROXY, xff("192.0.2.1:50123"), "192.0.2.1"],
    ["two proxies", "2", PROXY, xff("1.1.1.1, 192.0.2.1, 10.0.0.9"), "192.0.2.1"],
    ["fewer hops than proxies", "3", PROXY, xff("192.0.2.1"), "192.0.2.1"],
    ["no header", "1", PROXY, {}, PROXY],
    ["garbage", "1", PROXY, xff("<script>"), PROXY],
    ["an empty header", "1", PROXY, xff(" , "), PROXY],
    ["Forwarded", "1", PROXY, fwd('for=1.1.1.1, for="192.0.2.1:80";proto=https'), "192.0.2.1"],
    ["Forwarded, IPv6 with a port", "1", PROXY, fwd('for="[2001:db8:1:2::9]:4711"'), "2001:db8:1:2::/64"],
    ["Forwarded, hidden", "1", PROXY, fwd("for=_hidden"), PROXY],
    ["IPv6 in brackets with a port", "1", PROXY, xff("[2001:db8:1:2:3:4:5:6]:443"), "2001:db8:1:2::/64"],
    ["networks: an untrusted peer forwards nothing", "10.0.0.0/8", "192.0.2.9", xff("1.1.1.1"), "192.0.2.9"],
    [
      "networks: the first untrusted hop from the right",
      "10.0.0.0/8",
      PROXY,
      xff("9.9.9.9, 192.0.2.1, 10.1.1.1"),
      "192.0.2.1"
    ],
    [
      "networks: an IPv4 peer on an IPv6 socket",
      "10.0.0.0/8,::1",
      `::ffff:${PROXY}`,
      xff("192.0.2.1"),
      "192.0.2.1"
    ],
    ["networks: garbage by a proxy", "10.0.0.0/8", PROXY, xff("192.0.2.1, nonsense"), PROXY],
    [
      "a forged Forwarded beside the proxy's header",
      "1",
      PROXY,
      { ...xff("192.0.2.1"), ...fwd("for=1.1.1.1") },
      PROXY
    ],
    ["both headers in agreement", "1", PROXY, { ...xff("192.0.2.1"), ...fwd("for=192.0.2.1") }, "192.0.2.1"],
    ["IPv6 written out", "1", PROXY, xff("2001:0DB8:0001:0002:0000:0000:0000:0009"), "2001:db8:1:2::/64"],
    ["IPv6 with a zone", "1", PROXY, xff("[FE80::1%25eth0]:443"), "fe80:0:0:0::/64"],
    ["IPv4 in capitals", "1", PROXY, xff("::FFFF:192.0.2.1"), "192.0.2.1"],
    ["IPv4 in hex", "1", PROXY, xff("::ffff:c000:201"), "192.0.2.1"],
    ["IPv4 at full length, with a port", "1", PROXY, fwd('for="[0:0:0:0:0:ffff:192.0.2.1]:80"'), "192.0.2.1"],
    [
      "both headers in agreement, in two spellings",
      "1",
      PROXY,
      { ...xff("2001:db8:1:2::9"), ...fwd('for="[2001:DB8:1:2:0::9]"') },
      "2001:db8:1:2::/64"
    ],
    [
      "networks: a trusted hop in another spelling",
      "10.0.0.0/8,2001:db8::/32",
      PROXY,
      xff("192.0.2.1, ::ffff:a00:9, 2001:0db8::5"),
      "192.0.2.1"
    ],
    ["IPv6 peers by /64", "false", "2001:db8::1", {}, "2001:db8:0:0::/64"]
  ] as const)("%s", ([_name, trust, peer, headers, expected]) =>
    Effect.map(addressOf(trust, peer, headers), (address) => expect(address).toBe(expected))
  )

  it.effect.each(["perhaps", "11", "10.0.0.0/33", "10.0.0.0/8,x", "-1", "300.0.0.1"])(
    "TRUST_PROXY=%s is refused by name",
    (trust) =>
      Effect.map(Effect.flip(addressOf(trust, PROXY)), (error) =>
        expect(String(error)).toContain("TRUST_PROXY")
      )
  )
})
