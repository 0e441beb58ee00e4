import { Effect, Layer, Option } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import { makeClaims } from "./claims.ts"
import { makeEarnings } from "./earnings.ts"
import { makeDrivers } from "./drivers.ts"
import { paymentNamed } from "./identifiers.ts"
import { type BoughtRow, decodeBought, decodeRow, type PaymentRow } from "./ledger-row.ts"
import { Ledger } from "./ledger.ts"
import { makeMoves } from "./moves.ts"
import { makeOutcomes } from "./outcomes.ts"
import { makePurge } from "./purge.ts"
import { makeStanding } from "./standing.ts"
import { span } from "../../domain/span.ts"

const make = Effect.gen(function* () {
  const moves = yield* makeMoves
  const { isFree, now, sql } = moves
  const earnings = makeEarnings(moves)
  const drivers = makeDrivers(moves)

  return Ledger.of({
    ...makeClaims(moves),
    ...drivers,
    abandoned: Effect.zipRight(earnings.resolve, drivers.abandoned),
    ...makeOutcomes(moves, earnings),
    ...makeStanding(moves),
    purge: makePurge(sql, now),
    find: Effect.fnUntraced(function* (key) {
      yield* earnings.resolve
      const at = yield* now
      const rows = yield* narrowSql(
        sql<PaymentRow>`SELECT payments.*, ${isFree(at)} AS lapsed FROM payments WHERE authorization_key = ${key}`
      )
      return yield* Effect.transposeMapOption(Option.fromNullable(rows[0]), decodeRow)
    }, span("Ledger.find")),
    named: Effect.fn("Ledger.named")(function* (payer, identifier) {
      const at = yield* now
      return Option.fromNullable(yield* narrowSql(paymentNamed(moves, payer, identifier, at)))
    }),
    bought: Effect.fn("Ledger.bought")(function* (payer, fingerprints) {
      const rows = yield* narrowSql(sql<BoughtRow>`SELECT answer, settlement FROM payments
        WHERE payer = ${payer} AND ${sql.in("fingerprint", fingerprints)} AND state = 'settled'
          AND answer IS NOT NULL AND settlement IS NOT NULL
        ORDER BY created_at DESC, authorization_key LIMIT 1`)
      return yield* Effect.transposeMapOption(Option.fromNullable(rows[0]), decodeBought)
    })
  })
})

/** The ledger on the service's database. Requires `SqlClient`; reads `PAYMENT_LEASE`. */
export const LedgerLive = Layer.effect(Ledger, make)
