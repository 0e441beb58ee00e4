import { describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { engineVersion } from "../../../../src/screening/base/analysis/thread-file.ts"

describe("the engine's version", () => {
  it("changes with any module the thread is made of, and with nothing else", () => {
    const directory = mkdtempSync(join(tmpdir(), "token-risk-engine-"))
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
    const version = () => engineVersion(pathToFileURL(join(directory, "thread.js")))
    write("thread.js", 'import { rule } from "./rule.js"\nimport "package"\nawait import("./late.js")\n')
    write("rule.js", 'export { deep as rule } from"./deep.js";')
    write("deep.js", 'import "./thread.js"\nexport const deep = 1')
    write("late.js", "")
    write("other.js", "")
    const first = version()
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    write("other.js", "export {}")
    expect(version()).toBe(first)
    write("deep.js", 'import "./thread.js"\nexport const deep = 2')
    const second = version()
    expect(second).not.toBe(first)
    write("late.js", "export {}")
    expect(version()).not.toBe(second)
    rmSync(directory, { recursive: true })
  })

  it("is that of the engine here, whatever it is run from", () => {
    expect(engineVersion()).toMatch(/^[0-9a-f]{64}$/)
    expect(engineVersion()).toBe(engineVersion())
  })
})
