import { spawn } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandLineProgram } from "../../scripts/sandbox/service.ts"
import { run } from "../support/cli/run.ts"
import { openShop } from "../support/cli/shop.ts"
import { environment, fileOf, pingArgs } from "../support/cli/arguments.ts"

/** A command line in a process of its own; `ready` says when it gets the signal. */
const interrupted = (args: ReadonlyArray<string>, signal: "SIGINT" | "SIGTERM", ready: () => boolean) =>
  Effect.flatMap(commandLineProgram, (program) =>
    Effect.promise(
      () =>
        new Promise<{ readonly code: number | null; readonly out: string }>((resolve) => {
          const child = spawn(process.execPath, [program, ...args], {
            env: { ...process.env, ...environment },
            stdio: ["ignore", "pipe", "ignore"]
          })
          let out = ""
          child.stdout.on("data", (chunk) => (out += String(chunk)))
          const waiting = setInterval(() => {
            if (ready()) {
              clearInterval(waiting)
              child.kill(signal)
            }
          }, 20)
          // Not "exit": what it has printed may come after that.
          child.once("close", (code) => {
            clearInterval(waiting)
            resolve({ code, out })
          })
        })
    )
  )

describe("a command that is interrupted", () => {
  it.scopedLive("ends with 130, so that nothing after && runs, and says what it knows of the money", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent"
      const ping = pingArgs(shop.url, "--json", "--yes")
      const early = yield* interrupted(ping, "SIGTERM", () => shop.asked() > 0)
      expect(early.code).toBe(130)
      expect(JSON.parse(early.out)).toEqual({
        error: "Interrupted. Nothing was paid.",
        code: "interrupted",
        charged: false
      })
      shop.mode = "silent when paid"
      const late = yield* interrupted(ping, "SIGINT", () => shop.paid() > 0)
      expect(late.code).toBe(130)
      expect(JSON.parse(late.out)).toMatchObject({ code: "interrupted", charged: null })
    })
  )

  it.scopedLive("names the payment it had sent, also one that was signed before", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const ping = pingArgs(shop.url, "--json")
      const first = yield* interrupted([...ping, "--yes"], "SIGINT", () => shop.paid() > 0)
      const { payment } = JSON.parse(first.out)
      const again = yield* interrupted([...ping, "--payment", payment], "SIGINT", () => shop.paid() > 1)
      expect(again.code).toBe(130)
      expect(JSON.parse(again.out)).toMatchObject({ code: "interrupted", charged: null, payment })
      shop.mode = "safe"
      const answered = yield* run([...ping, "--payment-file", yield* fileOf(again.out)])
      expect(answered.code).toBe(0)
      expect(shop.paid()).toBe(3)
    })
  )

  it.scopedLive("names every payment it had sent, where several calls were under way", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const file = yield* fileOf(`0x${"a".repeat(40)}\n0x${"b".repeat(40)}\n`)
      const screen = [
        "screen",
        "base",
        "--file",
        file,
        "--url",
        shop.url,
        "--yes",
        "--json",
        "--timeout",
        "1m"
      ]
      const { code, out } = yield* interrupted(screen, "SIGINT", () => shop.paid() > 1)
      expect(code).toBe(130)
      const { charged, error } = JSON.parse(out)
      expect(charged).toBeNull()
      const payments = [...error.matchAll(/^ {2}--payment (\S+)$/gm)].map(([, payment]) => payment)
      expect(new Set(payments).size).toBe(2)
      shop.mode = "safe"
      for (const payment of payments)
        expect((yield* run(pingArgs(shop.url, "--json", "--payment", payment))).code).toBe(0)
    })
  )
})
