import { createRequire } from "node:module"
import { Schema } from "effect"
import type { Abi, Hex } from "viem"
import { readSources, sourceName } from "./sources.ts"

/** How to compile, in the compiler's own words. */
export interface Settings {
  readonly evmVersion?: string
  readonly optimizer: { readonly enabled: boolean; readonly runs?: number }
  readonly viaIR?: boolean
  readonly metadata?: { readonly bytecodeHash: "none"; readonly appendCBOR: boolean }
}

export interface Compiled {
  readonly abi: Abi
  /** Init code; `0x` of what cannot be deployed. */
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
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

const solc = Schema.decodeUnknownSync(Solc)(createRequire(import.meta.url)("solc"))

/** The contracts that files declare, by name; not those that they import. Throws with the compiler's message. */
export const compileFiles = (
  paths: ReadonlyArray<string>,
  settings: Settings
): ReadonlyMap<string, Compiled> => {
  const sources = Object.fromEntries([...readSources(paths)].map(([name, content]) => [name, { content }]))
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
  const input = { language: "Solidity", sources, settings: { ...settings, outputSelection } }
  const output = Schema.decodeUnknownSync(Output)(solc.compile(JSON.stringify(input)))
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
