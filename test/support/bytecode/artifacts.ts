import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { type Hex, isHex, keccak256, stringToHex } from "viem"
import { readSources } from "../solidity/sources.ts"

const HexText = Schema.String.pipe(Schema.filter((text): text is Hex => isHex(text)))
const Artifacts = Schema.parseJson(
  Schema.Struct({
    source: Schema.String,
    ways: Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: HexText }) })
  })
)

/** The contracts of one source, as `compile.ts` left them. */
export interface Compiled {
  /** Ways of compiling that this run tries, by name. */
  readonly ways: ReadonlyArray<string>
  /** Every way of compiling, by name. */
  readonly allWays: ReadonlyArray<string>
  /** Contracts, by name; the same ones in every way. */
  readonly names: ReadonlyArray<string>
  /** The artifacts were compiled from the source as it stands, each contract in every way. */
  readonly isCurrent: boolean
  /** Runtime code; throws where there is no such contract. */
  readonly codeOf: (way: string, name: string) => Hex
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Names a source as it stands, with all that it imports. */
export const sourceHash = (source: string): Hex =>
  keccak256(stringToHex([...readSources([here(source)]).values()].join("")))

/** How nearly all tokens that live on a chain were compiled. */
const USUAL = "optimized"

/**
 * What a run tries of a source's ways. `npm test` takes the usual one, or all where a source has none that is usual: each
 * contract takes as long again in any other way. `npm run test:code` takes those that `npm test` leaves out.
 */
const tried = (ways: ReadonlyArray<string>): ReadonlyArray<string> => {
  const usual = ways.includes(USUAL) ? [USUAL] : ways
  return process.env["COMPILED"] === "others" ? ways.filter((way) => !usual.includes(way)) : usual
}

/** Reads a source's artifacts. */
export const compiled = (source: string, artifacts: string): Compiled => {
  const { source: hash, ways } = Schema.decodeUnknownSync(Artifacts)(readFileSync(here(artifacts), "utf8"))
  const names = Object.keys(ways[USUAL] ?? {})
  const isWhole = Object.values(ways).every((contracts) => Object.keys(contracts).join() === names.join())
  return {
    ways: tried(Object.keys(ways)),
    allWays: Object.keys(ways),
    names,
    isCurrent: isWhole && hash === sourceHash(source),
    codeOf: (way, name) => {
      const code = ways[way]?.[name]
      if (code === undefined) throw new Error(`no contract ${name} compiled ${way}`)
      return code
    }
  }
}

/** Look-alikes that must pass are named so in the sources. */
export const isHonest = (name: string): boolean => name.startsWith("Honest")

/** What compiled code begins with: the free memory pointer. */
export const HEAD = "0x6080604052"

/** Code in front of which other code is to run: its head taken off, and where code behind it would begin. */
export const beheaded = (code: Hex): { readonly rest: string; readonly end: number } => {
  if (!code.startsWith(HEAD)) throw new Error("the code has another head")
  return { rest: code.slice(HEAD.length), end: (code.length - 2) / 2 }
}
