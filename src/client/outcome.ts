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
import { errorText, isNoSuchPath, proofIn, refusalReason } from "./proof.ts"
import type { Reply } from "./transport.ts"
import { LostReply, retryAfterSeconds } from "./transport.ts"

/** An answer with status 200, and the error for a body that is not what the contract says. */
export interface Exchanged {
  readonly answer: Reply
  readonly charged: Charged
  readonly unexpected: (what: string) => UnexpectedAnswer
}

const describe = (answer: Reply): string =>
  `status ${answer.status}, ${answer.headers.get("content-type") ?? "no content-type"}`

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
    if (status === 400 && charged === false) return new InvalidRequest(error)
    if (status === 404 && charged === false && !isNoSuchPath(error)) return new TokenNotFound(error)
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

/** Without a payment nothing can have been charged; with one, only the service's own word proves it. */
const chargedBy = ({ answer, payment }: Exchange): Charged => {
  const proof = proofIn(answer)
  if (proof === "paid") return true
  return payment === undefined || proof === "unpaid" ? false : null
}

/** The answer of a call that brought what was asked for; throws what else happened. */
export const deliver = (exchange: Exchange, url: string, deadline: Deadline): Exchanged => {
  const { answer, payment } = exchange
  const charged = chargedBy(exchange)
  const open = charged === false ? undefined : payment?.header
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
    charged,
    unexpected: (what) =>
      new UnexpectedAnswer(
        `${url} answered ${what}. Check the address and version of the service.`,
        charged,
        charged === null ? open : undefined
      )
  }
}
