/**
 * Compiles `Early.sol` with compilers of 2018 and 2020, which are fetched for it into a directory of its own, and writes
 * the code beside it: `npx tsx test/support/bytecode/compile-early.ts`. The test checks that it belongs to the source.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { sourceHash } from "./artifacts.ts"

const SOURCE = "Early.sol"

const WAYS = {
  optimized: { version: "0.4.24", enabled: true },
  plain: { version: "0.4.26", enabled: false },
  later: { version: "0.5.17", enabled: true }
} as const

const Output = Schema.parseJson(
  Schema.Struct({
    contracts: Schema.Struct({
      [SOURCE]: Schema.Record({
        key: Schema.String,
        value: Schema.Struct({
          evm: Schema.Struct({ deployedBytecode: Schema.Struct({ object: Schema.String }) })
        })
      })
    })
  })
)
/** What the compilers' packages export: the first one's way in has a name of its own. */
const Compiler = Schema.Struct({
  compile: Schema.declare((input): input is (input: string) => string => typeof input === "function"),
  compileStandardWrapper: Schema.optional(
    Schema.declare((input): input is (input: string) => string => typeof input === "function")
  )
})

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
/** Neither is a token. */
const PARTS: ReadonlySet<string> = new Set(["SafeMath", "Owned"])

const directory = mkdtempSync(join(tmpdir(), "early-solc-"))
const compilers = Object.values(WAYS).map(({ version }) => `solc-${version}@npm:solc@${version}`)
execFileSync("npm", ["install", "--silent", "--no-save", "--prefix", directory, ...compilers])
const load = createRequire(join(directory, "node_modules", "loader.js"))

const compile = ({ enabled, version }: (typeof WAYS)[keyof typeof WAYS]) => {
  const compiler = Schema.decodeUnknownSync(Compiler)(load(`solc-${version}`))
  const input = JSON.stringify({
    language: "Solidity",
    sources: { [SOURCE]: { content: readFileSync(here(SOURCE), "utf8") } },
    settings: {
      optimizer: { enabled, runs: 200 },
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } }
    }
  })
  const output = (compiler.compileStandardWrapper ?? compiler.compile)(input)
  const contracts = Schema.decodeUnknownSync(Output)(output).contracts[SOURCE]
  return Object.fromEntries(
    Object.entries(contracts).flatMap(([name, { evm }]) =>
      PARTS.has(name) ? [] : [[name, `0x${evm.deployedBytecode.object}`]]
    )
  )
}

try {
  const ways = Object.fromEntries(Object.entries(WAYS).map(([name, way]) => [name, compile(way)]))
  writeFileSync(here("early.json"), `${JSON.stringify({ source: sourceHash(SOURCE), ways }, undefined, 1)}\n`)
} finally {
  rmSync(directory, { recursive: true })
}
