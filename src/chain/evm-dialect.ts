import { Schema } from "effect"
import { hasForm } from "./evm-forms.ts"
import type { Dialect, RpcErrorObject } from "./json-rpc-answer.ts"

// Nodes word a failed execution differently: geth and reth start with "execution reverted", others name the halt.
const EXECUTION_FAILURE =
  /^(?:execution reverted|vm execution|evm error|reverted|out of gas|gas uint64 overflow|invalid opcode|invalid jump|stack (?:under|over)flow|stack limit|write protection|return data out of bounds|contract creation code|max code size)/i

/** A node behind the others: the next one may have the block, and so may this one in a moment. */
const BLOCK_NOT_THERE_YET =
  /header not found|unknown block|block not found|could not find block|missing trie node|resource not found|beyond current head|not yet imported/i

/** The question is too large for this node, by blocks, events, bytes or time. Some give it the code of a limit of requests. */
const TOO_LARGE =
  /block range|range.*(?:too|limit|exceeds)|limited to a .* range|more than \d+ results|max results|too many (?:blocks|results|logs)|at most \d+ blocks|response (?:size|too)|query time/i

const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([-32005, -32029, 429, -32016])
const INTERNAL_ERROR = -32603
const REVERTED = 3

const isText = Schema.is(Schema.String)
const hexIn = (data: unknown): string => (isText(data) ? (/0x[0-9a-f]*/i.exec(data)?.[0] ?? "0x") : "0x")

const readError = ({ code, message, data }: RpcErrorObject): ReturnType<Dialect["readError"]> => {
  if (code === REVERTED || EXECUTION_FAILURE.test(message)) return { executed: false, data: hexIn(data) }
  if (BLOCK_NOT_THERE_YET.test(message)) return "transport"
  if (TOO_LARGE.test(message)) return "rejected"
  if (RATE_LIMIT_CODES.has(code) || /rate limit|too many requests/i.test(message)) return "rate-limited"
  if (/time(?:d )?-?out/i.test(message)) return "timeout"
  return code === INTERNAL_ERROR ? "transport" : "rejected"
}

/** How Base's nodes word their answers. */
export const evmDialect: Dialect = {
  upstream: "base-rpc",
  parse: (text) => JSON.parse(text),
  readError,
  hasForm
}
