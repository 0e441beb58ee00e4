/**
 * `npm run test:fuzz -- [--minutes N] [--seed S] [--once]`: token contracts made by chance, kept ones, and both with some
 * instructions changed. What the proof says nobody can take is attacked in an EVM. A seed makes the same contracts and the
 * same attacks each time: `--seed S --once` repeats what failed, and shows the contract.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Hex } from "viem"
import { type Kept, keptContracts, methodsIn } from "../test/support/evm/kept.ts"
import { type Tried, tryCode } from "../test/support/evm/fuzz.ts"
import { contractOf } from "../test/support/evm/grammar.ts"
import { mutated } from "../test/support/evm/mutate.ts"
import { Dice } from "../test/simulation/dice.ts"
import { compileAnew } from "../test/support/solidity/compile.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    once: { type: "boolean", default: false }
  }
})

/** Changed forms of each contract that is proven. */
const MUTANTS = 10
/** Seeds between two lines of progress. */
const PROGRESS = 25
const directory = mkdtempSync(join(tmpdir(), "fuzz-"))
const sums = { contracts: 0, proven: 0, mutants: 0, provenMutants: 0, broken: 0, refused: 0 }
const [first, ...others] = keptContracts()
if (first === undefined) throw new Error("nothing is kept")

const compiled = (dice: Dice, text: string): Hex | undefined => {
  const path = join(directory, "Coin.sol")
  writeFileSync(path, text)
  const settings = {
    optimizer: dice.hits(0.8) ? { enabled: true, runs: 200 } : { enabled: false },
    metadata: { bytecodeHash: "none", appendCBOR: false }
  } as const
  try {
    return compileAnew([path], settings).contracts.get("Coin")?.deployedBytecode
  } catch (error) {
    // Not all that the grammar makes is Solidity.
    if (values.once) console.log(String(error))
    return undefined
  }
}

const generated = (dice: Dice): Kept | undefined => {
  const text = `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n${contractOf(dice, "Coin")}`
  if (values.once) console.log(text)
  const code = compiled(dice, text)
  return code === undefined ? undefined : { name: "made", code, methods: [...methodsIn(text).values()] }
}

const tell = (seed: number, what: string, code: Hex, { broken, proven }: Tried): void => {
  if (values.once) console.log(`${what}: proven ${proven}`)
  if (broken === undefined) return
  sums.broken++
  console.log(`BROKEN by seed ${seed}, ${what}, proven ${proven}: ${broken.broken}`)
  console.log(`  ${broken.log.join("\n  ")}\n  code ${code}`)
}

const play = (seed: number): void => {
  const dice = new Dice(seed)
  const contract = dice.hits(0.6) ? generated(dice) : dice.pick([first, ...others])
  if (contract === undefined) {
    sums.refused++
    return
  }
  const { code, methods, name } = contract
  const tried = tryCode(dice, code, methods)
  tell(seed, name, code, tried)
  sums.contracts++
  if (tried.proven === "not") return
  sums.proven++
  for (let mutant = 0; mutant < MUTANTS; mutant++) {
    const other = mutated(dice, code, dice.between(1, 3))
    const found = tryCode(dice, other, methods)
    tell(seed, `${name}, mutant ${mutant}`, other, found)
    sums.mutants++
    if (found.proven !== "not") sums.provenMutants++
  }
}

const end = Date.now() + Number(values.minutes) * 60_000
for (let seed = Number(values.seed); ; seed++) {
  play(seed)
  if (values.once || Date.now() > end) break
  if (seed % PROGRESS === 0) console.log(`${seed}: ${JSON.stringify(sums)}`)
}
rmSync(directory, { recursive: true, force: true })
console.log(JSON.stringify(sums))
if (sums.broken > 0) process.exitCode = 1
