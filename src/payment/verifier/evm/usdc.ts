import { encodeFunctionData, type Hex, parseAbi, zeroHash } from "viem"
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

/** Call data of the transfer: the (v, r, s) form for 65 bytes, the bytes form for every other contract signature. */
export const transferCall = ({ authorization, signature }: Eip3009Payload): Hex => {
  const terms = [
    asHex(authorization.from),
    asHex(authorization.to),
    BigInt(authorization.value),
    BigInt(authorization.validAfter),
    BigInt(authorization.validBefore),
    asHex(authorization.nonce)
  ] as const
  const functionName = "transferWithAuthorization"
  if (signature.length !== 132) {
    return encodeFunctionData({ abi: usdcAbi, functionName, args: [...terms, asHex(signature)] })
  }
  const [r, s] = [asHex(signature.slice(0, 66)), asHex(`0x${signature.slice(66, 130)}`)]
  const v = Number.parseInt(signature.slice(130), 16)
  return encodeFunctionData({ abi: usdcAbi, functionName, args: [...terms, v, r, s] })
}
