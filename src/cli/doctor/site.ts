import { Data, Effect } from "effect"
import { readText } from "../../client/transport.ts"

/** No answer in time, or none at all. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly path: string }> {}

export interface SiteReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` when it is not JSON. */
  readonly json: unknown
}

/** The deployment under examination. */
export interface Site {
  readonly origin: string
  readonly ask: (path: string, init?: RequestInit) => Effect.Effect<SiteReply, NoAnswer>
}

const TIMEOUT_MILLIS = 15_000

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const openSite = (origin: string): Site => ({
  origin,
  ask: (path, init) =>
    Effect.tryPromise({
      try: async () => {
        const signal = AbortSignal.timeout(TIMEOUT_MILLIS)
        const response = await fetch(new URL(path, origin), { ...init, signal, redirect: "manual" })
        const text = await readText(response)
        return { status: response.status, headers: response.headers, text, json: parse(text) }
      },
      catch: () => new NoAnswer({ path })
    })
})

export const postJson = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body)
})
