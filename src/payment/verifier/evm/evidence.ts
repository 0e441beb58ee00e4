import { decodeFunctionData, type Hex, parseAbi, parseEventLogs, type TransactionReceipt } from "viem"
import type { Evidence, Height } from "../../outcome.ts"
import type { CheckedPayment } from "../checked-payment.ts"
import { usdcAbi } from "./usdc.ts"

type Logs = TransactionReceipt["logs"]

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
}: CheckedPayment): (Authorized & { readonly validBefore: bigint }) | undefined =>
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

const parse = (logs: Logs, index: number, asset: string) => {
  const log = logs[index]
  if (log === undefined || log.address.toLowerCase() !== asset) return undefined
  return parseEventLogs({ abi: usdcAbi, logs: [log] })[0]
}

const consumed = (logs: Logs, index: number, { asset, payer, nonce }: Authorized) => {
  const parsed = parse(logs, index, asset)
  if (parsed?.eventName !== "AuthorizationUsed" && parsed?.eventName !== "AuthorizationCanceled") {
    return undefined
  }
  const { authorizer, nonce: used } = parsed.args
  const isOurs = authorizer.toLowerCase() === payer && used.toLowerCase() === nonce
  return isOurs ? parsed.eventName : undefined
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
    const event = consumed(logs, index, authorized)
    if (event === undefined) continue
    if (event === "AuthorizationCanceled") return { kind: "cancelled", index }
    const next = parse(logs, index + 1, authorized.asset)
    if (next?.eventName !== "Transfer" || next.args.from.toLowerCase() !== authorized.payer) {
      return { kind: "unclear", index }
    }
    const isSold =
      next.args.to.toLowerCase() === authorized.payTo && next.args.value === BigInt(authorized.amount)
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
  checked: Pick<CheckedPayment, "payer" | "requirements">,
  index: number,
  { transactionHash, blockNumber, blockHash }: Included
): Evidence => ({
  network: checked.requirements.network,
  transaction: transactionHash.toLowerCase(),
  index,
  height: heightOf(blockNumber),
  blockHash: blockHash.toLowerCase(),
  payer: checked.payer,
  payTo: checked.requirements.payTo,
  amount: checked.requirements.amount
})
