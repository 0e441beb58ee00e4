import { Cause, Clock, Effect, Option } from "effect"
import { UpstreamError } from "./errors.ts"

/** Milliseconds between two log lines about failures of one kind. */
const EVERY = 60_000
/** Milliseconds without a failure after which work that succeeds is said to work again. */
const CALM = 10_000

/** What the log is told of something that is tried again and again. */
export interface Trouble {
  /**
   * Takes note of a failure. `tell` writes its line, and runs for the first failure of a kind and then once a minute; with
   * the line stands how many failures there have been. Kinds must be few and our own: a text with numbers in it would be
   * another kind each time.
   */
  readonly failed: (kind: string, tell: Effect.Effect<void>) => Effect.Effect<void>
  /** Takes note of a success. The first one after a while without failures is a line too. */
  readonly worked: Effect.Effect<void>
}

/**
 * Tells the log when something begins to fail, that it still does, and when it works again: what is tried ten times a
 * second would else fill a disk while its database is away, and hide the one line that says why.
 */
export const makeTrouble = (what: string): Trouble => {
  const told = new Map<string, number>()
  let failures = 0
  let last = 0

  /** Whether a moment lies less than `millis` back. One ahead was read from a clock that was set back since, and is not. */
  const isRecent = (then: number | undefined, now: number, millis: number): boolean =>
    then !== undefined && now >= then && now - then < millis

  const failed: Trouble["failed"] = (kind, tell) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      failures += 1
      last = now
      if (isRecent(told.get(kind), now, EVERY)) return Effect.void
      told.set(kind, now)
      return Effect.annotateLogs(tell, { failures })
    })

  const over = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (isRecent(last, now, CALM)) return Effect.void
    const ended = failures
    told.clear()
    failures = 0
    return Effect.annotateLogs(Effect.logInfo(`${what} works again`), { failures: ended })
  })

  return { failed, worked: Effect.suspend(() => (failures === 0 ? Effect.void : over)) }
}

const kindOf = (error: unknown): string => {
  if (error instanceof UpstreamError) return `${error.upstream} ${error.kind}`
  return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "failure"
}

/**
 * Repeated work whose failures and defects are told as `makeTrouble` says, and go on to whoever repeats it. Of an
 * upstream's failure the line has the name, the kind and the detail.
 */
export const tellingTrouble = (what: string) => {
  const { failed, worked } = makeTrouble(what)
  const tell = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
    if (Cause.isInterruptedOnly(cause)) return Effect.void
    return Option.match(Cause.failureOption(cause), {
      onNone: () => failed("defect", Effect.logError(`${what} died`, cause)),
      onSome: (error) =>
        failed(
          kindOf(error),
          error instanceof UpstreamError
            ? Effect.annotateLogs(Effect.logWarning(`${what} failed`), {
                upstream: error.upstream,
                kind: error.kind,
                detail: error.detail
              })
            : Effect.logWarning(`${what} failed`, cause)
        )
    })
  }
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tapErrorCause(Effect.zipLeft(work, worked), tell)
}
