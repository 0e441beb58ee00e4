import { readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import * as prettier from "prettier"

/**
 * Compiles the contracts that the service runs inside `eth_call`, with pinned compiler and settings, into TypeScript
 * files beside their sources. `--check` recompiles and compares instead, and exits 1 on any difference.
 */

interface Solc {
  readonly compile: (input: string) => string
}
const solc: Solc = createRequire(import.meta.url)("solc")

interface Target {
  readonly source: string
  /** Files it imports, beside it. */
  readonly imports: ReadonlyArray<string>
  readonly artifact: string
  readonly language: "Solidity" | "Yul"
  readonly contract: string
  /** Init code is run as it is; runtime code is placed by state override. */
  readonly code: "bytecode" | "deployedBytecode"
}

const root = new URL("../../", import.meta.url)
const simulation = "src/screening/base/simulation"
const targets: ReadonlyArray<Target> = [
  {
    source: "src/chain/BatchReader.yul",
    imports: [],
    artifact: "src/chain/batch-reader.artifact.ts",
    language: "Yul",
    contract: "BatchReader",
    code: "bytecode"
  },
  {
    source: `${simulation}/Probe.sol`,
    imports: ["ProbeCalls.sol", "ProbeInterfaces.sol", "ProbeSwaps.sol", "Spender.sol"],
    artifact: `${simulation}/probe.artifact.ts`,
    language: "Solidity",
    contract: "Probe",
    code: "deployedBytecode"
  },
  {
    source: `${simulation}/Spender.sol`,
    imports: [],
    artifact: `${simulation}/spender.artifact.ts`,
    language: "Solidity",
    contract: "Spender",
    code: "deployedBytecode"
  }
]

/** Paris: no PUSH0 or MCOPY, so the code runs on every node and test chain. */
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: "paris",
  viaIR: true,
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
}

interface Compiled {
  readonly abi?: ReadonlyArray<unknown>
  readonly evm: Record<Target["code"], { readonly object: string }>
}
interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Record<string, Record<string, Compiled>>
}

/** The artifact's text for one target; throws with the compiler's own message when the source does not compile. */
export const compileTarget = async (target: Target): Promise<string> => {
  const folder = target.source.slice(0, target.source.lastIndexOf("/") + 1)
  const paths = [target.source, ...target.imports.map((name) => folder + name)]
  const files = await Promise.all(
    paths.map(async (path) => [path, { content: await readFile(new URL(path, root), "utf8") }] as const)
  )
  const input = { language: target.language, sources: Object.fromEntries(files), settings }
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error")
  const compiled = output.contracts?.[target.source]?.[target.contract]
  if (errors.length > 0 || compiled === undefined) {
    throw new Error(
      errors.map(({ formattedMessage }) => formattedMessage).join("\n") || `no ${target.contract}`
    )
  }
  const header = `// Compiled from ${target.source} by scripts/probe/compile.ts. Do not edit.\n`
  const code = `export const code = "0x${compiled.evm[target.code].object}"\n`
  const abi =
    target.language === "Solidity" ? `export const abi = ${JSON.stringify(compiled.abi)} as const\n` : ""
  const options = (await prettier.resolveConfig(fileURLToPath(new URL(target.artifact, root)))) ?? {}
  return prettier.format(header + code + abi, { ...options, parser: "typescript" })
}

/** Recompiles everything; gives the artifacts whose committed text differs from what their source compiles to. */
export const staleArtifacts = async (): Promise<ReadonlyArray<string>> => {
  const stale = await Promise.all(
    targets.map(async (target) => {
      const committed = await readFile(new URL(target.artifact, root), "utf8").catch(() => "")
      return committed === (await compileTarget(target)) ? [] : [target.artifact]
    })
  )
  return stale.flat()
}

const main = async () => {
  if (process.argv.includes("--check")) {
    const stale = await staleArtifacts()
    for (const artifact of stale)
      console.error(`${artifact} does not match its source: run scripts/probe/compile.ts`)
    process.exitCode = stale.length === 0 ? 0 : 1
    return
  }
  for (const target of targets) {
    await writeFile(new URL(target.artifact, root), await compileTarget(target))
    console.log(`wrote ${target.artifact}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
