import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { narrowSql } from "../storage/sql-errors.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import { makeCounters } from "./counters.ts"
import { makeBinding } from "./store/binding.ts"
import { makeCreating } from "./store/creating.ts"
import { makeEnding } from "./store/ending.ts"
import { makeLosing } from "./store/losing.ts"
import { makeOvertaken } from "./store/overtaken.ts"
import { makeReading } from "./store/reading.ts"
import { makeRecording } from "./store/recording.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const counters = yield* makeCounters
  return CheckoutRepo.of({
    ...makeReading(sql),
    ...makeCreating(sql, counters),
    ...makeBinding(sql),
    ...makeRecording(sql, counters),
    ...makeLosing(sql, counters),
    ...makeEnding(sql, counters),
    ...makeOvertaken(sql),
    paidInADay: (caller, now) => narrowSql(counters.paidInADay(caller, now))
  })
})

/** Checkouts in the service's database. */
export const CheckoutRepoLive: Layer.Layer<CheckoutRepo, never, SqlClient.SqlClient> = Layer.effect(
  CheckoutRepo,
  make
)
