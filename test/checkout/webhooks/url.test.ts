import { describe, expect, it } from "@effect/vitest"
import { isPublicAddress, webhookUrlReason } from "../../../src/checkout/webhooks/url.ts"

describe("a webhook's address", () => {
  it.each([
    "https://shop.example/hook",
    "https://shop.example/hook?a=1",
    "https://8.8.8.8/x",
    "https://localhost.example/",
    "https://onion.shop.example/",
    "https://my-local.example/",
    "https://shop.example./hook",
    "https://[2606:4700::1]/"
  ])("may be %s", (url) => {
    expect(webhookUrlReason(url)).toBeUndefined()
  })

  it.each([
    "http://shop.example/",
    "https://user:pass@shop.example/",
    "https://user@shop.example/",
    "https://:pass@shop.example/",
    "https://shop.example/#x",
    "https://shop.example:8443/",
    "https://localhost/",
    "https://shop.localhost./",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://router/",
    "https://router./",
    "https://router../",
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "file:///etc/passwd",
    "https://shop.example/\u0000",
    "https://shop\u202e.example/",
    "https://shop.example/ho\nok",
    "not a url"
  ])("may not be %s", (url) => {
    expect(webhookUrlReason(url)).toMatch(/^must be/)
  })

  it.each([
    ["0.0.0.0", "0.255.255.255"],
    ["10.0.0.0", "10.255.255.255"],
    ["100.64.0.0", "100.127.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["169.254.0.0", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255"],
    ["192.88.99.0", "192.88.99.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["198.18.0.0", "198.19.255.255"],
    ["198.51.100.0", "198.51.100.255"],
    ["203.0.113.0", "203.0.113.255"],
    ["224.0.0.0", "255.255.255.255"],
    ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["x", ""]
  ])("may not resolve to anything from %s to %s", (first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false])
  })

  it.each([
    ["1.0.0.0", "9.255.255.255"],
    ["11.0.0.0", "100.63.255.255"],
    ["100.128.0.0", "126.255.255.255"],
    ["128.0.0.0", "169.253.255.255"],
    ["169.255.0.0", "172.15.255.255"],
    ["172.32.0.0", "191.255.255.255"],
    ["192.0.1.0", "192.0.1.255"],
    ["192.0.3.0", "192.88.98.255"],
    ["192.88.100.0", "192.167.255.255"],
    ["192.169.0.0", "198.17.255.255"],
    ["198.20.0.0", "198.51.99.255"],
    ["198.51.101.0", "203.0.112.255"],
    ["203.0.114.0", "223.255.255.255"],
    ["2000::", "2000:ffff::"],
    ["2001:200::", "2001:db7:ffff::"],
    ["2001:db9::", "2001:ffff::"],
    ["2003::", "3ffe:ffff::"],
    ["3fff:1000::", "3fff:ffff::"]
  ])("may resolve to what stands around them, from %s to %s", (first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([true, true])
  })
})
