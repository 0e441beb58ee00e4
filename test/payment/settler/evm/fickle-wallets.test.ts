/** Wallets whose code agrees to a payment when it is asked, and not when it runs on our gas. */
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Either, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import type { Address } from "viem"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import { parsePaymentObject } from "../../../../src/payment/message/parse-payment.ts"
import { examineOnBase } from "../../../../src/payment/verifier/evm/examine.ts"
import { makeTrials } from "../../../../src/payment/verifier/evm/trial.ts"
import { verifyOnBase } from "../../../../src/payment/verifier/evm/verify.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { LocalBase } from "../../../support/sandbox.ts"
import { journalAt, newPayer, settlingOn, signedPayment } from "../../../support/payment/base-settling.ts"
import { termsFor } from "../../../support/payment/terms.ts"

const settler = evmAccount("settler")
const begun = { transaction: null, since: 0 }

/** `isValidSignature` says yes (0x1626ba7e) where GASPRICE is zero, as it is for whoever only asks. */
const FICKLE = "0x3a15631626ba7e60e01b0260005260206000f3"

/** Of 10,000 millionths of a USD a day: a transaction that fails costs about a tenth of it. */
const settings = { dailyFees: 10_000n }

let wallets = 0
const newFickleWallet = Effect.gen(function* () {
  const chain = yield* LocalBase
  const at = evmAccount(`fickle wallet ${(wallets += 1)}`).address
  yield* Effect.promise(() => chain.devnet.setCode(at, FICKLE))
  yield* chain.mintUsdc(at, 10_000_000n)
  return at
})

const paymentOf = (wallet: Address) =>
  Effect.gen(function* () {
    const { accounts } = yield* LocalBase
    const requirements = termsFor(accounts.merchant.address, 5_000n)
    const authorization = {
      from: wallet,
      to: requirements.payTo,
      value: requirements.amount,
      validAfter: "0",
      validBefore: String(Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 60),
      nonce: `0x${randomBytes(32).toString("hex")}`
    }
    const signature = `0x${"11".repeat(64)}1b`
    const payload = { signature, authorization }
    const payment = yield* parsePaymentObject({ x402Version: 2, accepted: requirements, payload })
    if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment on Base")
    return yield* VerifiedPayment.verify({ payment, requirements })
  }).pipe(Effect.orDie)

const ourSide = Effect.gen(function* () {
  const { url } = yield* LocalBase
  const rpc = yield* makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "4 seconds", concurrency: 32 })
  const own = yield* settlingOn(rpc, { accounts: [settler], settings })
  const says = { ...own, examine: examineOnBase(rpc.client) }
  const verify = verifyOnBase(makeTrials(rpc), own.lookup, says)
  // A wait that ends before the transfer does says nothing of it: then the same payment comes again, as a payer's does.
  const settle = (verified: VerifiedPayment) =>
    Effect.repeat(own.settle(verified, begun), {
      times: 5,
      until: (outcome) => outcome.state !== "open" || outcome.isRefusedNow === true
    })
  return { settle, verify: (verified: VerifiedPayment) => verify(verified, () => Effect.void) }
})

describe("wallets that fail on our gas at will", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("use up a share of the day's fees and are then turned away, and nobody else is", () =>
      Effect.gen(function* () {
        const { settle, verify } = yield* ourSide
        const first = yield* paymentOf(yield* newFickleWallet)
        expect(yield* verify(first)).toMatchObject({ held: 10_000_000n })
        expect(yield* settle(first)).toMatchObject({ state: "open", isRefusedNow: true })
        const next = yield* paymentOf(yield* newFickleWallet)
        expect(yield* Effect.either(verify(next))).toMatchObject({
          _tag: "Left",
          left: { _tag: "PaymentUnavailable", upstream: "base-rpc" }
        })
        const chain = yield* LocalBase
        const payTo = chain.accounts.merchant.address
        const validBefore = Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 60
        const honest = yield* signedPayment({ payer: yield* newPayer(chain), payTo, validBefore })
        expect(Either.isRight(yield* Effect.either(verify(honest)))).toBe(true)
        expect(yield* settle(honest)).toMatchObject({ state: "settled" })
      }).pipe(Effect.provide(journalAt(":memory:")))
    )
  })
})
