/** What a tool call carries beside its arguments. */
export type CallMeta = Readonly<Record<string, unknown>>

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** The message in a body as the protocol's library will read it; `undefined` for what is no JSON. */
export const messageIn = (body: string): unknown => {
  try {
    return JSON.parse(body.replace(/^\ufeff/, ""))
  } catch {
    return undefined
  }
}

/** The messages of an MCP request that call a tool, as the protocol's library will read them: a batch is opened. */
const callsIn = (message: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(message) ? message : [message]).filter(
    (one: unknown) => memberOf(one, "method") === "tools/call"
  )

/** Asks for a stream of what changes, which its caller ends: it begins with an answer, and nothing need follow. */
export const isSubscription = (message: unknown): boolean =>
  memberOf(message, "method") === "subscriptions/listen"

/**
 * The id that the answer to a message bears, to its first tool call where it is a batch; `null` where there is none.
 */
export const answeredIdIn = (message: unknown): string | number | null => {
  const id = memberOf(callsIn(message)[0] ?? message, "id")
  return typeof id === "string" || typeof id === "number" ? id : null
}

const isMeta = (value: unknown): value is CallMeta => typeof value === "object" && value !== null

/**
 * The tool calls of an MCP request, one for each, as the protocol's library will read them: escapes are undone, a byte
 * order mark is skipped, a batch is opened. A look at the words alone would price what it was written to hide from it.
 */
export const toolCallsIn = (body: string): ReadonlyArray<CallMeta> =>
  callsIn(messageIn(body))
    .map((one) => memberOf(memberOf(one, "params"), "_meta"))
    .map((meta) => (isMeta(meta) ? meta : {}))
