import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundleScript } from "../support/bundled-script.ts"

let script: Awaited<ReturnType<typeof bundleScript>>
beforeAll(async () => {
  script = await bundleScript("test/support/primary.ts")
})
afterAll(() => script.remove())

const run = async (...args: ReadonlyArray<string>) => {
  const primary = spawn(process.execPath, [script.program, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const ended = new Promise<number | null>((resolve) => primary.once("close", resolve))
  const [out, err, code] = await Promise.all([text(primary.stdout), text(primary.stderr), ended])
  return { out, err, code }
}

describe("whoever is told something", () => {
  it("as a worker that has just died does not end the primary, which starts another", async () => {
    const { code, err, out } = await run()
    expect(err).not.toContain("EPIPE")
    expect(out).toMatch(/^told\n[^]*served again\n$/)
    expect(code).toBe(0)
  })

  it("as a primary that has gone does not cut the worker's drain", async () => {
    const { err, out } = await run("killed")
    expect(err).toBe("")
    expect(out).toBe("drained\n")
  })
})
