import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Abi, Hex } from "viem"

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}
interface SolcOutput {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}
const require = createRequire(import.meta.url)
const solc: { readonly compile: (input: string) => string } = require("solc")

/** Compiles the test contracts of one file; gives them by name. */
export const compile = (file: string): ((name: string) => Artifact) => {
  const content = readFileSync(new URL(`contracts/${file}`, import.meta.url), "utf8")
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: "paris",
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } }
  }
  const input = JSON.stringify({ language: "Solidity", sources: { [file]: { content } }, settings })
  const output: SolcOutput = JSON.parse(solc.compile(input))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"))
  return (name) => {
    const contract = output.contracts[file]?.[name]
    if (contract === undefined) throw new Error(`no contract ${name} in ${file}`)
    return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
  }
}

/** An artifact some npm package ships, in any of the usual shapes. */
export const shipped = (path: string): Artifact => {
  const json: { abi: Abi; bytecode: string | { object: string } } = require(path)
  const code = typeof json.bytecode === "string" ? json.bytecode : json.bytecode.object
  return { abi: json.abi, bytecode: `0x${code.replace(/^0x/, "")}` }
}
