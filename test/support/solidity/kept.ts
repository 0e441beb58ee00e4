/**
 * Contracts of the tests as the compiler gave them, so that a run need not load it, which is itself a compiled program of
 * nine megabytes. Each file is named by all that went in, the compiler's version included: what was changed is not found,
 * and compiled anew.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { type Abi, type Hex, isHex } from "viem"

export interface Compiled {
  readonly abi: Abi
  /** Init code; `0x` of what cannot be deployed. */
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}

/** Where they stand. */
export const KEPT = join(import.meta.dirname, "kept")

const HexText = Schema.String.pipe(Schema.filter((text): text is Hex => isHex(text)))
const Contracts = Schema.parseJson(
  Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      abi: Schema.declare((u): u is Abi => Array.isArray(u)),
      bytecode: HexText,
      deployedBytecode: HexText
    })
  })
)

/** The name of the file for all that went in. */
export const fileOf = (key: string): string =>
  `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`

/** What a file of contracts holds: one line for each, so that a difference names it. */
export const textOf = (contracts: ReadonlyMap<string, Compiled>): string =>
  `{\n${[...contracts].map(([name, contract]) => `${JSON.stringify(name)}: ${JSON.stringify(contract)}`).join(",\n")}\n}\n`

/** The contracts that were compiled from the very same, if they are kept. */
export const readKept = (key: string): ReadonlyMap<string, Compiled> | undefined => {
  const file = join(KEPT, fileOf(key))
  return existsSync(file)
    ? new Map(Object.entries(Schema.decodeUnknownSync(Contracts)(readFileSync(file, "utf8"))))
    : undefined
}
