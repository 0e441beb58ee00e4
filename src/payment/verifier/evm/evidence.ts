import { decodeFunctionData, type Hex, parseAbi } from "viem"
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER } from "../../../chain/evm-events.ts"
import type { Evidence, Height } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"

/** All events of one transaction, in their order. */
type Logs = ReadonlyArray<{
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}>

/** The terms of an authorization that decide whether a transfer is the one that was sold. Lower-case hex. */
export interface Authorized {
  readonly asset: string
  readonly payer: string
  readonly nonce: string
  readonly payTo: string
  readonly amount: string
}

/** The authorized transfer of a payment on Base; `undefined` for a payment of another network. */
export const authorizedBy = ({
  payment,
  payer,
  requirements
}: VerifiedPayment): (Authorized & { readonly validBefore: bigint }) | undefined =>
  payment.scheme === "eip3009"
    ? {
        asset: requirements.asset.toLowerCase(),
        payer,
        nonce: payment.evm.authorization.nonce,
        payTo: requirements.payTo.toLowerCase(),
        amount: requirements.amount,
        validBefore: BigInt(payment.evm.authorization.validBefore)
      }
    : undefined

/** What a transaction did with an authorization's nonce. `index`: the deciding log's position among its logs. */
export type Use =
  | { readonly kind: "paid" | "elsewhere" | "cancelled"; readonly index: number }
  /** It consumed the nonce, and its logs do not tell for what. */
  | { readonly kind: "unclear"; readonly index: number }

/** An address as a log's topic, lower-case hex. */
const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, "0")}`

const WORD = /^0x[0-9a-f]{64}$/i

/**
 * The topics of a log of the token, lower-case hex; none of another contract's. They are compared as they are, because
 * this looks at every log of every receipt.
 */
const topicsOf = (log: Logs[number] | undefined, asset: string): ReadonlyArray<string> =>
  log?.address.toLowerCase() === asset ? log.topics.map((topic) => topic.toLowerCase()) : []

const consumed = (log: Logs[number] | undefined, { asset, payer, nonce }: Authorized) => {
  // Almost every log is somebody else's: their topics are not looked at any further.
  if (log?.topics[2]?.toLowerCase() !== nonce) return undefined
  const [event, authorizer, used, ...more] = topicsOf(log, asset)
  if (authorizer !== topicOf(payer) || used !== nonce || more.length > 0 || log.data !== "0x")
    return undefined
  return event === AUTHORIZATION_USED ? "used" : event === AUTHORIZATION_CANCELED ? "cancelled" : undefined
}

/** Whom a log says the payer's money went to, and how much; `undefined` where it is no transfer of the payer's. */
const transferred = (log: Logs[number] | undefined, { asset, payer }: Authorized) => {
  const [event, from, to = "", ...more] = topicsOf(log, asset)
  const data = log?.data ?? ""
  const isTransfer = event === TRANSFER && from === topicOf(payer) && more.length === 0 && WORD.test(data)
  return isTransfer ? { to, value: BigInt(data) } : undefined
}

/**
 * Which transfer belongs to an authorization, by FiatToken's own log order.
 *
 * `_transferWithAuthorization` and `_receiveWithAuthorization` of FiatTokenV2_2 run `_markAuthorizationAsUsed`, which
 * emits `AuthorizationUsed(authorizer, nonce)`, and then at once `_transfer`, which emits
 * `Transfer(authorizer, to, value)`; they call nothing in between, and a revert discards both. So the transfer of a
 * nonce is the very next log, of the same contract, from the same owner; it follows one `AuthorizationUsed` and so
 * belongs to one nonce. A transaction may hold any number of other transfers of the same amount: they prove nothing.
 * Source: circlefin/stablecoin-evm, contracts/v2/EIP3009.sol and contracts/v2/FiatTokenV2_2.sol.
 */
export const useIn = (logs: Logs, authorized: Authorized): Use | undefined => {
  for (let index = 0; index < logs.length; index++) {
    const event = consumed(logs[index], authorized)
    if (event === undefined) continue
    if (event === "cancelled") return { kind: "cancelled", index }
    const next = transferred(logs[index + 1], authorized)
    if (next === undefined) return { kind: "unclear", index }
    const isSold = next.to === topicOf(authorized.payTo) && next.value === BigInt(authorized.amount)
    return { kind: isSold ? "paid" : "elsewhere", index }
  }
  return undefined
}

const executing = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)"
])

/**
 * What a successful transaction that calls the token itself did with the nonce, by its own arguments: such a call
 * executes exactly one authorization. Everything else stays unclear.
 */
export const useByCall = (
  call: { readonly to: string | null; readonly input: Hex },
  index: number,
  authorized: Authorized
): Use => {
  const unclear: Use = { kind: "unclear", index }
  if (call.to?.toLowerCase() !== authorized.asset) return unclear
  try {
    const [from, to, value, , , nonce] = decodeFunctionData({ abi: executing, data: call.input }).args
    if (from.toLowerCase() !== authorized.payer || nonce.toLowerCase() !== authorized.nonce) return unclear
    const isSold = to.toLowerCase() === authorized.payTo && value === BigInt(authorized.amount)
    return { kind: isSold ? "paid" : "elsewhere", index }
  } catch {
    return unclear
  }
}

/** Where a transaction stands on the chain. */
export interface Included {
  readonly transactionHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
}

const heightOf = (blockNumber: bigint): Height => Number(blockNumber)

/** The evidence that a paid use gives. */
export const evidenceOf = (
  verified: Pick<VerifiedPayment, "payer" | "requirements">,
  index: number,
  { transactionHash, blockNumber, blockHash }: Included
): Evidence => ({
  network: verified.requirements.network,
  transaction: transactionHash.toLowerCase(),
  index,
  height: heightOf(blockNumber),
  blockHash: blockHash.toLowerCase(),
  payer: verified.payer,
  payTo: verified.requirements.payTo,
  amount: verified.requirements.amount
})
