import { createRequire } from "node:module"
import { Schema } from "effect"
import type { Abi } from "viem"
import { type Compiled, readKept } from "./kept.ts"
import { readSources, sourceName } from "./sources.ts"

export type { Compiled }

/** How to compile, in the compiler's own words. */
export interface Settings {
  readonly evmVersion?: string
  readonly optimizer: { readonly enabled: boolean; readonly runs?: number }
  readonly viaIR?: boolean
  readonly metadata?: { readonly bytecodeHash: "none"; readonly appendCBOR: boolean }
}

const Solc = Schema.Struct({
  compile: Schema.declare((u): u is (input: string) => string => typeof u === "function")
})

const Code = Schema.Struct({ object: Schema.String })
const Output = Schema.parseJson(
  Schema.Struct({
    errors: Schema.optionalWith(
      Schema.Array(Schema.Struct({ severity: Schema.String, formattedMessage: Schema.String })),
      { default: () => [] }
    ),
    contracts: Schema.optionalWith(
      Schema.Record({
        key: Schema.String,
        value: Schema.Record({
          key: Schema.String,
          value: Schema.Struct({
            abi: Schema.declare((u): u is Abi => Array.isArray(u)),
            evm: Schema.Struct({ bytecode: Code, deployedBytecode: Code })
          })
        })
      }),
      { default: () => ({}) }
    )
  })
)

const require = createRequire(import.meta.url)
const { version } = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(
  require("solc/package.json")
)

/** What the compiler is told, and which one it is. */
const inputOf = (paths: ReadonlyArray<string>, settings: Settings) => {
  const sources = Object.fromEntries([...readSources(paths)].map(([name, content]) => [name, { content }]))
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
  const input = JSON.stringify({ language: "Solidity", sources, settings: { ...settings, outputSelection } })
  return { input, key: `${version} ${paths.map(sourceName).join()} ${input}` }
}

const run = (input: string, paths: ReadonlyArray<string>): ReadonlyMap<string, Compiled> => {
  // Loaded where it is needed: that alone costs more than most of what it compiles here.
  const solc = Schema.decodeUnknownSync(Solc)(require("solc"))
  const output = Schema.decodeUnknownSync(Output)(solc.compile(input))
  const errors = output.errors.filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"))
  return new Map(
    paths
      .flatMap((path) => Object.entries(output.contracts[sourceName(path)] ?? {}))
      .map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` }
      ])
  )
}

/** The contracts that files declare, and the key under which they are kept. */
export const compileAnew = (
  paths: ReadonlyArray<string>,
  settings: Settings
): { readonly key: string; readonly contracts: ReadonlyMap<string, Compiled> } => {
  const { input, key } = inputOf(paths, settings)
  return { key, contracts: run(input, paths) }
}

/** The key under which the contracts of files are kept. */
export const keyOf = (paths: ReadonlyArray<string>, settings: Settings): string =>
  inputOf(paths, settings).key

/**
 * The contracts that files declare, by name; not those that they import. As they are kept, where the very same was
 * compiled before, else compiled. Throws with the compiler's message.
 */
export const compileFiles = (
  paths: ReadonlyArray<string>,
  settings: Settings
): ReadonlyMap<string, Compiled> => {
  const { input, key } = inputOf(paths, settings)
  return readKept(key) ?? run(input, paths)
}
