/** What the tests deploy or analyse, set by set as they compile it. */
import { join } from "node:path"
import { compilationOf as ofDirectory } from "../../../scripts/attacks/compile.ts"
import { compilationOf as ofFile } from "../base/simulation/compile.ts"
import type { Settings } from "./compile.ts"

export interface Compilation {
  readonly paths: ReadonlyArray<string>
  readonly settings: Settings
}

export const keptSets = (): ReadonlyArray<Compilation> => [
  ...["Tokens.sol", "B20.sol", "V4Liquidity.sol", "../../attacks/faces/Faces.sol"].map(ofFile),
  ...["market", "names", "votes"].map((set) =>
    ofDirectory(join(import.meta.dirname, "..", "base", "attacks", set))
  )
]
