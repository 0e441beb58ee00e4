import { createRequire } from "node:module"
import { join } from "node:path"
import type { Abi, Hex } from "viem"
import { compileFiles } from "../../solidity/compile.ts"

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}
const require = createRequire(import.meta.url)

/** How the test contracts of one file are compiled. */
export const compilationOf = (file: string) => ({
  paths: [join(import.meta.dirname, "contracts", file)],
  settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: "paris" }
})

/** The test contracts of one file, compiled, by name. */
export const compile = (file: string): ((name: string) => Artifact) => {
  const { paths, settings } = compilationOf(file)
  const contracts = compileFiles(paths, settings)
  return (name) => {
    const contract = contracts.get(name)
    if (contract === undefined) throw new Error(`no contract ${name} in ${file}`)
    return contract
  }
}

/** An artifact some npm package ships, in any of the usual shapes. */
export const shipped = (path: string): Artifact => {
  const json: { abi: Abi; bytecode: string | { object: string } } = require(path)
  const code = typeof json.bytecode === "string" ? json.bytecode : json.bytecode.object
  return { abi: json.abi, bytecode: `0x${code.replace(/^0x/, "")}` }
}
