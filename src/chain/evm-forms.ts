import { Predicate, Schema } from "effect"
import type { Dialect } from "./json-rpc-answer.ts"
import { Bytes, Count, Quantity, Word } from "./evm-wire.ts"

const bytes = Schema.is(Bytes)
const count = Schema.is(Count)
const quantity = Schema.is(Quantity)
const word = Schema.is(Word)
const record = Predicate.isReadonlyRecord
/** What a node does not know, or does not know yet, is null. */
const recordOrNull = Predicate.or(record, Predicate.isNull)

/** What a Base node's methods answer with. viem takes what is no text for one of no bytes: no code, a call that gave nothing. */
const FORMS = new Map<string, (result: unknown) => boolean>([
  ["eth_blockNumber", count],
  ["eth_call", bytes],
  ["eth_chainId", count],
  ["eth_estimateGas", count],
  ["eth_feeHistory", record],
  ["eth_gasPrice", quantity],
  ["eth_getBalance", quantity],
  ["eth_getBlockByNumber", recordOrNull],
  ["eth_getCode", bytes],
  ["eth_getLogs", Array.isArray],
  ["eth_getProof", record],
  ["eth_getTransactionByHash", recordOrNull],
  ["eth_getTransactionCount", count],
  ["eth_getTransactionReceipt", recordOrNull],
  ["eth_maxPriorityFeePerGas", quantity],
  ["eth_sendRawTransaction", word],
  ["eth_simulateV1", Array.isArray]
])

/** Whether a result may be an answer of this method; of a method that is not listed anything may. */
export const hasForm: Dialect["hasForm"] = (method, result) => FORMS.get(method)?.(result) ?? true
