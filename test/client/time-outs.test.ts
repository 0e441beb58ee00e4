import { afterEach, beforeEach, describe, expect, it, vi } from "@effect/vitest"
import { Aborted, BASE_NETWORK, TimedOut } from "../../src/client/index.ts"
import type { Wallet } from "../../src/client/index.ts"
import { TOKEN, RECEIPT, unpaid, ok, stage } from "../support/client/stage.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("time-outs and signals", () => {
  it("end a call to a silent server, after a short time when nothing else is said", async () => {
    for (const [options, milliseconds] of [
      [{}, 15_000],
      [{ timeoutMs: 250 }, 250]
    ] as const) {
      const { client } = await stage([() => "silent"])
      let error: unknown
      const ended = client.ping("base", TOKEN, options).catch((reason: unknown) => {
        error = reason
      })
      await vi.advanceTimersByTimeAsync(milliseconds - 1)
      expect(error).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await ended
      expect(error).toBeInstanceOf(TimedOut)
      expect(error).toMatchObject({ code: "timeout", charged: false })
    }
  })

  it("after the payment was sent leave it open: not charged is not known", async () => {
    const { client, ping } = await stage([unpaid(), () => "silent"])
    expect((await ping()).error).toMatchObject({ code: "timeout", charged: null, payment: "signature-1" })
    expect(await client.spent()).toBe(5000n)
  })

  it("aborted before the call, send nothing; before the signature, sign nothing; before the sending, pay nothing", async () => {
    const early = await stage([unpaid(), ok])
    expect((await early.ping({ signal: AbortSignal.abort() })).error).toBeInstanceOf(Aborted)
    expect(early.seen).toEqual([])

    const controller = new AbortController()
    const approve = () => {
      controller.abort()
      return true
    }
    const asked = await stage([unpaid(), ok], { approve })
    expect((await asked.ping({ signal: controller.signal })).error).toMatchObject({ charged: false })
    expect(asked.signatures()).toBe(0)

    const late = new AbortController()
    const wallet: Wallet = {
      networks: [BASE_NETWORK],
      sign: async () => {
        late.abort()
        return "signed"
      }
    }
    const signed = await stage([unpaid(), ok], { wallet })
    expect((await signed.ping({ signal: late.signal })).error).toBeInstanceOf(Aborted)
    expect(signed.seen).toEqual([null])
    expect(await signed.client.spent()).toBe(0n)
  })

  it("do not count the time in which somebody is asked to approve, and go on after it", async () => {
    const approve = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 60_000))
    const slow = await stage([unpaid(), ok], { approve })
    expect((await slow.ping()).value?.receipt).toEqual(RECEIPT)
    const silent = await stage([unpaid(), () => "silent"], { approve })
    expect((await silent.ping({ timeoutMs: 250 })).error).toBeInstanceOf(TimedOut)
    const asked = await stage([unpaid(), ok], { approve })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 1_000)
    expect((await asked.ping({ signal: controller.signal })).error).toBeInstanceOf(Aborted)
    expect(asked.signatures()).toBe(0)
  })

  it("end a call whose wallet does not answer; what it signs later is sent to nobody", async () => {
    let sign: (payment: string) => void = () => {}
    const wallet: Wallet = {
      networks: [BASE_NETWORK],
      sign: () => new Promise((resolve) => (sign = resolve))
    }
    const { client, ping, seen } = await stage([unpaid(), ok], { wallet })
    expect((await ping({ timeoutMs: 250 })).error).toBeInstanceOf(TimedOut)
    sign("late")
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toEqual([null])
    expect(await client.spent()).toBe(0n)
  })

  it("must be numbers above zero", async () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { ping, seen } = await stage([ok])
      expect((await ping({ timeoutMs })).error).toMatchObject({ code: "invalid_request", charged: false })
      expect(seen).toEqual([])
    }
  })
})
