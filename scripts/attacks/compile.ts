/** Compiles every Solidity file of an attack set. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type Compiled, compileFiles } from "../../test/support/solidity/compile.ts"

export type { Compiled }

/** The contracts of all `.sol` files of a directory by name. Throws with the compiler's message. */
export const compileDirectory = (dir: string): ReadonlyMap<string, Compiled> =>
  compileFiles(
    readdirSync(dir)
      .filter((file) => file.endsWith(".sol"))
      .map((file) => join(dir, file)),
    { evmVersion: "cancun", optimizer: { enabled: true, runs: 200 } }
  )
