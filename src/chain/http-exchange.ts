/** One HTTP exchange with a node whose answer is bounded in size, and which cannot send us elsewhere. */

import { unescape } from "node:querystring"

/** Where a URL leads, and the header that presents the name and password in it: nothing that sends does that by itself. */
export const splitCredentials = (
  text: string
): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } => {
  const url = new URL(text)
  const { password, username } = url
  if (username === "" && password === "") return { url, headers: {} }
  url.username = ""
  url.password = ""
  const credentials = Buffer.from(`${unescape(username)}:${unescape(password)}`, "utf8")
  return { url, headers: { authorization: `Basic ${credentials.toString("base64")}` } }
}

/** The answer was longer than allowed; the rest of it was not read. */
export class AnswerTooLarge extends Error {}

export const tooLarge = (maxBytes: number) => new AnswerTooLarge(`answer larger than ${maxBytes} bytes`)

const readBounded = async (response: Response, maxBytes: number): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  const reader = response.body?.getReader()
  if (reader === undefined) return ""
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** GETs JSON. Redirects are followed nowhere; rejects with what `fetch` or the parser throws, or `AnswerTooLarge`. */
export const getJson = async ({ fetch, url, maxBytes, signal }: Omit<Exchange, "body">): Promise<unknown> => {
  const place = splitCredentials(url)
  const headers = { accept: "application/json", ...place.headers }
  const response = await fetch(place.url.href, { headers, signal, redirect: "error" })
  if (!response.ok) throw new Error(`HTTP status ${response.status}`)
  return JSON.parse(await readBounded(response, maxBytes))
}

export interface Exchange {
  readonly fetch: typeof globalThis.fetch
  readonly url: string
  readonly body: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** What is sent where, and how much of an answer is read. */
export type Asked = Omit<Exchange, "fetch">

/** An answer as it came. */
export interface Answered {
  readonly status: number
  readonly isZipped: boolean
  readonly bytes: Buffer
}

/**
 * POSTs JSON and reads the answer. A redirect is a failure: a node that is made to send one must not choose whom else we
 * ask. Rejects with `AnswerTooLarge`, or with what `fetch` throws, which may name the URL and is not for logs.
 */
export const postJson = async ({
  fetch,
  url,
  body,
  maxBytes,
  signal
}: Exchange): Promise<{ readonly status: number; readonly text: string }> => {
  const place = splitCredentials(url)
  const response = await fetch(place.url.href, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...place.headers },
    body,
    signal,
    redirect: "error"
  })
  return { status: response.status, text: await readBounded(response, maxBytes) }
}
