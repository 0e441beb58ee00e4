import {
  Data,
  Deferred,
  Duration,
  Effect,
  Exit,
  FiberId,
  Metric,
  MetricBoundaries,
  Option,
  Queue,
  type Scope
} from "effect"
import type { Worker } from "node:worker_threads"
import type { Hex } from "viem"
import type { Around } from "../power/analyse.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"
import { type Answer, READY, type Task, type ThreadMessage } from "./tasks.ts"

export interface ThreadOptions {
  readonly start: () => Worker
  readonly threads: number
  /** How long one analysis runs before the next one of its thread gets its turn. */
  readonly turnMilliseconds: number
  /** What a thread may overrun a turn by before it is stopped, whatever it does. */
  readonly graceMilliseconds: number
  /** Longest time from the question to the answer, waiting included. */
  readonly limitMilliseconds: number
  /** Analyses one thread has at once; more are not taken. */
  readonly perThread: number
}

/** One more thread than needed for the honest, so that a hostile analysis has not all of them. */
export const DEFAULT_THREADS: Omit<ThreadOptions, "start"> = {
  threads: 2,
  turnMilliseconds: 50,
  // As long as the engine's own clock gives it: until then it may be about to stop by itself.
  graceMilliseconds: 3_000,
  limitMilliseconds: 8_000,
  perThread: 24
}

/** Loading the engine. */
const START_TIMEOUT = "30 seconds"
/** Before a thread that could not be started is tried again. */
const RETRY_PAUSE = "5 seconds"

/** Why there is no answer, in words that complete "the code was not read: …". */
class Stopped extends Data.TaggedError("Stopped")<{ readonly why: string }> {}

const BUSY = new Stopped({ why: "too much code waits to be read" })
const TOO_LATE = new Stopped({ why: "reading it took too long" })
const TOO_LARGE = new Stopped({ why: "reading it took too much memory" })
const UNSTOPPABLE = new Stopped({ why: "reading it could not be paused" })
const ENDED = new Stopped({ why: "its reader ended" })

const analysisSeconds = Metric.histogram(
  "token_risk_analysis_seconds",
  MetricBoundaries.fromIterable([0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8]),
  "Time of one analysis of runtime code in threads, waiting included, by task and outcome (decided, cut, stopped)"
)
const threadsLost = Metric.counter("token_risk_analysis_threads_lost_total", {
  description: "Analysis threads that were stopped or ended, and were replaced",
  incremental: true
})

interface Job {
  readonly id: number
  readonly task: Task
  readonly code: Hex
  readonly state: ReadonlyArray<SlotValue>
  readonly around: Around
  readonly answer: Deferred.Deferred<Answer, Stopped>
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" && message !== null && "result" in message && "cut" in message

/** What a thread says next; fails when it ends instead. Leaves no listener behind. */
const nextWord = (thread: Worker, ask: () => void = () => {}): Effect.Effect<unknown, Stopped> =>
  Effect.async<unknown, Stopped>((resume) => {
    const settle = (word: Effect.Effect<unknown, Stopped>) => {
      detach()
      resume(word)
    }
    const hear = (message: unknown) => settle(Effect.succeed(message))
    const fail = (error: unknown) => {
      const isFull = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
      settle(Effect.fail(isFull ? TOO_LARGE : ENDED))
    }
    const detach = () => void thread.off("message", hear).off("error", fail).off("exit", fail)
    thread.on("message", hear).on("error", fail).on("exit", fail)
    ask()
    return Effect.sync(detach)
  })

/**
 * Ends a thread. One that the runtime cannot end, as Node 26.10 could not one whose optimised loop filled its memory, is
 * left behind: waiting for it would keep its place empty, and the service from stopping.
 */
const end = (thread: Worker, patience: number): Effect.Effect<void> =>
  Effect.interruptible(Effect.promise(() => thread.terminate())).pipe(
    Effect.timeoutOption(patience),
    Effect.flatMap((ended) =>
      Option.isSome(ended)
        ? Effect.void
        : Effect.logError("an analysis thread cannot be ended: it stays behind")
    )
  )

const started = ({ graceMilliseconds, start }: ThreadOptions): Effect.Effect<Worker, Stopped, Scope.Scope> =>
  Effect.gen(function* () {
    const thread = yield* Effect.acquireRelease(Effect.try({ try: start, catch: () => ENDED }), (worker) =>
      end(worker, graceMilliseconds)
    )
    // An idle thread must not keep a process alive; and without a listener, a late error would end it.
    thread.unref()
    thread.on("error", () => {})
    const word = yield* Effect.timeoutFail(nextWord(thread), {
      duration: START_TIMEOUT,
      onTimeout: () => ENDED
    })
    return word === READY ? thread : yield* ENDED
  })

/** One turn of a job in a thread, and what became of it: `again` takes a job that paused. */
const takeTurn = (
  thread: Worker,
  { message, job, again }: { message: ThreadMessage; job: Job; again: Effect.Effect<unknown> },
  { graceMilliseconds, turnMilliseconds }: ThreadOptions
): Effect.Effect<void, Stopped> =>
  nextWord(thread, () => thread.postMessage(message, [])).pipe(
    Effect.timeoutFail({
      duration: turnMilliseconds + graceMilliseconds,
      onTimeout: () => UNSTOPPABLE
    }),
    // The job at whose turn a thread ends is the one that ended it; those that paused begin again elsewhere.
    Effect.tapError((error) => Deferred.fail(job.answer, error)),
    Effect.flatMap((word) => (isAnswer(word) ? Deferred.succeed(job.answer, word) : again)),
    Effect.asVoid
  )

/** The jobs of one thread, in turn. The thread starts with the lane, or with its first job. */
const makeLane = Effect.fnUntraced(function* (options: ThreadOptions, startsAtOnce: boolean) {
  const line = yield* Queue.unbounded<Job>()
  const wanted = yield* Effect.makeLatch(startsAtOnce)
  const jobs = new Set<Job>()
  let dropped: Array<number> = []

  const message = ({ around, code, id, state, task }: Job): ThreadMessage => {
    const drop = dropped
    dropped = []
    return { drop, turn: { job: id, task, code, state, around, milliseconds: options.turnMilliseconds } }
  }

  const serve = (thread: Worker) =>
    Queue.take(line).pipe(
      Effect.flatMap((job) =>
        jobs.has(job)
          ? takeTurn(thread, { message: message(job), job, again: Queue.offer(line, job) }, options)
          : Effect.void
      ),
      Effect.forever
    )

  yield* wanted.await.pipe(
    Effect.zipRight(started(options)),
    Effect.tapError(() => Effect.sleep(RETRY_PAUSE)),
    Effect.flatMap(serve),
    Effect.scoped,
    Effect.catchAll(({ why }) =>
      Effect.zipRight(
        Metric.increment(threadsLost),
        Effect.logWarning("an analysis thread ended, starting another").pipe(Effect.annotateLogs({ why }))
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )

  /** Takes the job at once, so that who asks next sees it. */
  const run = (job: Job): Effect.Effect<Answer, Stopped> => {
    jobs.add(job)
    return Queue.offer(line, job).pipe(
      Effect.zipLeft(wanted.open),
      Effect.zipRight(Deferred.await(job.answer)),
      Effect.timeoutFail({ duration: options.limitMilliseconds, onTimeout: () => TOO_LATE }),
      Effect.ensuring(
        Effect.sync(() => {
          jobs.delete(job)
          dropped.push(job.id)
        })
      )
    )
  }
  return { run, size: () => jobs.size }
})

const outcomeOf = (exit: Exit.Exit<Answer, Stopped>): string =>
  Exit.isFailure(exit) ? "stopped" : exit.value.cut ? "cut" : "decided"

const measured = (task: Task, work: Effect.Effect<Answer, Stopped>): Effect.Effect<Answer, Stopped> =>
  Effect.flatMap(Effect.timed(Effect.exit(work)), ([time, exit]) =>
    Metric.update(
      Metric.tagged(Metric.tagged(analysisSeconds, "task", task), "outcome", outcomeOf(exit)),
      Duration.toSeconds(time)
    ).pipe(Effect.zipRight(exit))
  )

export interface Threads {
  /** The answer of a task over this code, or why there is none. */
  readonly run: (
    task: Task,
    code: Hex,
    state?: ReadonlyArray<SlotValue>,
    around?: Around
  ) => Effect.Effect<Answer, Stopped>
}

/**
 * Reads code in threads, so that nothing it does can stall the event loop. The analyses of one thread take turns: short
 * ones get through between long ones. A turn that does not end, or fills the thread's memory, ends the thread, which is
 * replaced. The first thread starts at once, so that nobody waits for it, each further one when those before it are busy: most
 * processes never need them. Threads end with the scope.
 */
export const makeThreads = Effect.fnUntraced(function* (options: ThreadOptions) {
  const lanes = yield* Effect.forEach(Array.from({ length: options.threads }), (_, index) =>
    makeLane(options, index === 0)
  )
  let lastId = 0
  const run: Threads["run"] = (task, code, state = [], around = {}) =>
    measured(
      task,
      Effect.suspend(() => {
        const lane = lanes.reduce((best, other) => (other.size() < best.size() ? other : best))
        if (lane.size() >= options.perThread) return Effect.fail(BUSY)
        return lane.run({
          id: (lastId += 1),
          task,
          code,
          state,
          around,
          answer: Deferred.unsafeMake(FiberId.none)
        })
      })
    )
  return { run } satisfies Threads
})
