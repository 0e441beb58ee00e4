/** The sandbox with the service settling on it: one per test file. */
import { Context, Effect, Layer } from "effect"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { serviceEnvironment, startSandbox } from "../../scripts/sandbox/sandbox.ts"
import type { ServiceProcess } from "../../scripts/sandbox/service.ts"
import { startService } from "../../scripts/sandbox/service.ts"

/** Both chains, market data, and the service as a process of its own, with a contact and plenty of free calls. */
export class RunningService extends Context.Tag("test/RunningService")<
  RunningService,
  { readonly sandbox: Sandbox; readonly service: ServiceProcess }
>() {
  static readonly layer = Layer.scoped(
    RunningService,
    Effect.gen(function* () {
      const sandbox = yield* startSandbox()
      const service = yield* startService(
        serviceEnvironment(sandbox, { CONTACT: "mailto:ops@example.com", FREE_CALLS_PER_IP: "1000" })
      )
      return { sandbox, service }
    })
  )
}
