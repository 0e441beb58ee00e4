/** Takes the free calls of a caller, says how many it had, and is killed in the same moment. */
import { Effect, Layer, Option } from "effect"
import { writeSync } from "node:fs"
import { FreeTierStoreLive } from "../../../src/free-tier/free-tier-store-live.ts"
import { FreeTierStore } from "../../../src/free-tier/free-tier-store.ts"
import { databaseAt } from "../../../src/storage/database.ts"

const [, , path = ""] = process.argv
const caller = { clientId: "agent", ip: "10.0.0.1" }

const program = Effect.gen(function* () {
  const store = yield* FreeTierStore
  const ids = [...(yield* store.reserveAll([caller, caller])), yield* store.reserve(caller)]
  writeSync(1, String(ids.filter(Option.isSome).length))
  process.kill(process.pid, "SIGKILL")
})

const store = FreeTierStoreLive.pipe(Layer.provide(databaseAt({ dialect: "sqlite", path })))
await Effect.runPromise(Effect.scoped(Effect.provide(program, store)))
