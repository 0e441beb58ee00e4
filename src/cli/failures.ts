import type { Charged } from "../client/errors.ts"
import {
  InvalidRequest,
  MalformedChallenge,
  PaymentRefused,
  PolicyRefusal,
  SigningFailed,
  TokenNotFound,
  TokenRiskError,
  VerificationFailure
} from "../client/errors.ts"
import { formatUsd } from "../domain/usd.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, Stop } from "./exit.ts"
import { plain } from "./text.ts"

const NO_WALLET =
  "Set TOKEN_RISK_BASE_KEY or TOKEN_RISK_SOLANA_KEY, or pass --base-key-file or --solana-key-file."

/** What the wallet said of it could quote its key. */
const NOT_SIGNED =
  "Nothing was paid: the wallet could not sign. To pay on Solana, SOLANA_RPC_URL must name a node that answers."

const policyMessage = ({ reasons }: PolicyRefusal): string =>
  [
    "Nothing was paid:",
    ...reasons.map((reason) => `  ${plain(reason)}`),
    ...(reasons.some((reason) => reason.startsWith("no wallet")) ? [NO_WALLET] : [])
  ].join("\n")

const chargedText = (charged: Charged): string => {
  if (charged === null)
    return "It is not known whether the payment was executed: look at your wallet before paying again."
  return charged ? "The payment was executed." : "Nothing was charged."
}

/** Foreign words as a sentence of their own. */
const sentence = (text: string): string => {
  const said = plain(text)
  return /[.?!]$/.test(said) ? said : `${said}.`
}

const exitCodeOf = (error: TokenRiskError): ExitCode => {
  if (error instanceof InvalidRequest) return EXIT.usage
  if (error instanceof PolicyRefusal || error instanceof SigningFailed || error instanceof MalformedChallenge)
    return EXIT.notPaid
  if (error instanceof TokenNotFound) return EXIT.notFound
  if (error instanceof VerificationFailure) return EXIT.notVerified
  return error instanceof PaymentRefused ? EXIT.paymentRefused : EXIT.unavailable
}

/** What went wrong; words that the service chose are made fit for a terminal first. */
const messageOf = (error: TokenRiskError): string => {
  if (error instanceof PolicyRefusal) return policyMessage(error)
  if (error instanceof SigningFailed) return NOT_SIGNED
  if (error instanceof MalformedChallenge) return `Nothing was paid: ${sentence(error.message)}`
  if (error instanceof VerificationFailure)
    return `Do not act on this report (${error.reason}). ${error.message} ${chargedText(error.charged)}`
  if (error instanceof TokenNotFound)
    return `Not found: ${sentence(error.message)} ${chargedText(error.charged)}`
  if (error instanceof InvalidRequest)
    return `Refused as invalid: ${sentence(error.message)} Nothing was charged.`
  return `${sentence(error.message)} ${chargedText(error.charged)}`
}

/**
 * The failure of a purchase as the end of the command; `spent`: smallest units signed away and not known to be
 * returned.
 */
export const describeFailure = (error: unknown, spent: bigint): Stop => {
  if (error instanceof Stop) return error
  if (!(error instanceof TokenRiskError))
    return new Stop({
      code: EXIT.unavailable,
      errorCode: "failed",
      message: "The command failed unexpectedly.",
      // A defect proves nothing about money.
      charged: null
    })
  const before = spent > 0n && error.charged === false
  return new Stop({
    code: exitCodeOf(error),
    errorCode: error.code,
    charged: error.charged,
    payment: error.payment,
    message: before
      ? `${messageOf(error)}\nEarlier payments of this command: ${formatUsd(spent)} USD.`
      : messageOf(error)
  })
}
