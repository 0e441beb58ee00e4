/** Compiles every Solidity file of an attack set. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type Compiled, compileFiles } from "../../test/support/solidity/compile.ts"

export type { Compiled }

/** How every `.sol` file of a directory is compiled. */
export const compilationOf = (dir: string) => ({
  // Sorted, so that the same files are the same set on every file system.
  paths: readdirSync(dir)
    .filter((file) => file.endsWith(".sol"))
    .toSorted()
    .map((file) => join(dir, file)),
  settings: { evmVersion: "cancun", optimizer: { enabled: true, runs: 200 } }
})

/** The contracts of all `.sol` files of a directory by name. Throws with the compiler's message. */
export const compileDirectory = (dir: string): ReadonlyMap<string, Compiled> => {
  const { paths, settings } = compilationOf(dir)
  return compileFiles(paths, settings)
}
