/** The sandbox with the service on it, started once for all files of a worker that are content with its settings. */
import type { Vitest } from "@effect/vitest"
import { layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { serviceEnvironment, startSandbox } from "../../scripts/sandbox/sandbox.ts"
import type { ServiceProcess } from "../../scripts/sandbox/service.ts"
import { startService } from "../../scripts/sandbox/service.ts"

export interface Running {
  readonly sandbox: Sandbox
  readonly service: ServiceProcess
}

/** With a contact and plenty of free calls; and the callers of all files have one address, whose limits are no subject here. */
const SETTINGS = { CONTACT: "mailto:ops@example.com", FREE_CALLS_PER_IP: "1000", ADDRESS_LIMITS: "off" }

let running: Promise<Running> | undefined

/**
 * Both chains, market data, and the service as a process of its own. Whoever uses it takes fresh payers, and looks at
 * differences. It ends with the worker, whose files come one after the other: a start costs more than most of them.
 */
export const sharedService = (): Promise<Running> => {
  if (running !== undefined) return running
  // Vitest ends a worker by this signal, and only an exit that is called runs what ends our processes.
  process.once("SIGTERM", () => process.exit())
  const scope = Effect.runSync(Scope.make())
  running = Effect.gen(function* () {
    const sandbox = yield* startSandbox()
    const service = yield* startService(serviceEnvironment(sandbox, SETTINGS))
    return { sandbox, service }
  }).pipe(
    Scope.extend(scope),
    Effect.onError(() => Scope.close(scope, Exit.void)),
    Effect.runPromise
  )
  return running
}

/** The same for tests that are effects. */
export class RunningService extends Context.Tag("test/RunningService")<RunningService, Running>() {
  static readonly layer = Layer.effect(RunningService, Effect.promise(sharedService))
}

/** What holds of a subject against the running service, which may first have to start. */
export const againstService = (
  subject: string,
  claims: (it: Vitest.MethodsNonLive<RunningService, true>) => void
): void => layer(RunningService.layer, { excludeTestServices: true, timeout: "3 minutes" })(subject, claims)
