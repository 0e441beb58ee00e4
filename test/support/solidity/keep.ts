/**
 * Compiles what the tests deploy and keeps it: `npx tsx test/support/solidity/keep.ts`, after a change of these sources or
 * of the compiler. With `--check` it writes nothing and fails where what is kept is not what the sources compile to.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compileAnew } from "./compile.ts"
import { fileOf, KEPT, textOf } from "./kept.ts"
import { keptSets } from "./sets.ts"

const isCheck = process.argv.includes("--check")

if (!isCheck) {
  rmSync(KEPT, { recursive: true, force: true })
  mkdirSync(KEPT)
}
for (const { paths, settings } of keptSets()) {
  const { contracts, key } = compileAnew(paths, settings)
  const file = join(KEPT, fileOf(key))
  if (!isCheck) writeFileSync(file, textOf(contracts))
  else if (!existsSync(file) || readFileSync(file, "utf8") !== textOf(contracts)) {
    throw new Error(`what is kept of ${paths.join(", ")} is not what it compiles to: run keep.ts`)
  }
}
