/** EIP-3009 payments signed by hand, for everything the official client would not sign. */
import { randomBytes } from "node:crypto"
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types"
import type { Hex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import type { Authorization, SigningDomain } from "../../scripts/sandbox/base/eip3009.ts"
import { typedAuthorization } from "../../scripts/sandbox/base/eip3009.ts"

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** An authorization that pays `terms`, changed as told, with the payer's signature of what it then says. */
export const authorize = async (
  account: PrivateKeyAccount,
  terms: PaymentRequirements,
  changes: Partial<Authorization> = {},
  domain: SigningDomain = {}
): Promise<{ readonly signature: Hex; readonly authorization: Authorization }> => {
  const authorization: Authorization = {
    from: account.address,
    to: terms.payTo,
    value: terms.amount,
    validAfter: "0",
    validBefore: String(nowSeconds() + 60),
    nonce: `0x${randomBytes(32).toString("hex")}`,
    ...changes
  }
  const signature = await account.signTypedData(typedAuthorization(authorization, domain))
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
