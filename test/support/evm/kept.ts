/** What `test/support/bytecode` keeps compiled, with what may be called of it. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Hex, toFunctionSelector } from "viem"
import { compiled, isHonest } from "../bytecode/artifacts.ts"
import type { Method } from "./attack.ts"

const FUNCTION = /function\s+(\w+)\s*\(([^)]*)\)[^{;]*\b(?:external|public)\b/g
const KINDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^uint\b/, "uint256"],
  [/^int\b/, "int256"],
  [/^Sig\b/, "(uint8,bytes32,bytes32)"],
  [/^(?:I[A-Z]|address\b|contract\b)\w*(?: payable)?/, "address"]
]

const typeOf = (parameter: string): string => {
  const type = parameter.trim().split(/\s+/)[0] ?? ""
  return KINDS.reduce((text, [from, to]) => text.replace(from, to), type)
}

/** Arguments of the functions of a Solidity text, by selector; what is of another type is taken for a word. */
export const methodsIn = (text: string): ReadonlyMap<Hex, Method> => {
  const found = new Map<Hex, Method>()
  for (const [, name = "", parameters = ""] of text.matchAll(FUNCTION)) {
    const types = parameters.trim() === "" ? [] : parameters.split(",").map(typeOf)
    const selector = toFunctionSelector(`${name}(${types.join()})`)
    const inputs = types.flatMap((type) => type.replaceAll(/[()]/g, "").split(","))
    found.set(selector, { selector, inputs })
  }
  return found
}

const text = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../bytecode/${name}`, import.meta.url)), "utf8")

/** What may be called of the contracts of a source in `test/support/bytecode`. */
export const methodsOf = (source: string): ReadonlyArray<Method> => [...methodsIn(text(source)).values()]

const SETS = [
  ["Traps.sol", "traps.json"],
  ["Quiet.sol", "quiet.json"],
  ["Answers.sol", "answers.json"],
  ["Loose.sol", "loose.json"],
  ["Sly.sol", "sly.json"],
  ["Feint.sol", "feint.json"],
  ["Ruse.sol", "ruse.json"],
  ["Told.sol", "told.json"],
  ["Wiles.sol", "wiles.json"],
  ["Guile.sol", "guile.json"],
  ["Craft.sol", "craft.json"],
  ["Deceit.sol", "deceit.json"],
  ["Roles.sol", "roles.json"],
  ["Settled.sol", "settled.json"],
  ["Listed.sol", "listed.json"],
  ["Asking.sol", "asking.json"]
] as const

export interface Kept {
  readonly name: string
  readonly code: Hex
  readonly methods: ReadonlyArray<Method>
}

/** All honest contracts of these sources, compiled in all ways. */
export const keptContracts = (): ReadonlyArray<Kept> =>
  SETS.flatMap(([source, artifacts]) => {
    const { allWays, codeOf, names } = compiled(source, artifacts)
    const methods = methodsOf(source)
    return allWays.flatMap((way) =>
      names
        .filter(isHonest)
        .map((name): Kept => ({ name: `${source} ${name} ${way}`, code: codeOf(way, name), methods }))
    )
  })
