import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  HttpRequestError,
  TimeoutError
} from "viem"

const REVERTED = /revert|out ?of ?gas|gas required exceeds|invalid opcode|stack (?:under|over)flow/i

/** Every text of an error chain. viem hides the node's own words in `details` of the innermost error. */
const textOf = (error: unknown): string => {
  const texts: Array<string> = []
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    texts.push(at.message)
    if (at instanceof BaseError) texts.push(at.details)
  }
  return texts.join("\n")
}

const has = (error: unknown, kinds: ReadonlyArray<abstract new (...args: never) => Error>): boolean =>
  error instanceof BaseError && error.walk((cause) => kinds.some((kind) => cause instanceof kind)) !== null

/**
 * Whether the contract gave an answer we do not like, as opposed to a node that gave none. viem calls some node
 * failures a revert, so an answer must say so in words or carry revert data.
 */
export const isRevert = (error: unknown): boolean => {
  if (has(error, [ContractFunctionZeroDataError])) return true
  const reverted =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null
  if (reverted instanceof ContractFunctionRevertedError && reverted.raw !== undefined) return true
  return !isTransport(error) && REVERTED.test(textOf(error))
}

/** The node may or may not have received the request. */
export const isTransport = (error: unknown): boolean => has(error, [HttpRequestError, TimeoutError])

/** What a node answered to a raw transaction it did not take. */
export const refusalOf = (error: unknown): "known" | "nonce" | "refused" | "unknown" => {
  const text = textOf(error)
  if (/already known|known transaction|already imported|already exists|AlreadyKnown/i.test(text))
    return "known"
  if (/nonce too low|nonce is too low|replacement transaction underpriced|could not replace/i.test(text))
    return "nonce"
  // A node that limits or rejects the request itself has not read the transaction.
  if (/HTTP status 4\d\d|rate limit/i.test(text)) return "refused"
  return isTransport(error) ? "unknown" : "refused"
}

/** x402's code for a revert of `transferWithAuthorization`, by FiatToken's revert strings. */
export const revertReason = (error: unknown): string => revertReasonOf(textOf(error))

/** The same by the words alone. */
export const revertReasonOf = (text: string): string => {
  if (/authorization is expired/i.test(text)) return "invalid_exact_evm_payload_authorization_valid_before"
  if (/authorization is not yet valid/i.test(text))
    return "invalid_exact_evm_payload_authorization_valid_after"
  if (/authorization is used or canceled/i.test(text)) return "invalid_exact_evm_nonce_already_used"
  if (/exceeds balance/i.test(text)) return "invalid_exact_evm_insufficient_balance"
  if (/invalid signature/i.test(text)) return "invalid_exact_evm_signature"
  return "invalid_exact_evm_transaction_failed"
}

/** A short text for a log line: viem's full messages repeat URLs, which may hold keys. */
export const describe = (error: unknown): string =>
  error instanceof BaseError ? `${error.name}: ${error.details.slice(0, 120)}` : "not an RPC error"
