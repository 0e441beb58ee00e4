import { SqlClient } from "@effect/sql"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { RecentEvidence } from "../../payment/ledger/ledger.ts"
import { Evidence } from "../../payment/outcome.ts"
import { narrowSql } from "../../storage/sql-errors.ts"

/** Transfers one look takes. */
const BATCH = 200

const REFUND = "refund "
const STRAY = "stray "

/** What a refund in the journal, or a transfer without an order, is called here. `evidence` is the row's own name. */
export const refundClaimant = (evidence: string): string => REFUND + evidence
export const strayClaimant = (evidence: string): string => STRAY + evidence

/** Which row a claimant speaks of. */
export const rowOf = (claimant: string) =>
  claimant.startsWith(REFUND)
    ? ({ kind: "refund", evidence: claimant.slice(REFUND.length) } as const)
    : ({ kind: "stray", evidence: claimant.slice(STRAY.length) } as const)

/**
 * Where refunds and transfers without an order were seen, until their blocks are final. They pay for nothing, so the
 * ledger, in which a transfer stands for what it paid, does not have them. `payTo` of the evidence is the account in whose
 * list the transfer is looked for.
 */
export class Sightings extends Context.Tag("token-risk/Sightings")<
  Sightings,
  {
    /** It is seen here now, for the first time or anew. */
    readonly note: (claimant: string, evidence: Evidence) => Effect.Effect<void, UpstreamError>
    /** What a reorganisation may still take away; a bounded number, the lowest first. */
    readonly recent: (network: Network) => Effect.Effect<ReadonlyArray<RecentEvidence>, UpstreamError>
    /** Nothing more has to be looked for: it is final, or lost. */
    readonly forget: (claimants: ReadonlyArray<string>) => Effect.Effect<void, UpstreamError>
  }
>() {}

const Row = Schema.Struct({ claimant: Schema.String, evidence: Schema.parseJson(Evidence) })
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))
const encodeEvidence = Schema.encodeSync(Schema.parseJson(Evidence))

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const note = Effect.fn("Sightings.note")(function* (claimant: string, evidence: Evidence) {
    const { height, network } = evidence
    const text = encodeEvidence(evidence)
    const now = yield* Clock.currentTimeMillis
    yield* narrowSql(sql`INSERT INTO checkout_sightings (claimant, network, height, evidence, seen_at)
      VALUES (${claimant}, ${network}, ${height}, ${text}, ${now})
      ON CONFLICT (claimant) DO UPDATE SET height = ${height}, evidence = ${text}`)
    yield* narrowSql(sql`UPDATE checkout_transfers SET block = ${height} WHERE claimant = ${claimant}`)
  })

  const recent = Effect.fn("Sightings.recent")(function* (network: Network) {
    const rows = yield* narrowSql(sql`SELECT claimant, evidence FROM checkout_sightings
      WHERE network = ${network} ORDER BY height LIMIT ${BATCH}`)
    const decoded = yield* Effect.orDie(decodeRows(rows))
    return decoded.map(({ claimant, evidence }) => ({ authorizationKey: claimant, evidence }))
  })

  const forget = Effect.fn("Sightings.forget")((claimants: ReadonlyArray<string>) =>
    claimants.length === 0
      ? Effect.void
      : narrowSql(sql`DELETE FROM checkout_sightings WHERE ${sql.in("claimant", claimants)}`).pipe(
          Effect.asVoid
        )
  )

  return Sightings.of({ note, recent, forget })
})

/** Sightings in the service's database. */
export const SightingsLive = Layer.effect(Sightings, make)
