import { ExactSvmScheme } from "@x402/svm/exact/facilitator"
import type { FacilitatorSvmSigner } from "@x402/svm"
import { getBase58Decoder, isAddress } from "@solana/kit"
import { Effect, Exit, Redacted, Runtime } from "effect"
import { createPrivateKey, sign } from "node:crypto"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import {
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved,
  type UpstreamError
} from "../../../domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../../domain/x402.ts"
import { checkLocally } from "../../verifier/local-check.ts"
import type { SvmPayment } from "../../message/payment.ts"
import { svmFate } from "./fate.ts"
import type { SolanaNode } from "./node.ts"
import {
  type DecodedTransaction,
  decodeTransaction,
  withFeePayerSignature
} from "../../verifier/svm/transaction.ts"

const RETRY_AFTER_SECONDS = 3
const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/** DER header of a PKCS #8 Ed25519 key; the 32-byte seed follows. Source: RFC 8410. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** Looks at half-second steps; a blockhash lives 60 to 90 seconds, and the fate is asked once more at the end. */
const TICKS = 190
/** Every fourth look sends again: nodes forget transactions, and nobody else sends this one. */
const RESEND_EVERY = 4
/** How often the blockhash is asked for, in looks. */
const EXPIRY_EVERY = 20

/** Milliseconds after which a transaction that a node refused would have shown up if another had taken it. */
const GRACE = 3_000

/** Our fee payer. The id of a transaction is its signature, so it is known before anything is sent. */
const makeFeePayer = (key: Redacted.Redacted<Uint8Array>) => {
  const bytes = Redacted.value(key)
  const privateKey = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, bytes.subarray(0, 32)]),
    format: "der",
    type: "pkcs8"
  })
  return {
    address: getBase58Decoder().decode(bytes.subarray(32)),
    sign: (transaction: DecodedTransaction) => {
      const signature = sign(null, transaction.messageBytes, privateKey)
      return { id: getBase58Decoder().decode(signature), wire: withFeePayerSignature(transaction, signature) }
    }
  }
}

/** Verification and settlement of Solana payments with our own fee payer. */
export const makeSelfHostedSvm = (node: SolanaNode, key: Redacted.Redacted<Uint8Array>) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const feePayer = makeFeePayer(key)

    const rejected = (payment: SvmPayment, reason: string, payer?: string) =>
      new PaymentRejected({ reason, network: payment.network, payer })

    const signed = (payment: SvmPayment) => {
      const transaction = decodeTransaction(payment.svm.transaction)
      return transaction === undefined
        ? Effect.fail(rejected(payment, "invalid_exact_svm_payload_transaction_could_not_be_decoded"))
        : Effect.succeed({ transaction, ...feePayer.sign(transaction) })
    }

    /** The chain as the official scheme sees it, for one judgement; a node that fails is remembered as such. */
    const signerFor = (outage: { seen: boolean }): FacilitatorSvmSigner => {
      const notSent = () => Promise.reject(new Error("a judgement sends nothing"))
      return {
        getAddresses: () => (isAddress(feePayer.address) ? [feePayer.address] : []),
        simulateTransaction: async (transaction) => {
          const exit = await Runtime.runPromiseExit(runtime)(node.simulates(transaction))
          if (Exit.isFailure(exit)) outage.seen = true
          if (Exit.isFailure(exit) || !exit.value) throw new Error("simulation failed")
        },
        signTransaction: notSent,
        sendTransaction: notSent,
        confirmTransaction: notSent
      }
    }

    const judge = (payment: SvmPayment, requirements: PaymentRequirements) =>
      Effect.tryPromise({
        try: async () => {
          const outage = { seen: false }
          const accepted = {
            ...requirements,
            network: SOLANA_NETWORK,
            extra: { ...requirements.extra }
          } as const
          const payload = { x402Version: 2, accepted, payload: { ...payment.svm } }
          const verdict = await new ExactSvmScheme(signerFor(outage)).verify(payload, accepted)
          return outage.seen ? undefined : verdict
        },
        catch: unavailable
      }).pipe(
        Effect.timeoutFail({ duration: "15 seconds", onTimeout: unavailable }),
        Effect.filterOrFail((verdict) => verdict !== undefined, unavailable)
      )

    const fate = (payment: SvmPayment) =>
      Effect.flatMap(signed(payment), ({ id }) => svmFate(node, payment.svm, id)).pipe(
        Effect.mapError(unavailable)
      )

    const verify = Effect.fn("SvmSettler.verify")(function* (
      payment: SvmPayment,
      requirements: PaymentRequirements
    ) {
      const { payer } = yield* checkLocally({ payment, requirements })
      const { isValid, invalidReason = "unexpected_verify_error" } = yield* judge(payment, requirements)
      if (isValid) return { payer }
      // A transfer that has landed cannot be simulated again; it still paid.
      const { state } = yield* fate(payment)
      return state === "settled" ? { payer } : yield* rejected(payment, invalidReason, payer)
    })

    /** Sends and looks until the transfer landed, failed, or can never land. */
    const broadcast = Effect.fnUntraced(function* (payment: SvmPayment, id: string, wire: string) {
      yield* node.send(wire, { preflight: true })
      for (let tick = 1; tick <= TICKS; tick++) {
        const landing = yield* Effect.orElseSucceed(node.landing(id), () => "unseen" as const)
        if (landing === "landed" || landing === "failed") return landing
        if (tick % RESEND_EVERY === 0 && landing === "unseen") {
          yield* Effect.ignore(node.send(wire, { preflight: false }))
        }
        if (tick % EXPIRY_EVERY === 0) {
          const found = yield* Effect.option(svmFate(node, payment.svm, id))
          if (found._tag === "Some" && found.value.state !== "open") return found.value.state
        }
        yield* Effect.sleep(tick < 8 ? "250 millis" : "500 millis")
      }
      return "open" as const
    })

    const settle = Effect.fn("SvmSettler.settle")(function* (
      payment: SvmPayment,
      requirements: PaymentRequirements
    ) {
      const { payer } = yield* Effect.orElseSucceed(checkLocally({ payment, requirements }), () => ({
        payer: ""
      }))
      const { id, wire } = yield* signed(payment)
      const unresolved = () =>
        new PaymentUnresolved({ retryAfterSeconds: RETRY_AFTER_SECONDS, transaction: id })
      const paid: SettlementResponse = { success: true, transaction: id, network: payment.network, payer }
      const notSent = (error: UpstreamError) =>
        // Another node may have taken it before this one refused it: only time tells.
        Effect.delay(fate(payment), error.kind === "rejected" ? GRACE : 0).pipe(
          Effect.mapError(unresolved),
          Effect.flatMap((found) => {
            if (found.state !== "open") return Effect.succeed(found.state)
            return error.kind === "rejected" ? Effect.succeed("failed" as const) : Effect.fail(unresolved())
          })
        )
      const outcome = yield* Effect.catchAll(broadcast(payment, id, wire), notSent)
      switch (outcome) {
        case "landed":
        case "settled":
          return paid
        case "failed":
          return yield* rejected(payment, "invalid_exact_svm_transaction_failed", payer)
        case "void":
          return yield* rejected(payment, "invalid_exact_svm_blockhash_expired", payer)
        case "open":
          return yield* unresolved()
      }
    })

    return { feePayer: feePayer.address, verify, settle, fate }
  })
