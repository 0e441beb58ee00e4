/**
 * Compiles `src/*.sol` with the pinned npm `solc` and writes one artifact per contract to `artifacts/`.
 * Run with `npx tsx scripts/contracts/compile.ts` after a change; the artifacts are committed. `--check` writes
 * nothing and fails when they are not what the sources compile to.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

interface CompilerOutput {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: ReadonlyArray<unknown>
            readonly evm: {
              readonly bytecode: { readonly object: string }
              readonly deployedBytecode: { readonly object: string }
            }
          }
        >
      >
    >
  >
}

const solc: { readonly compile: (input: string) => string } = createRequire(import.meta.url)("solc")

const sourceDirectory = join(import.meta.dirname, "src")
const artifactDirectory = join(import.meta.dirname, "artifacts")

const sources = Object.fromEntries(
  readdirSync(sourceDirectory).map((file) => [
    file,
    { content: readFileSync(join(sourceDirectory, file), "utf8") }
  ])
)

const output: CompilerOutput = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: "Solidity",
      sources,
      settings: {
        evmVersion: "cancun",
        optimizer: { enabled: true, runs: 200 },
        metadata: { bytecodeHash: "none" },
        outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } }
      }
    })
  )
)

for (const { formattedMessage, severity } of output.errors ?? []) {
  console.error(formattedMessage)
  if (severity === "error") process.exitCode = 1
}

const isCheck = process.argv.includes("--check")

const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null)

for (const [name, { abi, evm }] of Object.values(output.contracts ?? {}).flatMap(Object.entries)) {
  if (evm.bytecode.object === "") continue
  const artifact = {
    contractName: name,
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`
  }
  const path = join(artifactDirectory, `${name}.json`)
  const text = `${JSON.stringify(artifact, null, 2)}\n`
  if (!isCheck) {
    writeFileSync(path, text)
    console.log(`${name}: ${evm.deployedBytecode.object.length / 2} bytes`)
  } else if (read(path) !== text) {
    console.error(`${name}: the artifact is not what the source compiles to`)
    process.exitCode = 1
  }
}
