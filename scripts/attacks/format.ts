/** The format of an attack set: `attacks.json` beside the Solidity sources it names. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** A constructor's or a call's argument: a literal, a name such as `$deployer`, or a list of them. */
const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
const Argument = Schema.Union(Scalar, Schema.Array(Scalar))
export type Argument = typeof Argument.Type

/** `v3-nft`, `slipstream` and `v4` are positions behind NFTs; `v3` and `pancake-v3` a contract's without a way out. */
const Pool = Schema.Literal("v2", "v3", "v3-nft", "slipstream", "pancake-v3", "v4")
export type PoolKind = typeof Pool.Type
/** A hook of the stage, or one that `before` deployed: its name, `$` included. */
const Hook = Schema.Union(
  Schema.Literal("none", "one-percent", "owner-fee"),
  Schema.TemplateLiteral("$", Schema.String)
)
export type Hook = typeof Hook.Type

const Listing = Schema.Struct({
  pool: Pool,
  quote: Schema.Literal("WETH"),
  /** Share of the supply that goes into the pool, and the ether against it. */
  tokenShare: Schema.Number,
  ether: Schema.Number,
  lp: Schema.String,
  hook: optional(Hook),
  /** V4: the key's fee in millionths; `dynamic` where the hook sets it. */
  fee: optional(Schema.Union(Schema.Number, Schema.Literal("dynamic"))),
  /** `narrow`: close around the price. Of `v3-nft` and `slipstream` alone. */
  where: optional(Schema.Literal("full", "narrow")),
  setPair: Schema.Boolean,
  renounce: Schema.Boolean
})
export type Listing = typeof Listing.Type

const CallStep = Schema.Struct({
  call: Schema.String,
  args: optional(Schema.Array(Argument)),
  to: Schema.String,
  from: Schema.String,
  ether: optional(Schema.Number),
  afterDeploy: optional(Schema.Boolean)
})
const AddPoolStep = Schema.Struct({
  addPool: Pool,
  quote: Schema.Literal("WETH", "USDC"),
  tokenShare: Schema.Number,
  ether: optional(Schema.Number),
  usd: optional(Schema.Number),
  lp: Schema.String,
  hook: optional(Hook),
  fee: optional(Schema.Union(Schema.Number, Schema.Literal("dynamic"))),
  /** Beside the price: `parked` the token alone, `bids` the quote alone. Not for V2. */
  where: optional(Schema.Literal("full", "parked", "bids")),
  as: optional(Schema.String)
})
/** What may happen between deployment and the scan, or arm the trap afterwards. */
const Step = Schema.Union(
  CallStep,
  Schema.Struct({ sell: Schema.String, by: Schema.String }),
  Schema.Struct({ wait: Schema.Number }),
  Schema.Struct({ waitUntil: Schema.String }),
  Schema.Struct({ buysByStrangers: Schema.Number, ether: Schema.Number }),
  Schema.Struct({ victimBuys: Schema.Number }),
  Schema.Struct({ victimSells: Schema.Number }),
  Schema.Struct({ selfTransfers: Schema.Number, by: Schema.String }),
  AddPoolStep
)
export type Step = typeof Step.Type
export type CallStep = typeof CallStep.Type
export type AddPoolStep = typeof AddPoolStep.Type

const Before = Schema.Union(
  Schema.Struct({
    deploy: Schema.String,
    as: Schema.String,
    args: optional(Schema.Array(Argument)),
    /** A V4 hook's permissions: it is deployed by CREATE2 where its address ends in these 14 bits. */
    flags: optional(Schema.Number)
  }),
  Schema.Struct({ code: Schema.String, at: Schema.String }),
  CallStep
)

const Verdict = Schema.Literal("allow", "caution", "avoid")

const common = {
  name: Schema.String,
  contract: Schema.String,
  constructorArgs: Schema.Array(Argument),
  before: Schema.Array(Before),
  listing: Listing,
  after: Schema.Array(Step)
}

const Trap = Schema.Struct({
  ...common,
  class: Schema.String,
  arm: Schema.Array(Step),
  harm: Schema.String,
  /** A sale of another kind than the usual one through the router. */
  saleThatShowsIt: optional(
    Schema.Struct({
      transferFromBy: optional(Schema.String),
      gas: optional(Schema.Number),
      pool: optional(Schema.String)
    })
  ),
  provenByTransactions: Schema.Boolean
})
export type Trap = typeof Trap.Type

const Control = Schema.Struct({
  ...common,
  expected: Schema.Struct({ verdictIn: Schema.Array(Verdict) })
})
export type Control = typeof Control.Type

const AttackSet = Schema.Struct({ traps: Schema.Array(Trap), controls: Schema.Array(Control) })
export type AttackSet = typeof AttackSet.Type

/** Reads and checks `attacks.json`; throws with the place of what is wrong. */
export const readAttackSet = (dir: string): AttackSet =>
  Schema.decodeUnknownSync(AttackSet)(JSON.parse(readFileSync(join(dir, "attacks.json"), "utf8")))

/** The directories of the packaged sets. */
export const packagedSets = (): ReadonlyArray<string> => {
  const root = join(import.meta.dirname, "..", "..", "test", "support", "base", "attacks")
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, name))
}
