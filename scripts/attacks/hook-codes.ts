/**
 * Writes the runtime code of the packaged hooks to `test/support/base/hook-codes.json`, so that tests need no compiler:
 * `npx tsx scripts/attacks/hook-codes.ts` after a change of their sources; with `--check` it only compares.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compileDirectory } from "./compile.ts"

const support = join(import.meta.dirname, "..", "..", "test", "support", "base")
const path = join(support, "hook-codes.json")

const codes = [...compileDirectory(join(support, "attacks", "hooks"))]
  .filter(([, { deployedBytecode }]) => deployedBytecode !== "0x")
  .map(([name, { deployedBytecode }]) => [name, deployedBytecode] as const)
const text = `${JSON.stringify(Object.fromEntries(codes), null, 2)}\n`

if (!process.argv.includes("--check")) writeFileSync(path, text)
else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
  console.error("the hooks' codes are not what the sources compile to")
  process.exitCode = 1
}
