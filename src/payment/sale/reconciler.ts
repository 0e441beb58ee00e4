import { Duration, Effect, Layer, Option, Schedule } from "effect"
import { tellingTrouble } from "../../domain/trouble.ts"
import { retained } from "../../storage/retention.ts"
import { retentionConfig } from "../config.ts"
import { keepLease } from "../ledger/lease.ts"
import { type Driven, Ledger, type LedgerEntry } from "../ledger/ledger.ts"
import { FinalityLive } from "./finality.ts"
import { Settlement, SettlementLive } from "./settlement.ts"

/** Time between two looks at settlements nobody drives. */
const INTERVAL = Duration.seconds(5)
const PURGE_INTERVAL = Duration.hours(1)
/** Rows asked about at once: each costs a chain a few reads. */
const CONCURRENCY = 4

const drivenOf = (entry: LedgerEntry): Driven | undefined =>
  entry.state === "settling" ? entry : entry.state === "refused" ? entry.driven : undefined

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const settlement = yield* Settlement
  const retention = yield* retentionConfig

  const reconcile = Effect.fnUntraced(function* (authorizationKey: string) {
    if (!(yield* ledger.takeOver(authorizationKey))) return
    const row = yield* ledger.find(authorizationKey)
    const driven = Option.isSome(row) ? drivenOf(row.value) : undefined
    if (driven !== undefined) {
      yield* keepLease(ledger, authorizationKey, settlement.reconcile(driven))
    }
  })

  const telling = tellingTrouble("reconciling a payment")

  const pass = Effect.gen(function* () {
    const keys = yield* ledger.abandoned
    yield* Effect.forEach(keys, (key) => Effect.ignoreLogged(telling(reconcile(key))), {
      concurrency: CONCURRENCY,
      discard: true
    })
  })

  const every = <A, E>(interval: Duration.Duration, work: Effect.Effect<A, E>) =>
    Effect.ignoreLogged(work).pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)

  yield* every(INTERVAL, tellingTrouble("looking for open payments")(pass))
  yield* retained("payments", PURGE_INTERVAL, ledger.purge(Duration.toMillis(retention)))
})

/**
 * Asks the chains, at start and every five seconds, and about old ones more seldom, about every payment whose settlement was
 * begun and not recorded, and about refused ones that might still land: one that landed is recorded with its stored answer, one that
 * never can is refused for good. It never sends a transfer itself. Drops answers and payloads of old payments once an
 * hour. With it come the looks at settled payments whose blocks are not final. Requires `PaymentVerifier` and
 * `SqlClient`.
 */
export const ReconcilerLive = Layer.merge(Layer.scopedDiscard(make), FinalityLive).pipe(
  Layer.provide(SettlementLive)
)
