import {
  BadRequest,
  Conflict,
  Gone,
  NotFound,
  TooManyRequests,
  Unauthorized,
  Unavailable
} from "../api/errors.ts"
import type { Failure, FailureKind } from "../operations/failures.ts"
import { OUTAGE_RETRY_SECONDS } from "../operations/failures.ts"

interface HttpErrors {
  readonly invalid: BadRequest
  readonly unauthorized: Unauthorized
  readonly unknown: NotFound
  readonly conflict: Conflict
  readonly expired: Gone
  readonly limited: TooManyRequests
  readonly unavailable: Unavailable
}

const retryAfter = ({ retryAfterSeconds }: Failure): number => retryAfterSeconds ?? OUTAGE_RETRY_SECONDS

/** What each kind of failure is over HTTP. */
const BY_KIND: { readonly [Kind in FailureKind]: (failure: Failure) => HttpErrors[Kind] } = {
  invalid: ({ text }) => new BadRequest({ error: text }),
  unauthorized: ({ text }) => new Unauthorized({ error: text }),
  unknown: ({ text }) => new NotFound({ error: text }),
  conflict: ({ text }) => new Conflict({ error: text }),
  expired: ({ text }) => new Gone({ error: text }),
  limited: (failure) => TooManyRequests.after(failure.text, retryAfter(failure)),
  unavailable: (failure) => Unavailable.after(failure.text, retryAfter(failure))
}

/** The contract's error for a failure of an operation or a checkout. */
export const toContractError = <Kind extends FailureKind>(failure: Failure<Kind>): HttpErrors[Kind] =>
  BY_KIND[failure.kind](failure)
