import { HttpClientError } from "@effect/platform"
import { ParseResult } from "effect"
import { BadRequest, NotFound, PaymentRequiredError, Unavailable } from "../api/errors.ts"
import { MalformedChallenge } from "../client/pay.ts"
import { PolicyRefusal } from "../client/policy.ts"
import { SigningFailed } from "../client/wallet.ts"
import { VerificationFailure } from "../domain/attestation.ts"
import { formatUsd } from "../domain/money.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, Stop } from "./exit.ts"
import { plain } from "./text.ts"

const NO_WALLET =
  "Set TOKEN_RISK_BASE_KEY or TOKEN_RISK_SOLANA_KEY, or pass --base-key-file or --solana-key-file."

const policyMessage = ({ reasons }: PolicyRefusal): string =>
  [
    "Nothing was paid:",
    ...reasons.map((reason) => `  ${plain(reason)}`),
    ...(reasons.some((reason) => reason.startsWith("no wallet")) ? [NO_WALLET] : [])
  ].join("\n")

/** What went wrong, without a word the service chose that was not made fit for a terminal. */
const explain = (error: unknown): readonly [ExitCode, string] => {
  if (error instanceof Stop) return [error.code, error.message ?? ""]
  if (error instanceof PolicyRefusal) return [EXIT.notPaid, policyMessage(error)]
  if (error instanceof SigningFailed) return [EXIT.notPaid, "Nothing was paid: the wallet could not sign."]
  if (error instanceof MalformedChallenge) return [EXIT.notPaid, `Nothing was paid: ${plain(error.message)}`]
  if (error instanceof VerificationFailure)
    return [EXIT.notVerified, `Do not act on this report (${error.reason}). ${error.message}`]
  if (error instanceof NotFound)
    return [EXIT.notFound, `Not found: ${plain(error.error)}. Nothing was charged.`]
  if (error instanceof PaymentRequiredError)
    return [EXIT.paymentRefused, "The service refused the payment. Nothing was charged."]
  if (error instanceof BadRequest)
    return [EXIT.usage, `Refused as invalid: ${plain(error.error)}. Nothing was charged.`]
  if (error instanceof Unavailable) return [EXIT.unavailable, `Unavailable: ${plain(error.error)}.`]
  if (error instanceof HttpClientError.RequestError)
    return [EXIT.unavailable, "The service cannot be reached."]
  if (ParseResult.isParseError(error) || error instanceof HttpClientError.ResponseError)
    return [EXIT.unavailable, "The answer is not what the contract says."]
  return [EXIT.unavailable, "The service failed."]
}

/** The failure of a purchase as the end of the command; `spent` is what was signed away and not known to be returned. */
export const describeFailure = (error: unknown, spent: bigint): Stop => {
  const [code, message] = explain(error)
  const open = code === EXIT.unavailable && spent > 0n
  return new Stop({
    code,
    message: open
      ? `${message}\nPayments for ${formatUsd(spent)} USD were signed and may still be executed. Look at your wallet before paying again.`
      : message
  })
}
