import { Context, Effect, Runtime } from "effect"
import { BadRequest } from "../../api/errors.ts"
import { type Facts, makeFacts } from "../admission/facts.ts"
import { type Answered, noteAnswers } from "../observe.ts"
import { respond } from "../responses.ts"
import { type PreparedAnswer, prepareAnswer } from "./prepared-answer.ts"
import { inRounds } from "./rounds.ts"

/** The 400 of each problem in bytes. Problems are in our own words alone, so that they are few. */
export const makeRejections = () => {
  const known = new Map<string, PreparedAnswer>()
  return (problem: string): PreparedAnswer | undefined => {
    const before = known.get(problem)
    if (before !== undefined) return before
    const made = prepareAnswer(respond(new BadRequest({ error: problem })))
    if (made !== undefined) known.set(problem, made)
    return made
  }
}

interface Note {
  readonly answered: Answered
  readonly facts: Facts
}

/** Counts rejected calls that asked for a price, and writes their lines, those that came together in one step. */
export const makeNotes = Effect.map(Effect.runtime<never>(), (runtime) => {
  const runCallback = Runtime.runCallback(Runtime.updateContext(runtime, () => Context.empty()))
  const add = inRounds<Note>((together, ended) => {
    runCallback(noteAnswers(together), { onExit: ended })
  })
  return (answered: Answered, requestId: string): void => {
    const facts = makeFacts(requestId)
    facts.requestClass = "challenge"
    add({ answered, facts })
  }
})
