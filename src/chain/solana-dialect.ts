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

/** How Solana's nodes word their answers. */
export const solanaDialect: Dialect = {
  upstream: "solana-rpc",
  parse: parseJsonKeepingIntegers,
  readError
}
