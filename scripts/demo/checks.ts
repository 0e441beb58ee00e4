/** Steps of the demo: a title, what was found, and a stop at the first thing that does not hold. */
import { Console, Data, Effect } from "effect"

export class DemoFailure extends Data.TaggedError("DemoFailure")<{ readonly message: string }> {}

/** Fails the demo unless the claim holds. */
export const expectThat = (holds: boolean, claim: string): Effect.Effect<void, DemoFailure> =>
  holds ? Effect.void : Effect.fail(new DemoFailure({ message: claim }))

/** What a step has to show, and what it leaves for the steps after it. */
export interface Held<A> {
  readonly lines: ReadonlyArray<string>
  readonly value: A
}

export function held(lines: ReadonlyArray<string>): Held<void>
export function held<A>(lines: ReadonlyArray<string>, value: A): Held<A>
export function held(lines: ReadonlyArray<string>, value?: unknown): Held<unknown> {
  return { lines, value }
}

/** Prints the title, runs the step, prints its lines; gives what the step leaves behind. */
export const step = <A, E, R>(title: string, run: Effect.Effect<Held<A>, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    yield* Console.log(`\n● ${title}`)
    const { lines, value } = yield* Effect.tapErrorCause(run, () => Console.log("  ✗ did not hold"))
    for (const line of lines) yield* Console.log(`  ${line}`)
    yield* Console.log("  ✓")
    return value
  })

/** Smallest units of USDC as dollars. */
export const dollars = (amount: bigint): string => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(7, "0")
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)} USDC`
}
