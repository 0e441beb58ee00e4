import { HttpServerResponse } from "@effect/platform"

/** How long an answer may take to be whole. The library says nothing on a stream for longer than that. */
const WHOLE_MILLIS = 10_000

type Reader = ReadableStreamDefaultReader<Uint8Array>
type Read = Awaited<ReturnType<Reader["read"]>>

/** What has been read, then what comes. */
const goOn = (reader: Reader, before: ReadonlyArray<Uint8Array>, next: Promise<Read>) => {
  let coming: Promise<Read> | undefined = next
  return new ReadableStream<Uint8Array>({
    start: (controller) => before.forEach((chunk) => controller.enqueue(chunk)),
    pull: async (controller) => {
      const { done, value } = await (coming ?? reader.read())
      coming = undefined
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  })
}

/** Waits, and gives up when it is late; the timer does not outlive the wait. */
const inTime = async <A>(waited: Promise<A>, late: Promise<undefined>): Promise<A | undefined> =>
  Promise.race([waited, late])

/**
 * The answer to a call, in one piece where it is whole in time. Callers of the older generations get theirs on a stream,
 * which the library opens before the call has begun: handed on as that, the call would be worked on with its slot given
 * back, its time limit over, and its line in the log written before anybody knows what came of it; and a stream of one
 * message costs more than the message. One that takes long goes on as a stream, where the library keeps it alive.
 */
export const wholeOrStream = async (
  response: Response,
  patienceMillis = WHOLE_MILLIS
): Promise<HttpServerResponse.HttpServerResponse> => {
  const { body, headers, status } = response
  if (body === null) return HttpServerResponse.fromWeb(response)
  const reader = body.getReader()
  const chunks: Array<Uint8Array> = []
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMillis, undefined)
  })
  try {
    for (;;) {
      const next = reader.read()
      const read = await inTime(next, late)
      if (read === undefined)
        return HttpServerResponse.fromWeb(new Response(goOn(reader, chunks, next), { status, headers }))
      if (read.done) break
      chunks.push(read.value)
    }
  } finally {
    clearTimeout(timer)
  }
  return HttpServerResponse.uint8Array(Buffer.concat(chunks), {
    status,
    headers: Object.fromEntries(headers),
    contentType: headers.get("content-type") ?? "application/json"
  })
}
