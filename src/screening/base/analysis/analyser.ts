import { Context, Effect, Layer, Metric } from "effect"
import type { Hex } from "viem"
import { type HookFindings, unreadHook } from "../pools/hook/findings.ts"
import { isHookFindings } from "../pools/hook/kept-findings.ts"
import { type Around, undecidedFindings } from "../power/analyse.ts"
import type { CodeFindings } from "../power/findings.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"
import { FindingsStore, FindingsStoreLive } from "./findings-store.ts"
import { isCodeFindings } from "./findings-schema.ts"
import { remembering, type Known } from "./remember.ts"
import { startThread } from "./thread-file.ts"
import { DEFAULT_THREADS, makeThreads, type Threads } from "./threads.ts"

/** Reads runtime code, as often as it likes: equal code is analysed once, and never on the event loop. */
export class CodeAnalyser extends Context.Tag("token-risk/CodeAnalyser")<
  CodeAnalyser,
  {
    /** What privileged callers can do to holders. What could not be analysed is undecided, with its reason. */
    readonly findings: (code: Hex) => Effect.Effect<CodeFindings>
    /**
     * The same, with what these words of its storage settle, these contracts answer and the time has decided. Kept in memory
     * only: storage changes.
     */
    readonly settled: (
      code: Hex,
      state: ReadonlyArray<SlotValue>,
      around?: Around
    ) => Effect.Effect<CodeFindings>
    /** Whether a contract provably cannot take out liquidity that it owns. What could not be analysed can. */
    readonly hasNoWayOut: (code: Hex) => Effect.Effect<boolean>
    /**
     * Whether a proxy's own code provably does nothing but run the code that its slot names, given what its proxy slots
     * hold. What could not be analysed does more.
     */
    readonly isFaithful: (code: Hex, words: ReadonlyArray<SlotValue>) => Effect.Effect<boolean>
    /** What a hook can do to the swaps of its pools, with what these words of its storage settle. */
    readonly hook: (code: Hex, state: ReadonlyArray<SlotValue>) => Effect.Effect<HookFindings>
  }
>() {}

const asked = Metric.counter("token_risk_code_findings_total", {
  description: "Questions about runtime code, by where the answer came from: memory, database or threads",
  incremental: true
})

const countedFrom = (from: "memory" | "database" | "threads") =>
  Metric.increment(Metric.tagged(asked, "from", from))

/**
 * The one rule of what is kept for good: an analysis that came to its end. It says the same on every machine at any
 * time, also where it says that something cannot be decided; one that was cut or stopped might find more another time.
 */
const isDecided = ({ cut }: { readonly cut: boolean }): boolean => !cut

/** An answer that is not kept for good, and says why there is no other. */
const passing = <A>(value: A): Known<A> => ({ value, isDecided: false })

const analysedFindings =
  ({ run }: Threads) =>
  (code: Hex, state?: ReadonlyArray<SlotValue>, around?: Around): Effect.Effect<Known<CodeFindings>> =>
    run("findings", code, state, around).pipe(
      Effect.map((answer) =>
        isCodeFindings(answer.result)
          ? { value: answer.result, isDecided: isDecided(answer) }
          : passing(undecidedFindings("the analysis gave no readable answer"))
      ),
      Effect.catchAll(({ why }) => Effect.succeed(passing(undecidedFindings(why))))
    )

/** A proof that the thread finished; no answer proves nothing. */
const analysedProof =
  ({ run }: Threads, task: "no-way-out" | "faithful") =>
  (code: Hex, state?: ReadonlyArray<SlotValue>): Effect.Effect<Known<boolean>> =>
    run(task, code, state).pipe(
      Effect.map((answer) => ({ value: answer.result === true, isDecided: isDecided(answer) })),
      Effect.catchAll(() => Effect.succeed(passing(false)))
    )

const analysedHook =
  ({ run }: Threads) =>
  (code: Hex, state: ReadonlyArray<SlotValue>): Effect.Effect<Known<HookFindings>> =>
    run("hook", code, state).pipe(
      Effect.map((answer) =>
        isHookFindings(answer.result)
          ? { value: answer.result, isDecided: isDecided(answer) }
          : passing(unreadHook("could not be analysed"))
      ),
      Effect.catchAll(() => Effect.succeed(passing(unreadHook("could not be analysed"))))
    )

/** The analyser over threads and a store. Its work ends with the scope. */
export const makeCodeAnalyser = Effect.fnUntraced(function* (threads: Threads) {
  const store = yield* FindingsStore
  const analyse = analysedFindings(threads)
  const findings = yield* remembering((code: Hex, hash: string) =>
    Effect.flatMap(store.find(hash), (stored) =>
      stored === undefined
        ? countedFrom("threads").pipe(
            Effect.zipRight(analyse(code)),
            Effect.tap(({ isDecided: keep, value }) => (keep ? store.keep(hash, value) : Effect.void))
          )
        : Effect.as(countedFrom("database"), { value: stored, isDecided: true })
    )
  )
  const settled = yield* remembering((code: Hex, _hash, state, around) => analyse(code, state, around))
  const wayOut = analysedProof(threads, "no-way-out")
  const hasNoWayOut = yield* remembering((code: Hex) => wayOut(code))
  const faithful = analysedProof(threads, "faithful")
  const isFaithful = yield* remembering((code: Hex, _hash, words) => faithful(code, words))
  const hook = yield* remembering((code: Hex, _hash, state) => analysedHook(threads)(code, state))
  return CodeAnalyser.of({
    findings: (code) => findings(code, countedFrom("memory")),
    settled: (code, state, around) => settled(code, undefined, state, around),
    hasNoWayOut: (code) => hasNoWayOut(code),
    isFaithful: (code, words) => isFaithful(code, undefined, words),
    hook: (code, state) => hook(code, undefined, state)
  })
})

/** The analyser of the service. Requires `SqlClient`. */
export const CodeAnalyserLive = Layer.scoped(
  CodeAnalyser,
  Effect.flatMap(makeThreads({ ...DEFAULT_THREADS, start: () => startThread() }), makeCodeAnalyser)
).pipe(Layer.provide(FindingsStoreLive))
