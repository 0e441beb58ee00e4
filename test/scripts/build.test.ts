import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
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

/** In place of the compiler and the bundler: a build of one file, in no time. */
const quickly = (root: string) => {
  mkdirSync(join(root, "node_modules/@typescript/native/bin"), { recursive: true })
  writeFileSync(join(root, "node_modules/@typescript/native/bin/tsc"), "")
  writeFileSync(
    join(root, "scripts/bundle.mjs"),
    `import { mkdirSync, writeFileSync } from "node:fs"
export const root = ${JSON.stringify(root)}
export const fingerprint = () => "2"
export const bundle = async (outdir) => {
  mkdirSync(outdir + "/cli")
  writeFileSync(outdir + "/cli/main.js", "export const version = 2")
}`
  )
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

  it("made by one account is readable by the one that runs the service, as its umask says", () => {
    const root = checkout()
    quickly(root)
    expect(build(root, "install", "--prepare")).toBe(0)
    expect(readFileSync(join(root, "dist/cli/main.js"), "utf8")).toContain("version = 2")
    expect(statSync(join(root, "dist")).mode & 0o777).toBe(0o777 & ~process.umask())
  })

  it("that fails leaves the last one in place", () => {
    const root = checkout()
    expect(build(root, "install", "--prepare")).not.toBe(0)
    expect(readFileSync(join(root, "dist/main.js"), "utf8")).toContain("version = 1")
  })
})
