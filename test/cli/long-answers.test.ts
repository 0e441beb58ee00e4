import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSite } from "../../src/cli/doctor/site.ts"
import { makeTestVector } from "../../src/web/test-vector.ts"
import { run } from "../support/cli/run.ts"

const { jwks, report } = makeTestVector()

const REFUND = {
  refundId: "rfd_1",
  checkoutId: "chk_1",
  network: "eip155:8453",
  from: "0x0000000000000000000000000000000000000001",
  to: "0x0000000000000000000000000000000000000002",
  amount: "1",
  memo: null,
  transaction: null,
  call: null
}

/** A service whose answers are right, and have so many spaces behind them. */
const padded = (spaces: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const body = request.url?.endsWith("/refund") === true ? REFUND : jwks
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify(body) + " ".repeat(spaces))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}`,
            close: () => (server.closeAllConnections(), void server.close())
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const fileWith = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "token-risk-cli-"))
      const path = join(directory, "file")
      writeFileSync(path, text, { mode: 0o600 })
      return { directory, path }
    }),
    ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true }))
  )

const FEW = 1_000
const MANY = 2 * 1_048_576

describe("the command line reads no answer without end", () => {
  it.scopedLive("of a key set", () =>
    Effect.gen(function* () {
      const { path } = yield* fileWith(JSON.stringify(report))
      const { url } = yield* padded(FEW)
      expect(yield* run(["verify", path, "--url", url])).toMatchObject({ code: 0 })
      const endless = yield* padded(MANY)
      const refused = yield* run(["verify", path, "--url", endless.url])
      expect(refused).toMatchObject({ code: 5, out: "" })
      expect(refused.err).toContain("no key set could be read")
    })
  )

  it.scopedLive("of a prepared refund", () =>
    Effect.gen(function* () {
      const { path } = yield* fileWith("token")
      const { url } = yield* padded(FEW)
      const args = ["refund", "chk_1", "--token-file", path, "--url"]
      expect(yield* run([...args, url])).toMatchObject({ code: 0 })
      const endless = yield* padded(MANY)
      const refused = yield* run([...args, endless.url])
      expect(refused).toMatchObject({ code: 5, out: "" })
      expect(refused.err).toContain("gave no answer")
    })
  )

  it.scopedLive("of a deployment that is examined", () =>
    Effect.gen(function* () {
      const { url } = yield* padded(FEW)
      expect((yield* openSite(url).ask("/")).status).toBe(200)
      const endless = yield* padded(MANY)
      expect(yield* Effect.flip(openSite(endless.url).ask("/"))).toMatchObject({ _tag: "NoAnswer" })
    })
  )
})
