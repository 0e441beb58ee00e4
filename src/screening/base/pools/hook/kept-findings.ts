import { Schema } from "effect"
import type { HookFindings } from "./findings.ts"

const Doubt = Schema.Struct({
  kind: Schema.Literal("power", "unproven"),
  why: Schema.String,
  until: Schema.optionalWith(Schema.Number, { exact: true })
})

const SwapPart = Schema.Struct({
  stops: Schema.Array(Doubt),
  takings: Schema.Array(Doubt),
  takesBps: Schema.Number,
  fees: Schema.Array(Doubt),
  feePips: Schema.NullOr(Schema.Number),
  pays: Schema.Literal("nobody", "itself", "one", "others"),
  keeps: Schema.Boolean,
  setsFee: Schema.Boolean
})

/**
 * Findings about a hook as a thread sends them and the database keeps them. Apart from their types, because threads load
 * no Effect.
 */
const HookFindingsSchema: Schema.Schema<HookFindings> = Schema.Struct({
  before: SwapPart,
  after: SwapPart,
  fee: Schema.Struct({ doubts: Schema.Array(Doubt), mostPips: Schema.NullOr(Schema.Number) }),
  takesEther: Schema.Boolean,
  settledBy: Schema.Array(Schema.String),
  countedIn: Schema.Array(Schema.String)
})

export const isHookFindings = Schema.is(HookFindingsSchema)
