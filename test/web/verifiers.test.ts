import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import ts from "typescript"
import { verifyReport } from "../../src/client/index.ts"
import { makeTestVector } from "../../src/web/test-vector.ts"
import { JAVASCRIPT_VERIFIER, PYTHON_VERIFIER, TYPESCRIPT_VERIFIER } from "../../src/web/verifiers.ts"

const vector = makeTestVector()
const genuine = JSON.stringify(vector.report)

/** Texts that must not verify, each changed in one place. */
const FORGED: ReadonlyArray<readonly [string, string]> = [
  ["another verdict", genuine.replace('"caution"', '"allow"')],
  ["another number", genuine.replace("38.5", "8.5")],
  ["a member added", genuine.replace("{", '{"extra":1,')],
  ["another digest", genuine.replace(vector.report.attestation.digest, "0".repeat(64))],
  ["another HMAC", genuine.replace(vector.report.attestation.hmac, "0".repeat(64))],
  ["another signature", genuine.replace(vector.report.attestation.signature, `${"A".repeat(85)}Q`)]
]

let directory = ""
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "token-risk-verify-"))
  writeFileSync(join(directory, "verify.py"), PYTHON_VERIFIER)
  writeFileSync(join(directory, "jwks.json"), JSON.stringify(vector.jwks))
})
afterAll(() => {
  rmSync(directory, { recursive: true })
})

const python = (text: string): string => {
  writeFileSync(join(directory, "report.json"), text)
  return execFileSync("python3", ["verify.py", "report.json", "jwks.json"], {
    cwd: directory,
    encoding: "utf8"
  }).trim()
}

describe("the published test vector", () => {
  it("verifies, and its keys open nothing else", async () => {
    expect((await verifyReport(JSON.parse(genuine), vector.jwks)).verdict).toBe("caution")
    expect(vector.canonical).toMatch(/^\{"address":"0x42.*"liquidityUsd":1e\+21,.*"priceUsd":1\.499e-7,/)
  })
})

describe("the published verifiers", () => {
  it("in TypeScript agrees with the service on the vector and on forgeries of it", async () => {
    const { outputText } = ts.transpileModule(TYPESCRIPT_VERIFIER, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
    })
    const file = join(directory, "verify.mjs")
    writeFileSync(file, outputText)
    const { verify } = await import(pathToFileURL(file).href)
    expect(await verify(JSON.parse(genuine), vector.jwks)).toBe(true)
    expect(await verify(JSON.parse(genuine), { keys: [] })).toBe(false)
    for (const [what, text] of FORGED)
      expect([what, await verify(JSON.parse(text), vector.jwks)]).toEqual([what, false])
    expect(TYPESCRIPT_VERIFIER.split("\n").length).toBeLessThanOrEqual(28)
    expect(JAVASCRIPT_VERIFIER).not.toMatch(/: any|export/)
  })

  it("in Python, with nothing but its standard library, does too", () => {
    expect(python(genuine)).toBe("verified")
    for (const [what, text] of FORGED) expect([what, python(text)]).toEqual([what, "NOT VERIFIED"])
  })
})
