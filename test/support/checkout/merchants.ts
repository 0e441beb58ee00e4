/** Merchants who proved their account with a wallet, in tests of the checkout. */
import { Effect, Option, Redacted } from "effect"
import type { PrivateKeyAccount } from "viem/accounts"
import { merchantCaller } from "../../../src/checkout/caller.ts"
import type { Merchant } from "../../../src/checkout/merchants/merchants.ts"
import { Merchants } from "../../../src/checkout/merchants/merchants.ts"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"

export const accountOf = ({ address }: Pick<PrivateKeyAccount, "address">) =>
  ({ network: BASE_NETWORK, merchantPayTo: address }) as const

/** A challenge as the wallet signed it. */
export const signedBy = (wallet: PrivateKeyAccount) =>
  Effect.gen(function* () {
    const merchants = yield* Merchants
    const { message } = yield* merchants.challenge(accountOf(wallet))
    const signature = yield* Effect.promise(() => wallet.signMessage({ message }))
    return { message, signature, label: "till" }
  })

export const signInWith = (wallet: PrivateKeyAccount) =>
  Effect.gen(function* () {
    const merchants = yield* Merchants
    const { token, tokenId } = yield* Effect.flatMap(signedBy(wallet), merchants.signIn)
    return { token, tokenId, merchant: yield* merchants.authenticate(Redacted.make(token)) }
  })

/** How a merchant with a token creates checkouts. */
export const as = (merchant: Merchant, idempotencyKey?: string) => ({
  caller: merchantCaller(merchant.id),
  merchant,
  idempotencyKey: Option.fromNullable(idempotencyKey)
})
