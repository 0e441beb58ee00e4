/** What a payer signs to let USDC be moved: the typed data of EIP-3009, as tests and benches sign it by hand. */
import { Schema } from "effect"
import type { Hex } from "viem"
import { BASE_USDC } from "../../../src/domain/chain.ts"

/** As it stands in a payment: numbers in decimal, times in Unix seconds, the amount in smallest units. */
const Authorization = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  value: Schema.String,
  validAfter: Schema.String,
  validBefore: Schema.String,
  nonce: Schema.String
})
export type Authorization = typeof Authorization.Type

/** What a payment on Base carries. */
export const decodeAuthorized = Schema.decodeUnknownSync(
  Schema.Struct({ signature: Schema.String, authorization: Authorization })
)

/** Where the signature counts, in place of USDC on Base. */
export interface SigningDomain {
  readonly name?: string
  readonly chainId?: number
  readonly verifyingContract?: Hex
}

const isHex = (text: string): text is Hex => text.startsWith("0x")
export const hex = (text: string): Hex => (isHex(text) ? text : `0x${text}`)

export const typedAuthorization = (authorization: Authorization, domain: SigningDomain = {}) =>
  ({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: BASE_USDC, ...domain },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" }
      ]
    },
    primaryType: "TransferWithAuthorization",
    message: {
      from: hex(authorization.from),
      to: hex(authorization.to),
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: hex(authorization.nonce)
    }
  }) as const

/** The arguments of USDC's `transferWithAuthorization(…, bytes signature)`. */
export const transferArguments = (authorization: Authorization, signature: Hex) => {
  const { from, nonce, to, validAfter, validBefore, value } = typedAuthorization(authorization).message
  return [from, to, value, validAfter, validBefore, nonce, signature] as const
}
