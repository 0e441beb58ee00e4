import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { BASE_NETWORK, BASE_USDC } from "../../../src/domain/chain.ts"
import { PaymentRejected, PaymentUnresolved } from "../../../src/domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../../src/domain/x402.ts"
import { asHex } from "../../../src/payment/verifier/evm/usdc.ts"
import type { SettleablePayment } from "../../../src/payment/message/payment.ts"
import { PaymentVerifier } from "../../../src/payment/verifier/payment-verifier.ts"

/** Unix milliseconds at which these tests begin: a payment needs a past in which it was signed. */
export const START = 1_800_000_000_000

export const terms: PaymentRequirements = {
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: BASE_USDC,
  payTo: "0x7777777777777777777777777777777777777777",
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" }
}

const types = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" }
  ]
} as const

/** A payment as a client sends it, signed by a new payer and valid for a minute from `START`. */
export const signPayment = Effect.promise(async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const authorization = {
    from: account.address,
    to: terms.payTo,
    value: terms.amount,
    validAfter: "0",
    validBefore: (START / 1000 + 60).toString(),
    nonce: `0x${randomBytes(32).toString("hex")}`
  }
  const signature = await account.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: BASE_USDC },
    types,
    primaryType: "TransferWithAuthorization",
    message: {
      from: account.address,
      to: asHex(terms.payTo),
      value: 5000n,
      validAfter: 0n,
      validBefore: BigInt(authorization.validBefore),
      nonce: asHex(authorization.nonce)
    }
  })
  return { x402Version: 2, accepted: terms, payload: { signature, authorization } }
})

/** How the chain's double behaves the next time it is told to settle. */
export type Outcome = "ok" | "refused" | "lost before" | "lost after" | "hangs before" | "hangs after"

/** A chain in memory: a nonce moves money once, whoever submits it; replies get lost on request. */
export class FakeChain {
  readonly transfers = new Map<string, number>()
  readonly outcomes: Array<Outcome> = []
  private readonly settling = new Set<string>()
  settledTwiceAtOnce = false
  verifyFails: "rejected" | undefined

  isPaid(key: string): boolean {
    return this.transfers.has(key)
  }

  private transfer({ authorizationKey }: SettleablePayment) {
    return Effect.sync(() => {
      this.transfers.set(authorizationKey, (this.transfers.get(authorizationKey) ?? 0) + 1)
    })
  }

  private settled(payment: SettleablePayment) {
    return { success: true, transaction: `tx of ${payment.authorizationKey}`, network: payment.network }
  }

  private attempt(
    payment: SettleablePayment
  ): Effect.Effect<SettlementResponse, PaymentRejected | PaymentUnresolved> {
    const lost = new PaymentUnresolved({ retryAfterSeconds: 1 })
    const after = Effect.zipRight(this.transfer(payment), Effect.sleep("20 millis"))
    switch (this.outcomes.shift() ?? "ok") {
      case "ok":
        return Effect.as(after, this.settled(payment))
      case "refused":
        return Effect.fail(new PaymentRejected({ reason: "invalid_exact_evm_transaction_failed" }))
      case "lost before":
        return Effect.fail(lost)
      case "lost after":
        return Effect.zipRight(after, Effect.fail(lost))
      case "hangs before":
        return Effect.never
      case "hangs after":
        return Effect.zipRight(after, Effect.never)
    }
  }

  readonly layer = Layer.succeed(
    PaymentVerifier,
    PaymentVerifier.of({
      extra: () => ({}),
      verify: () =>
        this.verifyFails === undefined
          ? Effect.succeed({ payer: "" })
          : Effect.fail(new PaymentRejected({ reason: "invalid_exact_evm_insufficient_balance" })),
      settle: (payment) =>
        Effect.suspend(() => {
          if (this.isPaid(payment.authorizationKey)) return Effect.succeed(this.settled(payment))
          const { authorizationKey } = payment
          if (this.settling.has(authorizationKey)) this.settledTwiceAtOnce = true
          this.settling.add(authorizationKey)
          return Effect.ensuring(
            this.attempt(payment),
            Effect.sync(() => this.settling.delete(authorizationKey))
          )
        }),
      lookup: (payment) =>
        Effect.clockWith((clock) =>
          Effect.map(clock.currentTimeMillis, (now) => {
            if (this.isPaid(payment.authorizationKey)) {
              return { state: "settled" as const, transaction: `tx of ${payment.authorizationKey}` }
            }
            return now > START + 90_000
              ? { state: "void" as const, reason: "invalid_exact_evm_payload_authorization_valid_before" }
              : { state: "open" as const }
          })
        )
    })
  )
}
