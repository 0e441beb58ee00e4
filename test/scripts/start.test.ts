import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"

const SCRIPTS = fileURLToPath(new URL("../../scripts", import.meta.url))
const directory = mkdtempSync(join(tmpdir(), "token-risk-start-"))
const program = join(directory, "main.cjs")
const cache = `${program}.cache`

const node = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" })

/** Starts the program as `npm start` does, and says what it printed; V8 complains on stderr of a flag it does not know. */
const start = (...options: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = node(...options, join(directory, "main.js"), "a word")
  return { status, stdout, stderr }
}

const isTaken = () => {
  const { stdout } = node(
    "--input-type=module",
    "-e",
    `import { load } from "./start.mjs"; console.log(load(${JSON.stringify(program)}).script.cachedDataRejected)`
  )
  return stdout.trim() === "false"
}

/** Holds 25 MB, gives up all of it eight times over, and prints how many megabytes its heap took at most. */
const CHURN = `const { getHeapStatistics } = require("node:v8")
const ring = []
let most = 0
for (let at = 0; at < 2400000; at++) {
  ring[at % 300000] = { at, more: [at, at] }
  if (at % 10000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size)
}
console.log(Math.round(most / 1e6))
`

const RUN = { status: 3, stdout: "a word, main.cjs\n", stderr: "" }

beforeAll(() => {
  for (const name of ["start.mjs", "code-cache.mjs"]) copyFileSync(join(SCRIPTS, name), join(directory, name))
  writeFileSync(
    program,
    `#!/usr/bin/env node\nconst { basename } = require("node:path")\n` +
      "console.log(process.argv[2] + ', ' + basename(__filename)); process.exitCode = 3"
  )
  writeFileSync(
    join(directory, "main.js"),
    'import { start } from "./start.mjs"\nstart(new URL("main.cjs", import.meta.url))\n'
  )
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
})
afterAll(() => rmSync(directory, { recursive: true }))

describe("a built program", () => {
  it("runs without compiled code", () => {
    expect(start()).toEqual(RUN)
  })

  it("runs with the code V8 compiled when it was built", () => {
    node("code-cache.mjs", program)
    expect(existsSync(cache)).toBe(true)
    expect(isTaken()).toBe(true)
    expect(start()).toEqual(RUN)
  })

  it("runs where the compiled code is another V8's, or broken", () => {
    const bytes = readFileSync(cache)
    for (const broken of [Buffer.alloc(0), bytes.subarray(0, 100), Buffer.from(bytes).fill(7, 4, 24)]) {
      writeFileSync(cache, broken)
      expect(isTaken()).toBe(false)
      expect(start()).toEqual(RUN)
    }
  })

  it("runs with source maps, which Node reads only of what it loads itself", () => {
    expect(start("--enable-source-maps")).toEqual(RUN)
  })

  it("collects what nobody needs any more before its heap has doubled", () => {
    writeFileSync(join(directory, "churn.cjs"), CHURN)
    writeFileSync(
      join(directory, "churn.js"),
      'import { start } from "./start.mjs"\nstart(new URL("churn.cjs", import.meta.url))\n'
    )
    const small = Number(node(join(directory, "churn.js")).stdout)
    const left = Number(node(join(directory, "churn.cjs")).stdout)
    expect(small).toBeGreaterThan(25)
    expect(small).toBeLessThan(0.75 * left)
  })
})
