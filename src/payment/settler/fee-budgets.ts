import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { encodeBudgets, feeTotalsOn } from "./fee-ledger.ts"

/** A budget: its name, and the most it may spend in 24 hours, millionths of a USD. */
export interface FeeBudget {
  readonly name: string
  readonly most: bigint
}

/** The result of setting fees aside. `held`: not spent yet, but set aside for payments that are under way. */
export type Reserved = "reserved" | "held" | "spent"

/** What was spent for whom, and what is set aside for payments whose fee is not known yet. */
export class FeeBudgets extends Context.Tag("token-risk/FeeBudgets")<
  FeeBudgets,
  {
    /**
     * Sets aside what the fee of a claimed payment may be, where every one of its budgets has that much left: all of it
     * or nothing, one payment after the other. It stays set aside, across restarts, until the fee is written down, or
     * the payment is given back or certainly never lands. A payment that costs us nothing needs nothing; for one that
     * is not claimed nothing can be set aside. Where its transaction may come to cost more, its sender sets more aside
     * first, or does not sign it (`cover` in `fee-ledger.ts`).
     */
    readonly reserve: (
      authorizationKey: string,
      network: Network,
      budgets: ReadonlyArray<FeeBudget>
    ) => Effect.Effect<Reserved, UpstreamError>
    /** Network fees in the last 24 hours, by the full hour, of each of these budgets: millionths of a USD. */
    readonly spent: (
      network: Network,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<bigint>, UpstreamError>
  }
>() {}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const { inTurn, setAside, spent } = feeTotalsOn(sql)

  const reserve = Effect.fn("FeeBudgets.reserve")(
    function* (authorizationKey: string, network: Network, budgets: ReadonlyArray<FeeBudget>) {
      yield* inTurn
      const names = budgets.map(({ name }) => name)
      const limits = budgets.map(({ most }) => most).join(" ")
      const [row] = yield* sql<{ quote: string | number | null }>`UPDATE payments
        SET fee_reserved = fee_quote, fee_purses = ${encodeBudgets(names)}, fee_limits = ${limits}
        WHERE authorization_key = ${authorizationKey} RETURNING fee_quote AS quote`
      // Nothing can be set aside for a payment that is not recorded.
      if (row === undefined) return "held" as const
      if (row.quote === null) return "reserved" as const
      const [paid, held] = [yield* spent(network, names), yield* setAside(network)]
      const paidFor = (name: string) => paid.get(name) ?? 0n
      if (budgets.some(({ most, name }) => paidFor(name) >= most)) return yield* Effect.fail("spent" as const)
      const isFull = budgets.some(({ most, name }) => paidFor(name) + (held.get(name) ?? 0n) > most)
      return isFull ? yield* Effect.fail("held" as const) : ("reserved" as const)
    },
    sql.withTransaction,
    // What was set aside is taken back with the transaction.
    Effect.catchIf(
      (error): error is Exclude<Reserved, "reserved"> => error === "spent" || error === "held",
      (reason) => Effect.succeed<Reserved>(reason)
    ),
    narrowSql
  )

  return FeeBudgets.of({
    reserve,
    spent: Effect.fn("FeeBudgets.spent")((network: Network, names: ReadonlyArray<string>) =>
      Effect.map(narrowSql(spent(network, names)), (totals) => names.map((name) => totals.get(name) ?? 0n))
    )
  })
})

/** What was spent for whom, in the service's database. */
export const FeeBudgetsLive = Layer.effect(FeeBudgets, make)
