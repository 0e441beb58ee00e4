import { describe, expect, it } from "@effect/vitest"
import { isPublicAddress, webhookUrlReason } from "../../../src/checkout/webhooks/url.ts"

describe("a webhook's address", () => {
  it.each([
    "https://shop.example/hook",
    "https://shop.example/hook?a=1",
    "https://8.8.8.8/x",
    "https://[2606:4700::1]/"
  ])("may be %s", (url) => {
    expect(webhookUrlReason(url)).toBeUndefined()
  })

  it.each([
    "http://shop.example/",
    "https://user:pass@shop.example/",
    "https://shop.example/#x",
    "https://shop.example:8443/",
    "https://localhost/",
    "https://shop.localhost./",
    "https://metadata.google.internal/",
    "https://intranet/",
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
    "0.0.0.0",
    "172.31.255.255",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "2001:db8::1",
    "x"
  ])("may not resolve to %s", (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
