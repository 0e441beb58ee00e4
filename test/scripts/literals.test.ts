import { describe, expect, it } from "@effect/vitest"
import { build, type Plugin } from "esbuild"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spreadsBehindNull } from "../../scripts/literals.mjs"

/** Prints, as JSON, what each literal comes to and whether two objects it made share their hidden class. */
const PROGRAM = `
const given = JSON.parse('{ "a": 1, "b": 2, "__proto__": 3 }')
const [key, other] = [Symbol.for("key"), { b: 4, get read() { return 5 } }]
const makes: Record<string, (n: number) => object> = {
  added: (n) => ({ ...given, n }),
  overridden: (n) => ({ ...given, b: n, c: n }),
  keyed: (n) => ({ ...given, [key.description ?? ""]: n }),
  twoOfThem: () => ({ ...given, ...other }),
  nested: (n) => ({ ...given, inner: { ...other, n } }),
  accessor: (n) => ({ /* kept */ ...other, get twice() { return 2 * n } }),
  nothing: (n) => ({ ...(undefined as object | undefined), n })
}
const rest = ({ a, ...others }: { a: number }) => [a, others]
const told = Object.entries(makes).map(([name, make]) => {
  for (let times = 0; times < 100; times++) make(times)
  return [name, Object.entries(make(7)), %HaveSameMap(make(1), make(2))]
})
console.log(JSON.stringify([...told, rest(given)]))
`

/** What the program prints, built with these plugins. */
const printed = async (plugins: ReadonlyArray<Plugin>): Promise<ReadonlyArray<unknown>> => {
  const directory = mkdtempSync(join(tmpdir(), "token-risk-literals-"))
  try {
    const [source, outfile] = [join(directory, "program.ts"), join(directory, "program.js")]
    // What V8 alone understands is put in after the build.
    writeFileSync(source, PROGRAM.replace("%HaveSameMap(", "HaveSameMap("))
    const { outputFiles } = await build({
      entryPoints: [source],
      bundle: true,
      platform: "node",
      target: "node20",
      write: false,
      plugins: [...plugins]
    })
    writeFileSync(outfile, (outputFiles[0]?.text ?? "").replace(" HaveSameMap(", " %HaveSameMap("))
    const { stdout } = spawnSync(process.execPath, ["--allow-natives-syntax", outfile], { encoding: "utf8" })
    return JSON.parse(stdout)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

describe("literals that begin with a spread", () => {
  it("come to what they are written as, and their objects share a hidden class", async () => {
    const [plain, built] = await Promise.all([printed([]), printed([spreadsBehindNull])])
    const values = (told: ReadonlyArray<unknown>) =>
      told.map((one) => (Array.isArray(one) ? one.slice(0, 2) : one))
    expect(values(built)).toEqual(values(plain))
    expect(built.slice(0, -1)).toEqual(
      plain.slice(0, -1).map((one) => (Array.isArray(one) ? [one[0], one[1], true] : one))
    )
  })
})
