import { Predicate } from "effect"
import type { Dialect, RpcErrorObject } from "./json-rpc-answer.ts"

/** Codes that say "not now" rather than "never". Source: agave rpc-client-api custom_error.rs. */
const PASSING_CODES: ReadonlySet<number> = new Set([-32603, -32004, -32005, -32014, -32016])
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32429])

const readError = ({ code }: RpcErrorObject): ReturnType<Dialect["readError"]> => {
  if (RATE_LIMIT_CODES.has(code)) return "rate-limited"
  return PASSING_CODES.has(code) ? "transport" : "rejected"
}

const UNSAFE_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]{16,}(?![0-9.eE])/g

/** Whole numbers a double cannot hold become texts; a schema that expects a u64 takes both. */
export const parseJsonKeepingIntegers = (text: string): unknown =>
  JSON.parse(text.replace(UNSAFE_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`)))

/** The slot an answer is of, and the answer. */
const inContext = (result: unknown): boolean =>
  Predicate.isReadonlyRecord(result) && "context" in result && "value" in result
const listInContext = (result: unknown): boolean =>
  Predicate.isReadonlyRecord(result) && "context" in result && Array.isArray(result["value"])
/** A number, or the text that a large one became. */
const whole = Predicate.or(Predicate.isString, Predicate.isNumber)

const FORMS = new Map<string, (result: unknown) => boolean>([
  ["getBalance", inContext],
  ["getBlockHeight", whole],
  ["getFirstAvailableBlock", whole],
  ["getLatestBlockhash", inContext],
  ["getMultipleAccounts", listInContext],
  ["getProgramAccounts", Predicate.or(Array.isArray, listInContext)],
  ["getSignaturesForAddress", Array.isArray],
  ["getSignatureStatuses", listInContext],
  ["getSlot", whole],
  ["getTokenLargestAccounts", listInContext],
  ["isBlockhashValid", inContext],
  ["sendTransaction", Predicate.isString],
  ["simulateTransaction", inContext]
])

const hasForm: Dialect["hasForm"] = (method, result) => FORMS.get(method)?.(result) ?? true

/** How Solana's nodes word their answers. */
export const solanaDialect: Dialect = {
  upstream: "solana-rpc",
  parse: parseJsonKeepingIntegers,
  readError,
  hasForm
}
