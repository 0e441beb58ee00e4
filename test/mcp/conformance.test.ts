import { spawn } from "node:child_process"
import { join } from "node:path"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { MCP_PATH } from "../../src/domain/catalog.ts"
import { RunningService } from "../support/service.ts"

/**
 * The official runner's server scenarios that apply to a stateless server with tools and nothing else.
 * Left out, because they need what this server does not offer or need not have:
 * - logging-set-level, completion-complete, resources-*, prompts-*: capabilities the server does not declare.
 * - tools-call-simple-text, -image, -audio, -embedded-resource, -mixed-content, -with-logging, -with-progress,
 *   -sampling, -elicitation, json-schema-2020-12, elicitation-sep1034-*, elicitation-sep1330-*: they call tools of the
 *   runner's own reference server by name (`test_simple_text` …). Ours are called in `mcp.test.ts`, with both eras.
 * - server-sse-polling, server-sse-multiple-streams: need sessions and resumable streams; stateless servers have none.
 */
const APPLICABLE = ["server-initialize", "ping", "tools-list", "tools-call-error", "dns-rebinding-protection"]

const root = join(import.meta.dirname, "..", "..")
const RUNNER = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const LOADER = join(import.meta.dirname, "../support/mcp/conformance-loader.mjs")

const conformance = (url: string, scenario: string) =>
  Effect.async<{ readonly code: number | null; readonly output: string }>((resume) => {
    const child = spawn(process.execPath, [
      "--import",
      LOADER,
      RUNNER,
      "server",
      "--url",
      url,
      "--scenario",
      scenario
    ])
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.once("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill())
  })

describe("the official conformance runner", () => {
  layer(RunningService.layer, { excludeTestServices: true, timeout: "3 minutes" })((it) => {
    for (const scenario of APPLICABLE) {
      it.effect(
        `passes ${scenario}`,
        () =>
          Effect.gen(function* () {
            const { service } = yield* RunningService
            const { code, output } = yield* conformance(service.url + MCP_PATH, scenario)
            expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
            expect(code).toBe(0)
          }),
        { timeout: 60_000 }
      )
    }
  })
})
