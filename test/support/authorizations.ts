/** EIP-3009 payments signed by hand, for everything the official client would not sign. */
import { randomBytes } from "node:crypto"
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types"
import type { Hex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { USDC } from "../../scripts/sandbox/base/addresses.ts"

export interface Authorization {
  readonly from: Hex
  readonly to: Hex
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" }
  ]
} as const

const isHex = (text: string): text is Hex => text.startsWith("0x")
export const hex = (text: string): Hex => (isHex(text) ? text : `0x${text}`)

/** An authorization that pays `terms`, changed as told, with the payer's signature of what it then says. */
export const authorize = async (
  account: PrivateKeyAccount,
  terms: PaymentRequirements,
  changes: Partial<Authorization> = {},
  domain: { readonly name?: string; readonly chainId?: number; readonly verifyingContract?: Hex } = {}
): Promise<{ readonly signature: Hex; readonly authorization: Authorization }> => {
  const authorization: Authorization = {
    from: account.address,
    to: hex(terms.payTo),
    value: terms.amount,
    validAfter: "0",
    validBefore: String(nowSeconds() + 60),
    nonce: hex(randomBytes(32).toString("hex")),
    ...changes
  }
  const signature = await account.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC, ...domain },
    types: TYPES,
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore)
    }
  })
  return { signature, authorization }
}

/** The envelope around a payload. */
export const envelope = (
  accepted: PaymentRequirements,
  payload: Readonly<Record<string, unknown>>,
  url?: string
): PaymentPayload => ({
  x402Version: 2,
  ...(url === undefined ? {} : { resource: { url } }),
  accepted,
  payload
})
