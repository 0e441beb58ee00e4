/**
 * `npm run sandbox`: local Base, local Solana, market data, and the service settling with its own keys on them.
 * Runs until Ctrl-C. `--chains-only` leaves the service out, `--port=3402` sets the service's port.
 */
import { Console, Effect } from "effect"
import { parseArgs } from "node:util"
import { solanaSecretKey } from "./accounts.ts"
import { describeCommands, describeSandbox } from "./describe.ts"
import { runForeground } from "./foreground.ts"
import { serviceEnvironment, startSandbox } from "./sandbox.ts"
import { startService } from "./service.ts"

const { values } = parseArgs({
  options: {
    "chains-only": { type: "boolean", default: false },
    port: { type: "string", default: "3402" }
  }
})

const run = Effect.gen(function* () {
  const sandbox = yield* startSandbox({ base: { detached: true } })
  if (values["chains-only"]) {
    yield* Console.log(describeSandbox(sandbox, null))
  } else {
    const service = yield* startService(serviceEnvironment(sandbox), {
      port: Number(values.port),
      output: "inherit",
      detached: true
    })
    const solanaKey = yield* Effect.promise(() => solanaSecretKey("payer"))
    const commands = describeCommands(sandbox, service.url, solanaKey)
    yield* Console.log(`${describeSandbox(sandbox, service)}\n\n${commands}`)
  }
  yield* Console.log("\nCtrl-C ends everything.")
  return yield* Effect.never
})

runForeground(Effect.scoped(run))
