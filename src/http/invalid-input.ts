import type { ParseResult } from "effect"
import { isRule } from "../domain/rule.ts"

/** What a caller is told of a body that does not parse. */
export const NOT_JSON = "body: must be JSON"

type Issue = Pick<ParseResult.ArrayFormatterIssue, "_tag" | "message" | "path">

/** Its name is the caller's, and is not repeated. */
const UNTAKEN = "body: has a member that is not taken here: /openapi.json lists those that are"

/** Schema's own texts quote the input; only words we wrote ourselves go out. */
const textOf = (issue: Issue): string => {
  if (isRule(issue.message)) return issue.message
  if (issue._tag === "Missing") return "is missing"
  return issue.path.length === 0 ? "must be a JSON object" : "has the wrong type"
}

/**
 * What a caller is told of an input that does not decode: its first issue.
 * @param query where the input stands, if it is one
 */
export const firstIssue = ([issue]: ReadonlyArray<Issue>, query?: URLSearchParams): string => {
  if (issue === undefined) return "invalid request"
  if (issue._tag === "Unexpected") return UNTAKEN
  const [name] = issue.path
  // Two values are a list to the reader, of which it would say that it is none of those allowed.
  if (name !== undefined && (query?.getAll(String(name)).length ?? 0) > 1)
    return `${String(name)}: is given more than once in the query`
  return `${name === undefined ? "body" : String(name)}: ${textOf(issue)}`
}

/** Whether a body names neither chain nor address: crawlers send an empty object to see what a service asks for. */
export const isEmptyReference = (body: unknown): boolean =>
  typeof body === "object" && body !== null && !Array.isArray(body) && !("chain" in body || "address" in body)
