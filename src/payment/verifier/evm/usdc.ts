import { encodeFunctionData, erc20Abi, type Hex, parseAbi, prepareEncodeFunctionData, zeroHash } from "viem"
import type { Eip3009Payload } from "../../../domain/x402.ts"

/** The part of Circle's FiatTokenV2_2 that payments touch. */
export const usdcAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "event Transfer(address indexed from, address indexed to, uint256 value)"
])

const isHex = (text: string): text is Hex => /^0x[0-9a-fA-F]*$/.test(text)

/** A text that a schema has shown to be 0x hex, as viem types it. */
export const asHex = (text: string): Hex => (isHex(text) ? text : zeroHash)

// Every sale encodes these several times: looking a function up in the ABI costs more than encoding its arguments.
const splitTransfer = prepareEncodeFunctionData({
  abi: parseAbi([
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)"
  ]),
  functionName: "transferWithAuthorization"
})
const wholeTransfer = prepareEncodeFunctionData({
  abi: parseAbi([
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)"
  ]),
  functionName: "transferWithAuthorization"
})
const stateOf = prepareEncodeFunctionData({ abi: usdcAbi, functionName: "authorizationState" })
const balanceOf = prepareEncodeFunctionData({ abi: erc20Abi, functionName: "balanceOf" })

/** Call data that asks whether a nonce was used. */
export const stateCall = (authorizer: Hex, nonce: Hex): Hex =>
  encodeFunctionData({ ...stateOf, args: [authorizer, nonce] })

/** Call data that asks for a balance. */
export const balanceCall = (owner: Hex): Hex => encodeFunctionData({ ...balanceOf, args: [owner] })

const encodeTransfer = ({ authorization, signature }: Eip3009Payload): Hex => {
  const terms = [
    asHex(authorization.from),
    asHex(authorization.to),
    BigInt(authorization.value),
    BigInt(authorization.validAfter),
    BigInt(authorization.validBefore),
    asHex(authorization.nonce)
  ] as const
  if (signature.length !== 132) {
    return encodeFunctionData({ ...wholeTransfer, args: [...terms, asHex(signature)] })
  }
  const [r, s] = [asHex(signature.slice(0, 66)), asHex(`0x${signature.slice(66, 130)}`)]
  const v = Number.parseInt(signature.slice(130), 16)
  return encodeFunctionData({ ...splitTransfer, args: [...terms, v, r, s] })
}

const encoded = new WeakMap<Eip3009Payload, Hex>()

/**
 * Call data of the transfer: the (v, r, s) form for 65 bytes, the bytes form for every other contract signature. A sale
 * asks for it three times.
 */
export const transferCall = (payload: Eip3009Payload): Hex => {
  const known = encoded.get(payload)
  if (known !== undefined) return known
  const data = encodeTransfer(payload)
  encoded.set(payload, data)
  return data
}
