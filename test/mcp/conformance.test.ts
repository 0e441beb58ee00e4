import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { MCP_PATH } from "../../src/domain/catalog.ts"
import { againstService, RunningService } from "../support/service.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

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

/** All scenarios in one process: loading the runner for each would cost more than what it does. */
const runAll = (url: string, directory: string) =>
  Effect.async<string>((resume) => {
    const args = ["--import", LOADER, RUNNER, "server", "--url", url, "--output-dir", directory]
    const child = spawn(process.execPath, args)
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.once("close", () => resume(Effect.succeed(output)))
    return Effect.sync(() => child.kill())
  })

const Checks = Schema.parseJson(Schema.Array(Schema.Struct({ name: Schema.String, status: Schema.String })))

/** What the runner found in a scenario, whose results it keeps in a folder `server-NAME-TIME`. */
const checksOf = (directory: string, scenario: string) => {
  const isOf = new RegExp(`^server-${scenario}-\\d`)
  const folder = readdirSync(directory).find((name) => isOf.test(name)) ?? "none"
  return Schema.decodeUnknownSync(Checks)(readFileSync(join(directory, folder, "checks.json"), "utf8"))
}

const temporaryDirectory = scopedFolder

againstService("the official conformance runner", (it) => {
  it.scoped(`passes ${APPLICABLE.join(", ")}, without a warning`, () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      const directory = yield* temporaryDirectory
      const output = yield* runAll(service.url + MCP_PATH, directory)
      for (const scenario of APPLICABLE) {
        expect(output).toMatch(new RegExp(`^✓ ${scenario}: [1-9]\\d* passed, 0 failed$`, "m"))
        const others = checksOf(directory, scenario).filter(({ status }) => status !== "SUCCESS")
        expect([scenario, others]).toEqual([scenario, []])
      }
    })
  )
})
