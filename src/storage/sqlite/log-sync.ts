import { Duration, Effect, type Scope } from "effect"
import { open, realpath } from "node:fs/promises"

/** From a commit that did not wait for the disk to the sync that it, and others meanwhile, are part of. */
const REST = Duration.millis(20)

/** A descriptor of a log's own; what is brought to the disk by one is there for all. */
export interface Log {
  readonly sync: Effect.Effect<void, unknown>
}

/**
 * The log beside a SQLite file, which is there as long as a connection is that has read or written. SQLite follows links
 * to the file before it names its log.
 */
export const openLog = (path: string): Effect.Effect<Log, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise(async () => open(`${await realpath(path)}-wal`, "r+")),
    (file) => Effect.ignore(Effect.tryPromise(() => file.close()))
  ).pipe(Effect.map((file) => ({ sync: Effect.tryPromise(() => file.datasync()) })))

/**
 * Brings SQLite's log to the disk in a thread of Node's while the service goes on; to be called behind a commit that did
 * not wait for it. SQLite does so itself with what was never synced when it moves its log into the file, and holds the
 * event loop up meanwhile: now next to nothing is left to it. What fails here is let go and comes with the next call:
 * SQLite syncs by a descriptor of its own, and is told of the same failure.
 */
export const makeLogSync = (
  log: Effect.Effect<Log, unknown, Scope.Scope>
): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const latch = yield* Effect.makeLatch(false)
    const wanted = Effect.zipRight(latch.await, latch.close)
    const syncing = Effect.flatMap(log, ({ sync }) =>
      Effect.forever(Effect.zipRight(Effect.delay(sync, REST), wanted))
    )
    yield* Effect.forkScoped(
      Effect.forever(Effect.zipRight(wanted, Effect.ignoreLogged(Effect.scoped(syncing))))
    )
    return () => void latch.unsafeOpen()
  })
