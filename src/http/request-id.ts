import { randomUUID } from "node:crypto"

/** Header that names a request, in both directions. */
export const REQUEST_ID = "x-request-id"

/** What a caller may call its request: enough for a UUID or a trace id, and nothing that could break a log line. */
const PLAIN = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own name for its request when it is a plain one, else a new one. */
export const requestIdOf = (given: string | ReadonlyArray<string> | undefined): string =>
  typeof given === "string" && PLAIN.test(given) ? given : randomUUID()
