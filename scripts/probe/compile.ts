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
  /** The functions the service calls: of the others the artifact says nothing. */
  readonly calls: ReadonlyArray<string>
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
    code: "bytecode",
    calls: []
  },
  {
    source: "src/chain/SlotReader.yul",
    imports: [],
    artifact: "src/chain/slot-reader.artifact.ts",
    language: "Yul",
    contract: "SlotReader",
    code: "deployedBytecode",
    calls: []
  },
  {
    source: `${simulation}/Probe.sol`,
    imports: ["ProbeCalls.sol", "ProbeInterfaces.sol", "ProbeSwaps.sol", "Spender.sol"],
    artifact: `${simulation}/probe.artifact.ts`,
    language: "Solidity",
    contract: "Probe",
    code: "deployedBytecode",
    calls: ["run"]
  },
  {
    source: `${simulation}/Spender.sol`,
    imports: [],
    artifact: `${simulation}/spender.artifact.ts`,
    language: "Solidity",
    contract: "Spender",
    code: "deployedBytecode",
    calls: []
  },
  {
    source: "src/screening/base/pools/PoolTicks.sol",
    imports: [],
    artifact: "src/screening/base/pools/pool-ticks.artifact.ts",
    language: "Solidity",
    contract: "PoolTicks",
    code: "bytecode",
    calls: []
  },
  {
    source: "src/screening/base/holders/StorageReader.sol",
    imports: [],
    artifact: "src/screening/base/holders/storage-reader.artifact.ts",
    language: "Solidity",
    contract: "StorageReader",
    code: "deployedBytecode",
    calls: []
  }
]

/** Paris: no PUSH0 or MCOPY, so the code runs on every node and test chain. */
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: "paris",

  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
}

interface Compiled {
  readonly abi?: ReadonlyArray<{ readonly name?: string }>
  readonly evm: Record<Target["code"], { readonly object: string }>
}
interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts?: Record<string, Record<string, Compiled>>
}

const sourcesOf = async ({ source, imports }: Target) => {
  const folder = source.slice(0, source.lastIndexOf("/") + 1)
  const paths = [source, ...imports.map((name) => folder + name)]
  return Promise.all(
    paths.map(async (path) => [path, { content: await readFile(new URL(path, root), "utf8") }] as const)
  )
}

/** Compiles all sources of one language in one run; throws with the compiler's own message when one is wrong. */
const compileLanguage = async (language: Target["language"], own: ReadonlyArray<Target>): Promise<Output> => {
  const sources = Object.fromEntries((await Promise.all(own.map(sourcesOf))).flat())
  const output: Output = JSON.parse(solc.compile(JSON.stringify({ language, sources, settings })))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"))
  return output
}

const artifactText = async (target: Target, output: Output): Promise<string> => {
  const compiled = output.contracts?.[target.source]?.[target.contract]
  if (compiled === undefined) throw new Error(`no ${target.contract} in ${target.source}`)
  const code = `export const code = "0x${compiled.evm[target.code].object}"\n`
  const called = compiled.abi?.filter(({ name = "" }) => target.calls.includes(name))
  const header = `// Compiled from ${target.source} by scripts/probe/compile.ts. Do not edit.\n`
  // On one line, because nobody reads it and the formatter would give every parameter a line of its own.
  const lines = ["// prettier-ignore", `export const abi = ${JSON.stringify(called)} as const`, ""]
  const abi = target.calls.length > 0 ? lines.join("\n") : ""
  const options = (await prettier.resolveConfig(fileURLToPath(new URL(target.artifact, root)))) ?? {}
  return prettier.format(header + code + abi, { ...options, parser: "typescript" })
}

/** Every artifact's path and the text its source compiles to. */
const compileAll = async (): Promise<ReadonlyArray<readonly [path: string, text: string]>> => {
  const solidity = targets.filter(({ language }) => language === "Solidity")
  // The compiler takes one Yul source at a time.
  const yul = targets.filter(({ language }) => language === "Yul").map((target) => [target])
  const compiled = await Promise.all(
    [solidity, ...yul].map(async (own) => {
      const output = await compileLanguage(own[0]?.language ?? "Solidity", own)
      return Promise.all(
        own.map(async (target) => [target.artifact, await artifactText(target, output)] as const)
      )
    })
  )
  return compiled.flat()
}

/** Recompiles everything; gives the artifacts whose committed text differs from what their source compiles to. */
const staleArtifacts = async (): Promise<ReadonlyArray<string>> => {
  const stale = await Promise.all(
    (await compileAll()).map(async ([path, text]) => {
      const committed = await readFile(new URL(path, root), "utf8").catch(() => "")
      return committed === text ? [] : [path]
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
  for (const [path, text] of await compileAll()) {
    await writeFile(new URL(path, root), text)
    console.log(`wrote ${path}`)
  }
}

await main()
