import type { Deadline } from "./deadline.ts"

/** A request as it is sent, and sent again byte for byte. */
export interface Call {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The reply did not come, or broke off. Whether the request arrived is not known. */
export class LostReply {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** Longest answer that is read, in bytes; a real report has some twenty thousand. */
const MAX_ANSWER_BYTES = 1_048_576

/** The text of an answer, read no further than the longest one goes. */
export const readText = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ""
  const decoder = new TextDecoder()
  let text = ""
  for (let read = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    read += value.length
    if (read > MAX_ANSWER_BYTES) {
      await reader.cancel()
      throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Sends once. Redirects are not followed: a payment must not reach an address its challenge does not name. */
export const send = async (fetcher: Fetch, call: Call, deadline: Deadline): Promise<Reply | LostReply> => {
  try {
    const response = await fetcher(call.url, {
      method: call.method,
      headers: { accept: "application/json", ...call.headers },
      ...(call.body === undefined ? {} : { body: call.body }),
      redirect: "manual",
      signal: deadline.signal
    })
    return { status: response.status, headers: response.headers, text: await readText(response) }
  } catch (cause) {
    return new LostReply(cause)
  }
}

const LONGEST_WAIT_SECONDS = 10

/** Seconds the server asks to wait; 1 when it does not say. */
export const retryAfterSeconds = ({ headers }: Reply): number => {
  const seconds = Number(headers.get("retry-after") ?? "1")
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : 1
}

/** Milliseconds to wait before a request is repeated: as long as the server asks, within reason. */
export const waitMillis = (answer: Reply): number =>
  Math.min(retryAfterSeconds(answer), LONGEST_WAIT_SECONDS) * 1_000
