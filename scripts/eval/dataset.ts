import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import type { Hex } from "viem"

/** The three powers the data is labelled for. */
export const RULES = ["hiddenMint", "limitingSell", "leakingToken"] as const
export type Rule = (typeof RULES)[number]

/** `null`: the data says nothing about this rule and this contract. */
export type Truth = Readonly<Record<Rule, boolean | null>>

export interface Sample {
  readonly id: string
  readonly set: "tokens" | "large-sample"
  readonly class: string
  readonly truth: Truth
  readonly code: Hex
}

const TokenRow = Schema.Struct({
  id: Schema.String,
  class: Schema.String,
  labels: Schema.Array(Schema.String),
  negLabels: Schema.NullishOr(Schema.Array(Schema.String)),
  runtimeHexFile: Schema.String
})
type TokenRow = typeof TokenRow.Type

const LabelRow = Schema.Struct({
  address: Schema.String,
  labels: Schema.Record({ key: Schema.String, value: Schema.Boolean }),
  hexFile: Schema.String
})

/** Classes whose contracts were judged for all three rules: ground truth of whole projects. */
const FULLY_JUDGED: ReadonlySet<string> = new Set(["scam", "gt-none"])

/** Library tokens are written to have no power; established real tokens (other prefixes) were judged by nobody. */
const isPlainLibrary = ({ id, class: kind }: Pick<TokenRow, "id" | "class">): boolean =>
  kind === "benign" && id.startsWith("bn-")

/**
 * How a token without a label counts: as a negative where somebody judged it so (`negLabels`), where the project was
 * judged for everything (ground truth: `scam`, `gt-none`), and for plain library tokens. Everywhere else a missing
 * label says nothing: `capability` and `scam-large` were judged for one rule each, `scam-unlabelled` for none,
 * established tokens and those with named privileges do hold powers that nobody labelled.
 */
const truthOf = (row: TokenRow, rule: Rule): boolean | null => {
  if (row.labels.includes(rule)) return true
  if (row.negLabels?.includes(rule) === true) return false
  return FULLY_JUDGED.has(row.class) || isPlainLibrary(row) ? false : null
}

const truths = (of: (rule: Rule) => boolean | null): Truth => ({
  hiddenMint: of("hiddenMint"),
  limitingSell: of("limitingSell"),
  leakingToken: of("leakingToken")
})

const readCode = (path: string): Hex => {
  const text = readFileSync(path, "utf8").trim()
  return `0x${text.replace(/^0x/i, "")}`
}

const decodeFile = <A, I>(path: string, schema: Schema.Schema<A, I>): A =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(readFileSync(path, "utf8"))

const readTokens = (dir: string): ReadonlyArray<Sample> => {
  const path = join(dir, "tokens.json")
  if (!existsSync(path)) return []
  return decodeFile(path, Schema.Array(TokenRow)).map((row) => ({
    id: row.id,
    set: "tokens",
    class: isPlainLibrary(row) ? "library" : row.class,
    truth: truths((rule) => truthOf(row, rule)),
    code: readCode(join(dir, row.runtimeHexFile))
  }))
}

const readLargeSample = (dir: string): ReadonlyArray<Sample> => {
  const path = join(dir, "large-sample", "labels.json")
  if (!existsSync(path)) return []
  return decodeFile(path, Schema.Array(LabelRow)).map((row) => ({
    id: row.address,
    set: "large-sample",
    class: "judged",
    truth: truths((rule) => row.labels[rule] ?? null),
    code: readCode(join(dir, "large-sample", row.hexFile))
  }))
}

/** Every contract of a directory in the format of the development data (its README says what each field means). */
export const readDataset = (dir: string): ReadonlyArray<Sample> => [
  ...readTokens(dir),
  ...readLargeSample(dir)
]
