import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileFiles } from "../solidity/compile.ts"
import { sourceHash } from "./artifacts.ts"

/**
 * Compiles the sources in three ways and writes their artifacts beside them:
 * `npx tsx test/support/bytecode/compile.ts [FILE …]`. The tests read the artifacts and check that they belong to
 * the sources as they stand. With `--check` it writes nothing and fails where an artifact is not what its source
 * compiles to.
 */
const SOURCES = [
  ["Tokens.sol", "artifacts.json"],
  ["Traps.sol", "traps.json"],
  ["Settled.sol", "settled.json"],
  ["Classes.sol", "classes.json"],
  ["Bounded.sol", "bounded.json"],
  ["Quiet.sol", "quiet.json"],
  ["Answers.sol", "answers.json"],
  ["Votes.sol", "votes.json"],
  ["Loose.sol", "loose.json"],
  ["Sly.sol", "sly.json"],
  ["Feint.sol", "feint.json"],
  ["Ruse.sol", "ruse.json"],
  ["Asking.sol", "asking.json"],
  ["Allotted.sol", "allotted.json"],
  ["Listed.sol", "listed.json"],
  ["Roles.sol", "roles.json"],
  ["Wiles.sol", "wiles.json"],
  ["Guile.sol", "guile.json"],
  ["Craft.sol", "craft.json"],
  ["Told.sol", "told.json"],
  ["Doubled.sol", "doubled.json"],
  ["Deceit.sol", "deceit.json"],
  ["Dated.sol", "dated.json"],
  ["Further.sol", "further.json"],
  ["Shares.sol", "shares.json"],
  ["Gated.sol", "gated.json"],
  ["Entered.sol", "entered.json"],
  ["Unasked.sol", "unasked.json"],
  ["Spared.sol", "spared.json"],
  ["Keyed.sol", "keyed.json"],
  ["Judged.sol", "judged.json"],
  ["Batched.sol", "batched.json"]
] as const

const WAYS = {
  plain: { optimizer: { enabled: false } },
  optimized: { optimizer: { enabled: true, runs: 200 } },
  viaIr: { optimizer: { enabled: true, runs: 200 }, viaIR: true }
} as const

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const compile = (name: string, way: keyof typeof WAYS): Readonly<Record<string, string>> => {
  const settings = { ...WAYS[way], metadata: { bytecodeHash: "none", appendCBOR: false } } as const
  return Object.fromEntries(
    [...compileFiles([here(name)], settings)]
      .map(([contract, { deployedBytecode }]) => [contract, deployedBytecode] as const)
      .filter(([, code]) => code.length > 2)
  )
}

const isCheck = process.argv.includes("--check")
const only = process.argv.slice(2).filter((argument) => argument !== "--check")

for (const [name, artifacts] of SOURCES) {
  if (only.length > 0 && !only.includes(name)) continue
  const ways = {
    plain: compile(name, "plain"),
    optimized: compile(name, "optimized"),
    viaIr: compile(name, "viaIr")
  }
  const text = `${JSON.stringify({ source: sourceHash(name), ways }, undefined, 1)}\n`
  if (!isCheck) writeFileSync(here(artifacts), text)
  else if (
    JSON.stringify(JSON.parse(readFileSync(here(artifacts), "utf8"))) !== JSON.stringify(JSON.parse(text))
  ) {
    throw new Error(`${artifacts} is not what ${name} compiles to`)
  }
}
