import type { MerchantProfile } from "../../domain/merchant.ts"
import type { Merchant } from "./merchants.ts"

/** A merchant as its own tokens see it. */
export const profileOf = ({ account, id, settings }: Merchant): MerchantProfile => {
  const at = account.lastIndexOf(":")
  return { merchantId: id, network: account.slice(0, at), merchantPayTo: account.slice(at + 1), settings }
}
