import { Duration, Effect, Layer, Option, Schedule } from "effect"
import { keepLease } from "../ledger/lease.ts"
import { Ledger } from "../ledger/ledger.ts"
import { Settlement, SettlementLive } from "./settlement.ts"

/** Time between two looks at settlements nobody drives. */
const INTERVAL = Duration.seconds(15)
/** Rows asked about at once: each costs a chain a few reads. */
const CONCURRENCY = 4

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const settlement = yield* Settlement

  const reconcile = (authorizationKey: string) =>
    Effect.gen(function* () {
      if (!(yield* ledger.takeOver(authorizationKey))) return
      const row = yield* ledger.find(authorizationKey)
      if (Option.isSome(row) && row.value.state === "settling")
        yield* keepLease(ledger, authorizationKey, settlement.reconcile(row.value))
    })

  const pass = Effect.flatMap(ledger.abandoned, (keys) =>
    Effect.forEach(keys, (key) => Effect.ignoreLogged(reconcile(key)), {
      concurrency: CONCURRENCY,
      discard: true
    })
  )

  yield* Effect.ignoreLogged(pass).pipe(Effect.repeat(Schedule.spaced(INTERVAL)), Effect.forkScoped)
})

/**
 * Asks the chains, at start and every fifteen seconds, about every payment whose settlement was begun and not
 * recorded: one that landed is recorded with its stored answer, one that never can is released. It never sends a
 * transfer itself: only the payer's own repeated request does. Requires `PaymentVerifier` and `SqlClient`.
 */
export const ReconcilerLive = Layer.scopedDiscard(make).pipe(Layer.provide(SettlementLive))
