import { parseStrictJson } from "../domain/strict-json.ts"
import { isRecord } from "../domain/json.ts"
import { readReceipt } from "./read.ts"
import type { Reply } from "./transport.ts"
import { LostReply } from "./transport.ts"

/**
 * What an answer proves of the payment it was asked with. `unpaid`: the service itself says that it was not executed.
 * `used`: it was, for something else. `open`: nothing, because none came, or because anything on the way may have given
 * it: a proxy, a firewall, a portal.
 */
export type Proof = "paid" | "unpaid" | "used" | "open"

/** Refusals that say the money of this payment has moved, or may have: not a proof that nothing was charged. */
const SPENT = /already|used|duplicate|replay|nonce/i

/** Statuses by which the contract refuses a request, and its payment with it. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 413, 415])

/** How the service begins a 404 for a path it does not have; what it says of a token or a checkout begins otherwise. */
const NO_SUCH_PATH = "no such path"

/** Whether a 404 is about the path: then another server may have answered, and the answer proves nothing. */
export const isNoSuchPath = (error: string): boolean => error.startsWith(NO_SUCH_PATH)

/** One line of the service's own words; a service is not trusted to be brief. */
export const errorText = ({ text }: Reply): string | undefined => {
  const body = parseStrictJson(text)
  const error = isRecord(body) ? body["error"] : undefined
  return typeof error === "string" ? error.slice(0, 300) : undefined
}

const receiptIn = ({ headers }: Reply) => readReceipt(headers.get("payment-response"))

/** Why a payment was refused, in the service's word. */
export const refusalReason = (answer: Reply): string => receiptIn(answer)?.errorReason ?? "no reason given"

/** What one answer, or its loss, proves of the payment that was sent with the request. */
export const proofIn = (answer: Reply | LostReply): Proof => {
  if (answer instanceof LostReply) return "open"
  const receipt = receiptIn(answer)
  if (receipt?.success === true) return "paid"
  if (answer.status === 402) {
    if (receipt === undefined) return "open"
    return SPENT.test(refusalReason(answer)) ? "used" : "unpaid"
  }
  const error = REFUSED.has(answer.status) ? errorText(answer) : undefined
  return error === undefined || isNoSuchPath(error) ? "open" : "unpaid"
}
