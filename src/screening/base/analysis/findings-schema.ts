import { Schema } from "effect"
import type { EntryForm } from "../entries.ts"
import type { CodeFindings, Finding } from "../power/findings.ts"
import type { Hole } from "../power/proof/hole.ts"

const HexText = Schema.TemplateLiteral("0x", Schema.String)

const FindingSchema: Schema.Schema<Finding> = Schema.Union(
  Schema.Struct({
    state: Schema.Literal("found"),
    selectors: Schema.Array(Schema.String),
    note: Schema.String
  }),
  Schema.Struct({
    state: Schema.Literal("not-found"),
    proven: Schema.optionalWith(Schema.Literal("conservation", "transferPath"), { exact: true })
  }),
  Schema.Struct({ state: Schema.Literal("undecided"), why: Schema.String })
)

const HoleSchema: Schema.Schema<Hole> = Schema.Struct({
  selector: Schema.String,
  kind: Schema.Literal(
    "creates",
    "takes",
    "allows",
    "replaces",
    "calls",
    "stores",
    "draws",
    "gives",
    "unknown"
  ),
  privileged: Schema.Boolean,
  why: Schema.String,
  heldBy: Schema.Array(HexText),
  from: Schema.optionalWith(Schema.Array(HexText), { exact: true }),
  growth: Schema.optionalWith(
    Schema.Struct({ millionths: Schema.Number, seconds: Schema.Number, date: HexText }),
    { exact: true }
  ),
  limit: Schema.optionalWith(
    Schema.Struct({
      of: Schema.Literal("amount", "holding"),
      millionths: Schema.Number,
      from: Schema.NullOr(HexText),
      except: Schema.Array(HexText)
    }),
    { exact: true }
  )
})

const EntryFormSchema: Schema.Schema<EntryForm> = Schema.Struct({
  order: Schema.Literal("key-first", "slot-first", "solady"),
  slot: HexText,
  field: Schema.Number
})

const Held = Schema.Struct({ selector: Schema.String, by: Schema.Array(HexText) })
const Part = Schema.Struct({ holes: Schema.Array(HoleSchema) })

/** Findings as threads tell and the database keeps them. */
export const CodeFindingsSchema: Schema.Schema<CodeFindings> = Schema.Struct({
  hiddenMint: FindingSchema,
  limitingSell: FindingSchema,
  leakingToken: FindingSchema,
  balanceSeizure: FindingSchema,
  blacklist: FindingSchema,
  pause: FindingSchema,
  unboundedFee: FindingSchema,
  hiddenOwner: FindingSchema,
  replaceableCode: FindingSchema,
  environmentGate: FindingSchema,
  proof: Schema.Struct({
    transferPath: Part,
    conservation: Part,
    votes: Schema.NullOr(
      Schema.Struct({
        lists: Schema.Array(Schema.String),
        told: Schema.Boolean,
        settles: Schema.Boolean,
        delegates: Schema.NullOr(EntryFormSchema),
        tables: Schema.Array(Schema.String),
        dateBits: Schema.Number,
        clock: Schema.Literal("block", "time")
      })
    ),
    domains: Schema.Array(Schema.Struct({ hash: HexText, at: Schema.NullOr(HexText) })),
    ledger: Schema.NullOr(
      Schema.Struct({
        balances: Schema.NullOr(EntryFormSchema),
        mask: HexText,
        allowances: Schema.NullOr(EntryFormSchema)
      })
    ),
    keepsOwn: Schema.Boolean,
    owesNobody: Schema.Boolean,
    asks: Schema.Array(HexText),
    held: Schema.Array(Held),
    settledBy: Schema.Array(Schema.String),
    tables: Schema.Array(
      Schema.Struct({
        slot: Schema.String,
        keys: Schema.Union(
          Schema.Tuple(Schema.Null),
          Schema.Tuple(Schema.NullOr(Schema.String), Schema.Null)
        ),
        field: Schema.Number
      })
    ),
    hasNoRoles: Schema.Boolean,
    asksMoment: Schema.Boolean,
    whole: Schema.Boolean
  }),
  gateSlots: Schema.Array(Schema.String),
  isToken: Schema.Boolean,
  steps: Schema.Number
})

export const isCodeFindings = Schema.is(CodeFindingsSchema)
