import type { HttpClientResponse } from "@effect/platform"
import { Data, Effect } from "effect"
import { readBounded } from "../domain/bounded-body.ts"
import { parseStrictJson } from "../domain/strict-json.ts"

/** Longest answer that is read, in bytes; a key set has some hundreds, a prepared refund some thousands. */
const MAX_ANSWER_BYTES = 1_048_576

/** The answer is longer than what was asked for can be. */
class AnswerTooLong extends Data.TaggedError("AnswerTooLong") {}

/** The value of an answer's JSON, `undefined` for any other text. Whoever sends without end is read no further. */
export const jsonIn = ({ stream }: HttpClientResponse.HttpClientResponse) =>
  Effect.map(
    readBounded(stream, MAX_ANSWER_BYTES, () => new AnswerTooLong()),
    parseStrictJson
  )
