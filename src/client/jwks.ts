import { parseStrictJson } from "../domain/strict-json.ts"
import type { Deadline } from "./deadline.ts"
import { NetworkError, UnexpectedAnswer, VerificationFailure } from "./errors.ts"
import { isRecord } from "../domain/json.ts"
import type { Fetch } from "./transport.ts"
import { LostReply, send } from "./transport.ts"
import type { Jwks } from "./types.ts"

const isKey = (value: unknown): value is Jwks["keys"][number] =>
  isRecord(value) && Object.values(value).every((member) => typeof member === "string")

/** A key set as text; `undefined` for any other text. */
export const parseJwks = (text: string): Jwks | undefined => {
  const value = parseStrictJson(text)
  const keys = isRecord(value) ? value["keys"] : undefined
  return Array.isArray(keys) && keys.every(isKey) ? { keys } : undefined
}

const readKeys = async (fetcher: Fetch, url: string, deadline: Deadline): Promise<Jwks> => {
  const answer = await send(fetcher, { url, method: "GET", headers: {} }, deadline)
  if (answer instanceof LostReply)
    throw (
      deadline.over(false) ??
      new NetworkError(
        `no answer from ${new URL(url).origin}: is the service running there?`,
        false,
        undefined,
        answer.cause
      )
    )
  const jwks = answer.status === 200 ? parseJwks(answer.text) : undefined
  if (jwks === undefined)
    throw new UnexpectedAnswer(
      `${url} is no key set (status ${answer.status}). Check the address of the service.`,
      false
    )
  return jwks
}

/**
 * Another address of the same set: caches, a browser's as well as those in front of a service, may give the one of before
 * for five minutes. Not every runtime knows `cache` of `fetch`, and not every cache hears it.
 */
const uncached = (url: string): string => `${url}?at=${Date.now()}`

/** The keys to verify with: pinned ones, or the service's own, read once and again when a report names a new one. */
export const jwksReader = (fetcher: Fetch, origin: string, pinned: Jwks | undefined) => {
  const url = `${origin}/.well-known/jwks.json`
  let known = pinned
  const current = async (deadline: Deadline): Promise<Jwks> => {
    known ??= await readKeys(fetcher, url, deadline)
    return known
  }
  const verify = async <A>(deadline: Deadline, check: (jwks: Jwks) => Promise<A>): Promise<A> => {
    const jwks = await current(deadline)
    try {
      return await check(jwks)
    } catch (error) {
      const unknownKey = error instanceof VerificationFailure && error.reason.startsWith("unknown-")
      if (!unknownKey || pinned !== undefined) throw error
      // The report is here and paid for, so that its key could not be read is not reported as the failure.
      known = await readKeys(fetcher, uncached(url), deadline).catch(() => {
        throw error
      })
      return check(known)
    }
  }
  return { current, verify }
}
