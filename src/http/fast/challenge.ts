import type { IncomingHttpHeaders } from "node:http"
import { PaymentRequiredError } from "../../api/errors.ts"
import type { OperationId } from "../../domain/catalog.ts"
import { OPERATIONS } from "../../domain/catalog.ts"
import type { Offers, PreparedChallenge } from "../../operations/offers.ts"
import { respond } from "../responses.ts"
import type { PreparedAnswer } from "./prepared-answer.ts"
import { prepareAnswer } from "./prepared-answer.ts"

/** Methods whose unpaid answer is prepared. */
export type Priced = "GET" | "POST"

/** A request with one of these is about more than a price. */
const DECIDING = ["payment-signature", "x-client-id"] as const

/** Whether the headers leave nothing to be had but the price: no payment, and nobody who may have free calls. */
export const asksForPrice = (headers: IncomingHttpHeaders): boolean =>
  DECIDING.every((name) => headers[name] === undefined)

const byPath: ReadonlyMap<string, OperationId> = new Map(
  Object.values(OPERATIONS).map(({ id, path }) => [path, id])
)

/** The operation that is written exactly like this; other spellings of its path are the router's to read. */
export const operationWritten = (path: string): OperationId | undefined => byPath.get(path)

/** The 402 of each operation and method in bytes, made anew when the price list is. */
export const makeChallenges = (offers: Offers["Type"]) => {
  const kept = new WeakMap<PreparedChallenge, PreparedAnswer>()
  return (id: OperationId, method: Priced): PreparedAnswer | undefined => {
    const from = offers.challenge(id, method)
    const before = kept.get(from)
    if (before !== undefined) return before
    const answer = prepareAnswer(respond(PaymentRequiredError.of(from.challenge)))
    if (answer !== undefined) kept.set(from, answer)
    return answer
  }
}
