import { Effect } from "effect"
import { encodeEventTopics, type Hex, numberToHex, pad, type PublicClient } from "viem"
import { PaymentUnavailable } from "../../../domain/errors.ts"
import type { Eip3009Payload, PaymentRequirements } from "../../../domain/x402.ts"
import type { SettlementFate } from "../../verifier/payment-verifier.ts"
import { asHex, hasTransfer, usdcAbi } from "../../verifier/evm/usdc.ts"

/** Blocks one `eth_getLogs` may span; public nodes refuse more. */
const LOG_SPAN = 2_000n
/** Longest history we look through, in blocks: a week of Base. */
const LOG_HORIZON = 302_400n
/** Seconds a payer's and our own clock and a block's time may differ, all together. */
const SLACK = 240n
/** Seconds after its window before an unused authorization is given up: far more than Base ever reorganizes. */
const FINALITY = 30n

const [USED] = encodeEventTopics({ abi: usdcAbi, eventName: "AuthorizationUsed" })
const [CANCELLED] = encodeEventTopics({ abi: usdcAbi, eventName: "AuthorizationCanceled" })

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value)

/** The log that consumed the nonce. A block takes between one (test chains) and two (Base) seconds. */
const findUse = async (
  client: PublicClient,
  { authorization }: Eip3009Payload,
  { asset, maxTimeoutSeconds }: PaymentRequirements,
  head: { readonly number: bigint; readonly timestamp: bigint }
) => {
  const earliest = BigInt(authorization.validBefore) - BigInt(maxTimeoutSeconds) - SLACK
  const age = smaller(atLeastZero(head.timestamp - earliest), LOG_HORIZON)
  const topics = [[asHex(USED), asHex(CANCELLED)], pad(asHex(authorization.from)), asHex(authorization.nonce)]
  for (let from = atLeastZero(head.number - age); from <= head.number; from += LOG_SPAN) {
    const to = smaller(from + LOG_SPAN - 1n, head.number)
    const [log] = await client.request({
      method: "eth_getLogs",
      params: [{ address: asHex(asset), topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) }]
    })
    if (log !== undefined) return log
  }
  return undefined
}

const transferIn = async (
  client: PublicClient,
  hash: Hex,
  requirements: PaymentRequirements,
  payer: string
) => {
  const receipt = await client.getTransactionReceipt({ hash })
  return receipt.status === "success" && hasTransfer(receipt.logs, requirements, payer)
}

const readFate = async (
  client: PublicClient,
  payload: Eip3009Payload,
  requirements: PaymentRequirements
): Promise<SettlementFate> => {
  const { from, nonce, validBefore } = payload.authorization
  const head = await client.getBlock({ blockTag: "latest" })
  const used = await client.readContract({
    address: asHex(requirements.asset),
    abi: usdcAbi,
    functionName: "authorizationState",
    args: [asHex(from), asHex(nonce)],
    // The same block on the same node: a lagging one must not call an open window closed.
    blockNumber: head.number
  })
  if (!used) {
    return head.timestamp > BigInt(validBefore) + FINALITY
      ? { state: "void", reason: "invalid_exact_evm_payload_authorization_valid_before" }
      : { state: "open" }
  }
  const log = await findUse(client, payload, requirements, head)
  if (log === undefined || log.transactionHash === null) return { state: "open" }
  const paid = log.topics[0] === USED && (await transferIn(client, log.transactionHash, requirements, from))
  return paid
    ? { state: "settled", transaction: log.transactionHash }
    : { state: "void", reason: "invalid_exact_evm_nonce_already_used" }
}

/**
 * What became of an authorization, whoever submitted it: anyone may, and the money still reaches us. A used nonce
 * counts as paid only with the matching Transfer in the same transaction; a cancelled one never does.
 */
export const eip3009Fate = (
  client: PublicClient,
  payload: Eip3009Payload,
  requirements: PaymentRequirements
) =>
  Effect.tryPromise({
    try: () => readFate(client, payload, requirements),
    catch: () => new PaymentUnavailable({ upstream: "base-rpc" })
  }).pipe(
    Effect.timeoutFail({
      duration: "20 seconds",
      onTimeout: () => new PaymentUnavailable({ upstream: "base-rpc" })
    })
  )
