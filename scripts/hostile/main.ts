/**
 * `npm run test:hostile:service -- [--seconds N] [--only TEXT] [--profile DIRECTORY]`: one address attacks the real
 * service on local chains, in every way it can without paying, while another address pays. Before that others use it as
 * a service is used. Prints what the payer noticed and what the service says of itself; the exit code is 0 when every
 * figure is within its bound. Meant for an idle machine.
 */
import { Console, Duration, Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { GIVES_BACK } from "../sandbox/allocator.ts"
import { runForeground } from "../sandbox/foreground.ts"
import { serviceEnvironment, startSandbox } from "../sandbox/sandbox.ts"
import { startService } from "../sandbox/service.ts"
import { ATTACKS } from "./attacks.ts"
import type { Service, Vitals } from "./watch.ts"
import { healthCheck, ordinaryUse, paidPing, stallsSince, vitals, whileWatching } from "./watch.ts"

/**
 * A payer at another address, a health check, the way back, and what kept the event loop from going round but others'
 * work on the same processors: milliseconds. Memory: a share, as soon as what nobody needs was given back.
 */
const BOUNDS = { paid: 2_000, health: 1_000, back: 5_000, stall: 50, memory: 0.1 } as const
/**
 * In which the memory that an attack took is given back. It is looked for garbage every two seconds, and V8 is asked to
 * collect after up to four looks that found the service calm; the pages that are empty then go with the collection after;
 * and the metrics say what was there up to five seconds ago. A fixed wait of less finds a good collection half the times.
 */
const GIVEN_BACK_WITHIN = "30 seconds"
/** The metrics are of every five seconds. */
const METRICS_WINDOW = "6 seconds"
/** Seldom enough that the service is calm between. */
const LOOKS_AT_MEMORY = "2500 millis"
/** The payer's own connections, which are kept, and the one that asks for the metrics. */
const KEPT = 8
/** How long the service is used before it is attacked. */
const ORDINARY_USE = "20 seconds"
const MEBIBYTE = 2 ** 20
const WITHOUT_JEMALLOC =
  "jemalloc is not installed here (Debian: libjemalloc2). The C library keeps much of what a burst took, and the bounds on memory will not hold."
const LONGEST_NAME = Math.max(...ATTACKS.map(({ length }) => length))

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "12" },
    only: { type: "string", default: "" },
    profile: { type: "string" }
  }
})

const REPORTER = join(import.meta.dirname, "stall-reporter.mjs")
const nodeArguments = [
  "--import",
  REPORTER,
  ...(values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`])
]

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "hostile-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The attack in a process of its own, for as long as asked from its first wave on. */
const attackFor = (name: string, port: number, seconds: number) =>
  Effect.scoped(
    Effect.acquireRelease(
      Effect.sync(() => {
        const file = join(import.meta.dirname, "attacker.ts")
        const stdio = ["ignore", "inherit", "inherit", "ipc"] as const
        return spawn(process.execPath, ["--import", "tsx", file, name, String(port)], { stdio: [...stdio] })
      }),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ).pipe(
      Effect.tap((child) =>
        Effect.async<unknown>((resume) => void child.once("message", () => resume(Effect.void)))
      ),
      Effect.zipRight(Effect.sleep(`${seconds} seconds`))
    )
  )

/** As before the attack: everybody is served, nothing is under way, and no connection of the attacker's is left. */
const isBack = (service: Service, before: Vitals) =>
  Effect.gen(function* () {
    const [paid, health, { connections, requests }] = yield* Effect.all([
      paidPing(service),
      healthCheck(service),
      vitals(service)
    ])
    return Number.isFinite(paid + health) && requests <= 1 && connections <= before.connections + KEPT
  })

const untilBack = (service: Service, before: Vitals) =>
  Effect.map(
    Effect.timed(
      isBack(service, before).pipe(
        Effect.repeat({ until: (back) => back, schedule: Schedule.spaced("100 millis") }),
        Effect.timeoutOption("60 seconds")
      )
    ),
    ([took]) => Math.round(Duration.toMillis(took))
  )

const most = (times: ReadonlyArray<number>): number => Math.round(Math.max(0, ...times))

const megabytes = ({ residentBytes }: Vitals): string => (residentBytes / MEBIBYTE).toFixed(0)

/** The share by which memory has grown. */
const growth = (before: Vitals, after: Vitals): number => after.residentBytes / before.residentBytes - 1

/** The vitals once memory is within its bound again, or as they are when it had its time. */
const untilGivenBack = (service: Service, before: Vitals) =>
  vitals(service).pipe(
    // A schedule's own output would stand for the vitals here.
    Effect.delay(LOOKS_AT_MEMORY),
    Effect.repeat({ until: (now) => growth(before, now) <= BOUNDS.memory }),
    Effect.timeoutTo({
      duration: GIVEN_BACK_WITHIN,
      onSuccess: Effect.succeed,
      onTimeout: () => vitals(service)
    }),
    Effect.flatten,
    Effect.timed,
    Effect.map(([took, after]) => ({ after, seconds: Math.round(Duration.toSeconds(took)) }))
  )

const play = (service: Service, name: string) =>
  Effect.gen(function* () {
    const before = yield* vitals(service)
    yield* stallsSince(service)
    const noticed = yield* whileWatching(service, attackFor(name, service.port, Number(values.seconds)))
    const stalls = yield* stallsSince(service)
    const back = yield* untilBack(service, before)
    // What the metrics say now may be of a moment before the attack.
    yield* Effect.sleep(METRICS_WINDOW)
    const { after, seconds } = yield* untilGivenBack(service, before)
    const row = {
      paid: most(noticed.paid),
      health: most(noticed.health),
      back,
      stall: Math.round(stalls.own)
    }
    yield* Console.log(
      `${name.padEnd(LONGEST_NAME)}${String(noticed.paid.length).padStart(5)} paid, slowest ${row.paid} ms; health ${row.health} ms;` +
        ` back after ${row.back} ms; stall ${row.stall} ms (${Math.round(stalls.stall)} with the wait for a processor);` +
        ` memory ${megabytes(before)} to ${megabytes(after)} MB in ${seconds} s`
    )
    const over = [
      ...(Object.keys(row) as ReadonlyArray<keyof typeof row>).filter((key) => row[key] > BOUNDS[key]),
      ...(growth(before, after) > BOUNDS.memory ? ["memory"] : [])
    ]
    return over.map((figure) => `${name}: ${figure}`)
  })

const main = Effect.gen(function* () {
  if (!GIVES_BACK) yield* Console.log(WITHOUT_JEMALLOC)
  const sandbox = yield* startSandbox()
  const stallSocket = join(yield* temporaryDirectory, "stalls.sock")
  const environment = serviceEnvironment(sandbox, { STALL_SOCKET: stallSocket })
  const { url } = yield* startService(environment, { nodeArguments })
  const service: Service = { sandbox, stallSocket, url, port: Number(new URL(url).port) }
  const names = ATTACKS.filter((name) => name.includes(values.only))
  yield* ordinaryUse(service, Effect.sleep(ORDINARY_USE))
  // What ordinary use has left would be counted as needed, and hide as much that an attack leaves.
  yield* Effect.sleep(GIVEN_BACK_WITHIN)
  const before = yield* vitals(service)
  const each = yield* Effect.forEach(names, (name) => play(service, name))
  const after = yield* vitals(service)
  yield* Console.log(`memory before all of them and after: ${megabytes(before)} and ${megabytes(after)} MB`)
  const over = [...each.flat(), ...(growth(before, after) > BOUNDS.memory ? ["all of them: memory"] : [])]
  for (const line of over) yield* Console.log(`over its bound: ${line}`)
  if (over.length > 0) process.exitCode = 1
})

runForeground(Effect.scoped(main))
