import { Effect } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"
import { labelledCounter } from "../../domain/labelled-counter.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { Evidence } from "../outcome.ts"
import type { Recorded } from "./ledger.ts"
import type { Moves } from "./moves.ts"

const revenue = labelledCounter(
  "token_risk_revenue_usdc_total",
  "USDC received for calls, by network: each sale once, counted by the process that wrote its transfer down",
  ["network"]
)

/** USDC has six decimals. Counters are floats: exact up to nine billion USDC. */
const USDC = 1e6

/** What orders' buyers pay their merchants is no revenue of ours. */
const count = ({ amount, network }: Evidence): void => revenue.count({ network }, Number(amount) / USDC)

/** Sales in doubt that are remembered; the one that is longest ago is forgotten first. */
const MOST_DOUBTS = 1_000

interface Row {
  readonly authorization_key: string
  readonly is_ours: number | boolean
}

/**
 * Counts what each sale has earned, once. Where a record failed it may be there all the same: a database can do it and
 * lose its word. Whoever looks again finds the sale settled, as if another process had done it, and nobody would count
 * it; so it stays in doubt until a look shows who has settled it.
 */
export const makeEarnings = ({ owner, sql }: Pick<Moves, "owner" | "sql">) => {
  const doubts = new Map<string, Evidence>()
  // Before the first sale: of a series that begins with one, whoever asks for its rise would not see that one.
  for (const network of [BASE_NETWORK, SOLANA_NETWORK]) revenue.count({ network }, 0)

  const doubt = (key: string, evidence: Evidence): void => {
    doubts.set(key, evidence)
    const oldest = doubts.size > MOST_DOUBTS ? doubts.keys().next().value : undefined
    if (oldest !== undefined) doubts.delete(oldest)
  }

  const settledOf = (keys: ReadonlyArray<string>) =>
    sql<Row>`SELECT authorization_key, owner = ${owner} AND fee_purses IS NULL AS is_ours FROM payments
      WHERE ${sql.in("authorization_key", keys)} AND state = 'settled'`

  const end = (rows: ReadonlyArray<Row>): void => {
    for (const { authorization_key: key, is_ours } of rows) {
      const evidence = doubts.get(key)
      // Two may look at once: whoever takes it out counts it.
      if (doubts.delete(key) && evidence !== undefined && is_ours) count(evidence)
    }
  }

  /** Looks what became of the sales in doubt. What cannot be read now is looked at again. */
  const resolve: Effect.Effect<void> = Effect.suspend(() =>
    doubts.size === 0
      ? Effect.void
      : Effect.ignoreLogged(Effect.map(narrowSql(settledOf([...doubts.keys()])), end))
  )

  /** Counts a sale by how the record of its transfer ends. `earned`: this one has recorded it. */
  const counting =
    (key: string, evidence: Evidence) =>
    <E>(recording: Effect.Effect<Recorded | "earned", E>): Effect.Effect<Recorded, E> =>
      Effect.suspend(() => {
        const wasInDoubt = doubts.delete(key)
        const ended = (recorded: Recorded | "earned"): Effect.Effect<Recorded> => {
          if (recorded === "earned") count(evidence)
          if (recorded !== "not-open" || !wasInDoubt)
            return Effect.succeed(recorded === "earned" ? "recorded" : recorded)
          doubt(key, evidence)
          return Effect.as(resolve, recorded)
        }
        return Effect.flatMap(
          Effect.tapError(recording, (error) =>
            error === "used-elsewhere" ? Effect.void : Effect.sync(() => doubt(key, evidence))
          ),
          ended
        )
      })

  return { counting, resolve }
}

export type Earnings = ReturnType<typeof makeEarnings>
