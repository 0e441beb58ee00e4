import { Predicate } from "effect"

/**
 * Messages that a batch may hold. A request has one token of its address's budget and one turn, and every message is work
 * and an answer of its own: of a hundred lists a megabyte.
 */
const MAX_MESSAGES = 8

interface Message {
  readonly id: unknown
  readonly method: unknown
}

const read = (message: unknown): Message => ({
  id: Predicate.hasProperty(message, "id") ? message.id : undefined,
  method: Predicate.hasProperty(message, "method") ? message.method : undefined
})

/**
 * Why a batch is not begun; `undefined` for one that is, and for a message that is none. Answers are told apart by their
 * ids: of two messages with one id, one is never answered, though it may be a call that was paid for. And a message that
 * its own batch cancels is never answered either: the protocol's library would keep the connection for as long as its
 * caller does.
 */
export const problemOfBatch = (batch: unknown): string | undefined => {
  if (!Array.isArray(batch)) return undefined
  if (batch.length > MAX_MESSAGES) return `a batch may hold ${MAX_MESSAGES} messages`
  const messages = batch.map(read)
  // One request has one slot, one deadline and one token of its address's budget: so it gets one call.
  if (messages.filter(({ method }) => method === "tools/call").length > 1)
    return "a batch may hold one tools/call"
  const requests = messages.filter(({ id, method }) => id !== undefined && method !== undefined)
  if (new Set(requests.map(({ id }) => id)).size < requests.length)
    return "the ids of a batch's messages must differ"
  return requests.length > 0 && messages.some(({ method }) => method === "notifications/cancelled")
    ? "a batch may not hold notifications/cancelled beside requests"
    : undefined
}
