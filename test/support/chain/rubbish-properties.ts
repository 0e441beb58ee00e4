/** What must hold of a screening whose node answers one of its questions with rubbish, on either chain. */
import { expect } from "@effect/vitest"
import { Cause, Exit } from "effect"
import fc from "fast-check"
import { tried } from "../properties.ts"
import { partlySpoiled, whollySpoiled } from "./rubbish.ts"
import type { Fault, SpoilingNode } from "./spoiling-node.ts"

interface Verdict {
  readonly safe: boolean | null
  readonly verdict: string
}

/** An honest token that is allowed where nothing is spoilt, and its screening with a fault. */
export interface Spoilable<E> {
  readonly node: SpoilingNode
  readonly questions: ReadonlyArray<string>
  readonly screenWith: (fault?: Fault) => Promise<Exit.Exit<Verdict, E>>
}

const RUNS = tried(30, 10)
/** Runs at least in which the question was asked, so that its answer was spoilt. */
const SPOILT = RUNS.numRuns / 2

const described = (question: string, by: unknown, said: string | undefined): string =>
  `${question.slice(0, 300)} ${JSON.stringify(by)}: ${said?.slice(0, 300) ?? ""}`

const expectNoDefect = (what: string, cause: Cause.Cause<unknown>): void => {
  expect([what, Cause.pretty(cause), Cause.isDie(cause)]).toEqual([what, expect.any(String), false])
}

/**
 * A whole answer of rubbish is no defect, and the token is allowed only where that question matters nothing.
 * @param isReadElsewhere whether what the question asks for was read in another way that was not spoilt
 */
export const isAllowedOnlyWithout = async <E>(
  { node, questions, screenWith }: Spoilable<E>,
  isReadElsewhere: (question: string) => boolean = () => false
): Promise<void> => {
  const matters = new Map<string, boolean>()
  /** It is not allowed where the node refuses to answer this. */
  const isNeeded = async (question: string): Promise<boolean> => {
    const exit = await screenWith({ question, by: "refused" })
    const needed = node.said() !== undefined && !(Exit.isSuccess(exit) && exit.value.verdict === "allow")
    matters.set(question, needed)
    return needed
  }
  let spoilt = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...questions), whollySpoiled, async (question, by) => {
      const exit = await screenWith({ question, by })
      const said = node.said()
      if (said !== undefined) spoilt += 1
      const what = described(question, by, said)
      if (Exit.isFailure(exit)) return expectNoDefect(what, exit.cause)
      const { safe, verdict } = exit.value
      if (said === undefined || (verdict !== "allow" && safe !== true)) return
      if (isReadElsewhere(question)) return
      expect([what, matters.get(question) ?? (await isNeeded(question))]).toEqual([what, false])
    }),
    RUNS
  )
  expect(spoilt).toBeGreaterThan(SPOILT)
}

/** Rubbish in some place of an answer is no defect. */
export const breaksNothing = <E>({ node, questions, screenWith }: Spoilable<E>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...questions), partlySpoiled, async (question, by) => {
      const exit = await screenWith({ question, by })
      const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
      expectNoDefect(described(question, by, node.said()), cause)
    }),
    RUNS
  )
