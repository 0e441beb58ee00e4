import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { build } from "esbuild"
import { API_VERSION } from "../../src/api/version.ts"

const manifest = JSON.parse(
  readFileSync(new URL("../../packages/client/package.json", import.meta.url), "utf8")
)
const ENTRY = fileURLToPath(new URL("../../src/client/index.ts", import.meta.url))

describe("the client's package", () => {
  it("has the contract's version, no dependency, and its wallets' libraries as optional peers", () => {
    expect(manifest.version).toBe(API_VERSION)
    expect(manifest.dependencies).toBeUndefined()
    expect(manifest.type).toBe("module")
    expect(Object.keys(manifest.peerDependencies)).toEqual(Object.keys(manifest.peerDependenciesMeta))
  })

  it("bundles for a browser as it is, small, without anything of Node's", async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [ENTRY],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      logLevel: "silent"
    })
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
    expect(imports.filter(({ external }) => external === true)).toEqual([])
    expect(Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"))).toEqual([])
    const [bundle] = outputFiles
    expect(bundle?.text).not.toMatch(/\bBuffer\b|\bprocess\b|\brequire\(/)
    expect(bundle?.contents.length).toBeLessThan(40_000)
  })
})
