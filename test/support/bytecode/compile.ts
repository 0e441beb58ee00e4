import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Schema } from "effect"
import { keccak256, stringToHex } from "viem"

/**
 * Compiles `Tokens.sol`, `Traps.sol`, `Settled.sol`, `Classes.sol`, `Bounded.sol`, `Quiet.sol`, `Answers.sol`, `Votes.sol`, `Loose.sol` and `Sly.sol` in three ways and writes their artifacts beside them:
 * `npx tsx test/support/bytecode/compile.ts [FILE …]`. The tests read the artifacts and check that they belong to
 * the source as it stands.
 */
const Solc = Schema.Struct({
  compile: Schema.declare((u): u is (input: string) => string => typeof u === "function")
})

const Output = Schema.parseJson(
  Schema.Struct({
    errors: Schema.optional(
      Schema.Array(Schema.Struct({ severity: Schema.String, formattedMessage: Schema.String }))
    ),
    contracts: Schema.optionalWith(
      Schema.Record({
        key: Schema.String,
        value: Schema.Record({
          key: Schema.String,
          value: Schema.Struct({
            evm: Schema.Struct({ deployedBytecode: Schema.Struct({ object: Schema.String }) })
          })
        })
      }),
      { default: () => ({}) }
    )
  })
)

const WAYS = {
  plain: { optimizer: { enabled: false } },
  optimized: { optimizer: { enabled: true, runs: 200 } },
  viaIr: { optimizer: { enabled: true, runs: 200 }, viaIR: true }
} as const

const here = (name: string): URL => new URL(name, import.meta.url)
const solc = Schema.decodeUnknownSync(Solc)(createRequire(import.meta.url)("solc"))

const compile = (source: string, settings: object): Readonly<Record<string, string>> => {
  const input = {
    language: "Solidity",
    sources: { "Tokens.sol": { content: source } },
    settings: {
      ...settings,
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } }
    }
  }
  const output = Schema.decodeUnknownSync(Output)(solc.compile(JSON.stringify(input)))
  for (const { severity, formattedMessage } of output.errors ?? [])
    if (severity === "error") throw new Error(formattedMessage)
  const contracts = Object.entries(output.contracts["Tokens.sol"] ?? {})
  return Object.fromEntries(
    contracts
      .map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`] as const)
      .filter(([, code]) => code.length > 2)
  )
}

for (const [name, artifacts] of [
  ["Tokens.sol", "artifacts.json"],
  ["Traps.sol", "traps.json"],
  ["Settled.sol", "settled.json"],
  ["Classes.sol", "classes.json"],
  ["Bounded.sol", "bounded.json"],
  ["Quiet.sol", "quiet.json"],
  ["Answers.sol", "answers.json"],
  ["Votes.sol", "votes.json"],
  ["Loose.sol", "loose.json"],
  ["Sly.sol", "sly.json"]
] as const) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue
  const source = readFileSync(here(name), "utf8")
  const ways = Object.fromEntries(
    Object.entries(WAYS).map(([way, settings]) => [way, compile(source, settings)])
  )
  writeFileSync(
    here(artifacts),
    `${JSON.stringify({ source: keccak256(stringToHex(source)), ways }, undefined, 1)}\n`
  )
}
