import { afterEach, beforeEach, describe, expect, it, vi } from "@effect/vitest"
import { UnexpectedAnswer } from "../../src/client/index.ts"
import type { Reply } from "../support/client/stage.ts"
import { TOKEN, ok, stage, errorOf } from "../support/client/stage.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("errors", () => {
  it("are real errors with a name, a message, a code and what was charged", async () => {
    const { ping } = await stage([
      () => new Response('{"error":"no pools found for this token"}', { status: 404 })
    ])
    const error = errorOf((await ping()).error)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: "TokenNotFound",
      code: "token_not_found",
      charged: false,
      message: "no pools found for this token"
    })
  })

  it("name the address when another server answers", async () => {
    const html: Reply = () => new Response("<h1>It works</h1>", { headers: { "content-type": "text/html" } })
    const missing: Reply = () => new Response("not here", { status: 404 })
    const elsewhere: Reply = () =>
      new Response(null, { status: 302, headers: { location: "https://evil.test" } })
    for (const reply of [html, missing, elsewhere]) {
      const { error } = await (await stage([reply])).ping()
      expect(error).toBeInstanceOf(UnexpectedAnswer)
      expect(errorOf(error).message).toMatch(/risk\.test.*[Cc]heck the address/)
    }
  })

  it("of the input name what is allowed, before anything is sent", async () => {
    const { client, seen } = await stage([ok])
    const wrong = [
      ["ethereum", TOKEN, '"solana" or "base"'],
      ["base", "0x123", "40 hex digits"],
      ["solana", "0OIl", "base58 of 32 bytes"]
    ] as const
    for (const [chain, address, text] of wrong) {
      // @ts-expect-error: callers without types can name any chain.
      await expect(client.ping(chain, address)).rejects.toThrow(text)
    }
    for (const usd of [Number.NaN, Number.POSITIVE_INFINITY, -5])
      await expect(client.screen("base", TOKEN, usd)).rejects.toThrow("finite")
    expect(seen).toEqual([])
  })
})
