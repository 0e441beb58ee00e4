import { parseStrictJson } from "../domain/strict-json.ts"
import type { Deadline } from "./deadline.ts"
import type { Charged, TokenRiskError } from "./errors.ts"
import {
  InvalidRequest,
  NetworkError,
  PaymentRefused,
  RateLimited,
  TokenNotFound,
  Unavailable,
  UnexpectedAnswer
} from "./errors.ts"
import type { Exchange } from "./pay.ts"
import { provesUnpaid, refusalReason } from "./pay.ts"
import { isRecord, readReceipt } from "./read.ts"
import type { Reply } from "./transport.ts"
import { LostReply, retryAfterSeconds } from "./transport.ts"

/** An answer with status 200, and the error for a body that is not what the contract says. */
export interface Exchanged {
  readonly answer: Reply
  readonly unexpected: (what: string) => UnexpectedAnswer
}

/** Whether an answer was paid for, by its own receipt. */
export const charge = ({ answer }: Pick<Exchanged, "answer">): Charged =>
  readReceipt(answer.headers.get("payment-response"))?.success === true

/** One line of the service's own words; a service is not trusted to be brief. */
const errorText = ({ text }: Reply): string | undefined => {
  const body = parseStrictJson(text)
  const error = isRecord(body) ? body["error"] : undefined
  return typeof error === "string" ? error.slice(0, 300) : undefined
}

const describe = (answer: Reply): string =>
  `status ${answer.status}, ${answer.headers.get("content-type") ?? "no content-type"}`

const NO_SUCH_PATH = "no such path"

const failureOf = (
  answer: Reply,
  url: string,
  charged: Charged,
  payment: string | undefined
): TokenRiskError => {
  const { status } = answer
  const error = errorText(answer)
  if (status === 402) return new PaymentRefused(refusalReason(answer), charged, payment)
  if (error !== undefined) {
    if (status === 400) return new InvalidRequest(error)
    if (status === 404 && error !== NO_SUCH_PATH) return new TokenNotFound(error)
    if (status === 429) return new RateLimited(error, retryAfterSeconds(answer), charged, payment)
  }
  if (status >= 500)
    return new Unavailable(error ?? `the service failed (${describe(answer)})`, charged, payment)
  return new UnexpectedAnswer(
    `${url} did not answer as a token-risk service does (${describe(answer)}). Check the address of the service.`,
    charged,
    payment
  )
}

/** The answer of a call that brought what was asked for; throws what else happened. */
export const deliver = ({ answer, payment }: Exchange, url: string, deadline: Deadline): Exchanged => {
  // Without a payment nothing can have been charged; with one, only a refusal proves it.
  const charged: Charged = payment === undefined || provesUnpaid(answer) ? false : null
  const open = charged === null ? payment?.header : undefined
  if (answer instanceof LostReply) {
    throw (
      deadline.over(charged, open) ??
      new NetworkError(
        `no answer from ${new URL(url).origin}: is the service running there?`,
        charged,
        open,
        answer.cause
      )
    )
  }
  if (answer.status !== 200)
    throw (
      (charged === null ? deadline.over(charged, open) : undefined) ?? failureOf(answer, url, charged, open)
    )
  return {
    answer,
    unexpected: (what) =>
      new UnexpectedAnswer(
        `${url} answered ${what}. Check the address and version of the service.`,
        charge({ answer })
      )
  }
}
