import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { typedAuthorization } from "../../../scripts/sandbox/base/eip3009.ts"
import { PaymentRejected, type PaymentUnavailable } from "../../../src/domain/errors.ts"
import type { Evidence, SettlementOutcome, VoidProof } from "../../../src/payment/outcome.ts"
import { open } from "../../../src/payment/outcome.ts"
import type { makeDayFees } from "../../../src/payment/settler/day-fees.ts"
import type { VerifiedPayment } from "../../../src/payment/verifier/verified-payment.ts"
import {
  type BeforeHandOver,
  type ChainView,
  type NotVerified,
  type OnChain,
  PaymentVerifier,
  type Verify
} from "../../../src/payment/verifier/payment-verifier.ts"
import { termsFor } from "./terms.ts"

type DayFees = Effect.Effect.Success<ReturnType<typeof makeDayFees>>

/** Unix milliseconds at which these tests begin: a payment needs a past in which it was signed. */
export const START = 1_800_000_000_000

/** A chain in which every transfer is final at once. */
export const settledView: ChainView = {
  head: 1_000_000,
  final: 1_000_000,
  holds: (evidence) => Effect.succeed(evidence.map(() => true))
}

export const terms = termsFor("0x7777777777777777777777777777777777777777", 5_000n)

/** A payment as a client sends it, valid for a minute from `START`. */
export const signPaymentBy = (account: PrivateKeyAccount) =>
  Effect.promise(async () => {
    const authorization = {
      from: account.address,
      to: terms.payTo,
      value: terms.amount,
      validAfter: "0",
      validBefore: (START / 1000 + 60).toString(),
      nonce: `0x${randomBytes(32).toString("hex")}`
    }
    const signature = await account.signTypedData(typedAuthorization(authorization))
    return { x402Version: 2, accepted: terms, payload: { signature, authorization } }
  })

/** The same, signed by a new payer. */
export const signPayment = Effect.suspend(() => signPaymentBy(privateKeyToAccount(generatePrivateKey())))

/** The evidence of a transfer that a double made for a payment. */
export const evidenceOf = ({ payment, payer, requirements }: VerifiedPayment, height: number): Evidence => ({
  network: payment.network,
  transaction: `tx of ${payment.authorizationKey}`,
  index: 0,
  height,
  payer,
  payTo: requirements.payTo,
  amount: requirements.amount
})

/** The proof that a payment's window closed unused, as a double gives it. */
export const closed: VoidProof = { kind: "window-closed", closed: 1, seen: { node: "double", height: 1 } }

/** How the chain's double behaves the next time it is told to settle. */
export type Outcome = "ok" | "refused" | "lost before" | "lost after" | "hangs before" | "hangs after"

/** A chain in memory: a nonce moves money once, whoever submits it; replies get lost on request. */
export class FakeChain {
  readonly transfers = new Map<string, number>()
  readonly outcomes: Array<Outcome> = []
  private readonly settling = new Set<string>()
  private readonly cancelled = new Set<string>()
  settledTwiceAtOnce = false
  /** Evidence of transfers that a reorganisation took away, by their keys in the ledger. */
  view: ChainView = settledView
  verifyFails: "rejected" | undefined
  /** Whether a facilitator settles, who has every payment in its hands. */
  isHandedOver = false
  /** Payments that have come into its hands, each as often as it came. */
  handedOver = 0
  /** A facilitator that has the payment in its hands says nothing, neither yes nor no. */
  isSilent = false
  /** Why a facilitator will not settle what the chain would execute. */
  declines: PaymentRejected | PaymentUnavailable | undefined
  /** That the time in which the payments could land is over when the work for them is done. */
  gone: PaymentRejected | undefined
  /** What sending a payment costs, and the day's fees it comes out of. */
  fees: { readonly fee: bigint; readonly of: Pick<DayFees, "settingAside"> } | undefined

  /** Takes a transfer back, as a reorganisation does; its block stays young. */
  takeBack(key: string): void {
    this.transfers.delete(key)
    this.view = { head: 3, final: 0, holds: (all) => Effect.succeed(all.map(() => false)) }
  }

  isPaid(key: string): boolean {
    return this.transfers.has(key)
  }

  private transfer({ payment }: VerifiedPayment) {
    return Effect.sync(() => {
      const { authorizationKey } = payment
      this.transfers.set(authorizationKey, (this.transfers.get(authorizationKey) ?? 0) + 1)
    })
  }

  private cancel({ payment }: VerifiedPayment): SettlementOutcome {
    this.cancelled.add(payment.authorizationKey)
    return {
      state: "void",
      reason: "invalid_exact_evm_nonce_already_used",
      proof: { kind: "nonce-cancelled", transaction: "0x1", index: 0, seen: { node: "double", height: 1 } }
    }
  }

  private settled(verified: VerifiedPayment): SettlementOutcome {
    return { state: "settled", evidence: evidenceOf(verified, 2) }
  }

  private attempt(verified: VerifiedPayment): Effect.Effect<SettlementOutcome> {
    const after = Effect.zipRight(this.transfer(verified), Effect.sleep("20 millis"))
    switch (this.outcomes.shift() ?? "ok") {
      case "ok":
        return Effect.as(after, this.settled(verified))
      case "refused":
        return Effect.sync(() => this.cancel(verified))
      case "lost before":
        return Effect.succeed(open(undefined, 1))
      case "lost after":
        return Effect.as(after, open(undefined, 1))
      case "hangs before":
        return Effect.never
      case "hangs after":
        return Effect.zipRight(after, Effect.never)
    }
  }

  private saidElsewhere(onChain: OnChain): Effect.Effect<OnChain, PaymentRejected | PaymentUnavailable> {
    if (this.isSilent) return Effect.never
    return this.declines === undefined ? Effect.succeed(onChain) : Effect.fail(this.declines)
  }

  private lookNow(verified: VerifiedPayment): Effect.Effect<SettlementOutcome> {
    return Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (now) => this.look(verified, now)))
  }

  private look(verified: VerifiedPayment, now: number): SettlementOutcome {
    const { authorizationKey } = verified.payment
    if (this.isPaid(authorizationKey)) return this.settled(verified)
    if (this.cancelled.has(authorizationKey)) return this.cancel(verified)
    return now > START + 90_000
      ? { state: "void", reason: "invalid_exact_evm_payload_authorization_valid_before", proof: closed }
      : open(undefined, 1)
  }

  private verify(
    verified: VerifiedPayment,
    beforeHandOver: BeforeHandOver
  ): Effect.Effect<OnChain, NotVerified> {
    const { authorizationKey } = verified.payment
    if (this.isPaid(authorizationKey)) {
      return Effect.succeed({ height: 3, used: evidenceOf(verified, 2) })
    }
    if (this.verifyFails !== undefined || this.cancelled.has(authorizationKey))
      return Effect.fail(new PaymentRejected({ reason: "invalid_exact_evm_insufficient_balance" }))
    const { gone } = this
    const onChain = { height: 1, ...(gone === undefined ? {} : { stillOpen: Effect.fail(gone) }) }
    const came = Effect.sync(() => (this.handedOver += 1))
    const handOver = this.isHandedOver ? Effect.zipRight(beforeHandOver(onChain), came) : Effect.void
    return Effect.zipRight(handOver, this.saidElsewhere(onChain))
  }

  readonly layer = Layer.succeed(
    PaymentVerifier,
    PaymentVerifier.of({
      extra: () => ({}),
      landedAt: () => Effect.succeed(START / 1000),
      verify: (verified, beforeHandOver): Effect.Effect<OnChain, NotVerified> => {
        const { fees } = this
        if (fees === undefined) return this.verify(verified, beforeHandOver)
        const costing: Verify = (one, before) =>
          Effect.map(this.verify(one, before), (onChain) => ({ ...onChain, fee: fees.fee }))
        return fees.of.settingAside(costing)(verified, beforeHandOver)
      },
      settle: (verified) =>
        Effect.suspend(() => {
          const { authorizationKey } = verified.payment
          if (this.isPaid(authorizationKey)) return Effect.succeed(this.settled(verified))
          if (this.cancelled.has(authorizationKey)) return Effect.succeed(this.cancel(verified))
          if (this.settling.has(authorizationKey)) this.settledTwiceAtOnce = true
          this.settling.add(authorizationKey)
          return Effect.ensuring(
            this.attempt(verified),
            Effect.sync(() => this.settling.delete(authorizationKey))
          )
        }),
      lookup: (verified) => this.lookNow(verified),
      lookupOnChain: (verified) => this.lookNow(verified),
      view: () => Effect.succeed(this.view)
    })
  )
}
