/** Compiles every Solidity file of an attack set. */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Abi, Hex } from "viem"

export interface Compiled {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}

interface SolcOutput {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts: Record<
    string,
    Record<
      string,
      {
        readonly abi: Abi
        readonly evm: {
          readonly bytecode: { readonly object: string }
          readonly deployedBytecode: { readonly object: string }
        }
      }
    >
  >
}

const solc: { readonly compile: (input: string) => string } = createRequire(import.meta.url)("solc")

/** The contracts of all `.sol` files of a directory by name. Throws with the compiler's message. */
export const compileDirectory = (dir: string): ReadonlyMap<string, Compiled> => {
  const files = readdirSync(dir).filter((file) => file.endsWith(".sol"))
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(join(dir, file), "utf8") }])
  )
  const settings = {
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
  }
  const output: SolcOutput = JSON.parse(
    solc.compile(JSON.stringify({ language: "Solidity", sources, settings }))
  )
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"))
  return new Map(
    Object.values(output.contracts).flatMap((contracts) =>
      Object.entries(contracts).map(([name, { abi, evm }]): readonly [string, Compiled] => [
        name,
        {
          abi,
          bytecode: `0x${evm.bytecode.object}`,
          deployedBytecode: `0x${evm.deployedBytecode.object}`
        }
      ])
    )
  )
}
