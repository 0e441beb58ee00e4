import { Schema } from "effect"
import { Bytes, Count, Quantity, Word } from "./evm-wire.ts"

const [bytes, count, quantity, word] = [Bytes, Count, Quantity, Word].map((form) => Schema.is(form))

/** Methods that answer with one text, and its form. */
const FORMS = new Map([
  ["eth_blockNumber", count],
  ["eth_call", bytes],
  ["eth_chainId", count],
  ["eth_estimateGas", count],
  ["eth_gasPrice", quantity],
  ["eth_getBalance", quantity],
  ["eth_getCode", bytes],
  ["eth_getTransactionCount", count],
  ["eth_maxPriorityFeePerGas", quantity],
  ["eth_sendRawTransaction", word]
])

/**
 * Whether a method's answer has the form it must have. viem takes what is no text for one of no bytes: no code, a call that
 * returned nothing. Records are left to whoever reads them.
 */
export const hasForm = (method: string, answer: unknown): boolean => FORMS.get(method)?.(answer) ?? true
