import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "@effect/vitest"

const SCRIPTS = fileURLToPath(new URL("../../scripts", import.meta.url))
const directories: Array<string> = []

/** A checkout with a build of older sources, from which a service is running. */
const checkout = () => {
  const root = mkdtempSync(join(tmpdir(), "token-risk-build-"))
  directories.push(root)
  for (const name of ["scripts", "src", "dist"]) mkdirSync(join(root, name))
  for (const name of ["build.mjs", "bundle.mjs", "code-cache.mjs", "literals.mjs", "start.mjs"])
    cpSync(join(SCRIPTS, name), join(root, "scripts", name))
  for (const name of ["package.json", "tsconfig.json", "tsconfig.build.json"])
    writeFileSync(join(root, name), "{}")
  writeFileSync(join(root, "src/main.ts"), "export const version = 2\n")
  writeFileSync(join(root, "dist/main.js"), "export const version = 1\n")
  return root
}

const build = (root: string, npmCommand: string, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(root, "scripts/build.mjs"), ...args], {
    env: { ...process.env, npm_command: npmCommand },
    encoding: "utf8"
  }).status

afterEach(() => {
  for (const root of directories.splice(0)) rmSync(root, { recursive: true })
})

describe("the build", () => {
  it("called by npx leaves the files of a running service alone, whatever changed", () => {
    const root = checkout()
    expect(build(root, "exec", "--prepare")).toBe(0)
    expect(readFileSync(join(root, "dist/main.js"), "utf8")).toContain("version = 1")
  })

  it("that fails leaves the last one in place", () => {
    const root = checkout()
    expect(build(root, "install", "--prepare")).not.toBe(0)
    expect(readFileSync(join(root, "dist/main.js"), "utf8")).toContain("version = 1")
  })
})
