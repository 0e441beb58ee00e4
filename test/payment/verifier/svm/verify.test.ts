import { getBase58Encoder } from "@solana/kit"
import { expect, it } from "@effect/vitest"
import { Clock, Effect, Either, Fiber, Option, Schema, TestClock } from "effect"
import type { RpcCall } from "../../../../src/chain/rpc-call.ts"
import { SOLANA_USDC } from "../../../../src/domain/chain.ts"
import { PaymentRejected, UpstreamError } from "../../../../src/domain/errors.ts"
import { open, type SettlementOutcome } from "../../../../src/payment/outcome.ts"
import type { OnChain } from "../../../../src/payment/verifier/payment-verifier.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { settledOnSolana } from "../../../../src/payment/verifier/svm/lookup.ts"
import { solanaNode } from "../../../../src/payment/verifier/svm/node.ts"
import { verifyOnSolana } from "../../../../src/payment/verifier/svm/verify.ts"
import { solanaBuyer } from "../../../simulation/buyers.ts"
import { VirtualTime } from "../../../simulation/clock.ts"
import { Dice } from "../../../simulation/dice.ts"
import { simFeePayer } from "../../../simulation/sim-solana.ts"
import { SimSolana } from "../../../simulation/solana-chain.ts"

/** A node at slot 1,000 that has these answers, and fails at every other question. */
const answering =
  (answers: Record<string, unknown>): RpcCall =>
  (method, _params, result) =>
    Effect.mapError(
      Schema.decodeUnknown(result)(
        method in answers ? { context: { slot: 1_000 }, value: answers[method] } : undefined
      ),
      () => new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail: method })
    )

/** A payment that everybody else finds in order, or says is used: by our own key, or a facilitator's. */
const verified = Effect.promise(async () => {
  const dice = new Dice(7)
  const chain = new SimSolana(dice, new VirtualTime(1_800_000_000_000))
  const { payer, payment, terms } = await solanaBuyer(dice, 1, chain, simFeePayer.address)
  if (payment.scheme !== "svm") throw new Error("not a payment on Solana")
  return VerifiedPayment.recorded({ payment, requirements: terms }, payer)
})

const tokenAccount = (owner: string, amount = 1_000_000n) => {
  const bytes = Buffer.alloc(165)
  bytes.set(getBase58Encoder().encode(owner), 32)
  bytes.writeBigUInt64LE(amount, 64)
  return { data: [bytes.toString("base64"), "base64"] }
}

/** The accounts of the transfer, as whoever is asked for them shows them. */
const accountsOf = Effect.map(verified, ({ payer, requirements }) => ({
  getMultipleAccounts: [payer, requirements.payTo].map((owner) => tokenAccount(owner))
}))

const BLOCKHASH = { isBlockhashValid: true }
const trialOf = (err: unknown) => ({ simulateTransaction: { err, unitsConsumed: 1 } })
const ways = ["own", "facilitator"] as const

const verify = (
  by: (typeof ways)[number],
  answers: Record<string, unknown>,
  found: (verified: VerifiedPayment) => SettlementOutcome = () => open(),
  triedAt?: number,
  refused?: string,
  told: Array<OnChain> = []
) =>
  Effect.flatMap(verified, (one) =>
    Effect.either(
      verifyOnSolana({
        node: solanaNode({ host: "node", call: answering(answers) }),
        lookup: () => Effect.succeed(found(one)),
        examine: () =>
          refused === undefined
            ? Effect.succeed({ fee: undefined, triedAt })
            : Effect.fail(new PaymentRejected({ reason: refused })),
        idOf: () => (by === "own" ? simFeePayer.sign(one)?.id : undefined)
      })(one, (onChain) => Effect.sync(() => void told.push(onChain)))
    ).pipe(passing)
  )

/** Lets the clock go on until an answer is there. */
const passing = <A, E>(answering: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(answering)
    while (Option.isNone(yield* Fiber.poll(fiber))) yield* TestClock.adjust("100 millis")
    return yield* Fiber.join(fiber)
  })

const landed = (one: VerifiedPayment) => settledOnSolana(one, "landed", 900)

it.effect("a payment of which no node says whether it was used is not sold on: it may have been", () =>
  Effect.gen(function* () {
    expect(yield* verify("own", BLOCKHASH)).toMatchObject({ left: { _tag: "PaymentUnavailable" } })
  })
)

it.effect("a payment that could not be asked about is looked up, whoever would send it", () =>
  Effect.gen(function* () {
    for (const by of ways)
      expect(yield* verify(by, BLOCKHASH, landed)).toMatchObject({ right: { used: { height: 900 } } })
  })
)

it.effect(
  "a payment that may have been used is looked for from where we had it unused, however long ago",
  () =>
    Effect.gen(function* () {
      const one = yield* verified
      const from: Array<number> = []
      for (const by of ways)
        for (const unusedAt of [undefined, 990, 100]) {
          const verifying = verifyOnSolana({
            node: solanaNode({ host: "node", call: answering(BLOCKHASH) }),
            lookup: (_, { since }) => Effect.sync(() => (from.push(since), landed(one))),
            examine: () => Effect.succeed({}),
            idOf: () => (by === "own" ? simFeePayer.sign(one)?.id : undefined)
          })
          expect(yield* verifying(one, () => Effect.void, unusedAt)).toMatchObject({ used: { height: 900 } })
        }
      // A blockhash lives for 150 blocks.
      expect(from).toEqual([750, 750, 100, 750, 750, 100])
    })
)

it.effect("where the status is not answered a trial says whether our own payment was used", () =>
  Effect.gen(function* () {
    expect(yield* verify("own", trialOf(null), landed)).toEqual(
      Either.right({ height: 1_000, stillOpen: expect.anything() })
    )
    const used = yield* verify("own", trialOf("AlreadyProcessed"), landed)
    expect(used).toMatchObject({ right: { used: { transaction: "landed" } } })
  })
)

it.effect(
  "a payment tried at a later slot than its status is of is unused up to there: its blockhash is known there",
  () =>
    Effect.gen(function* () {
      const unseen = { getSignatureStatuses: [null] }
      expect(yield* verify("own", unseen)).toMatchObject({ right: { height: 968 } })
      expect(yield* verify("own", unseen, () => open(), 1_500)).toMatchObject({ right: { height: 1_468 } })
      expect(yield* verify("own", unseen, () => open(), 900)).toMatchObject({ right: { height: 968 } })
    })
)

it.effect(
  "a facilitator's payment of whose blockhash our node knows nothing is not sold: no later look could end it",
  () =>
    Effect.gen(function* () {
      const failing = { ...trialOf("BlockhashNotFound"), ...(yield* accountsOf) }
      for (const answers of [failing, { ...failing, isBlockhashValid: false }, { isBlockhashValid: false }])
        expect(yield* verify("facilitator", answers)).toMatchObject({ left: { _tag: "PaymentUnavailable" } })
      expect(yield* verify("facilitator", { ...failing, ...BLOCKHASH })).toEqual(
        Either.right({ height: 1_000 })
      )
    })
)

const FAILS = "invalid_exact_svm_transaction_simulation_failed"

it.effect(
  "a payment that our own node would execute is not refused by a facilitator that sees no chain",
  () =>
    Effect.gen(function* () {
      const told: Array<OnChain> = []
      const refusedFor = (reason: string, answers: Record<string, unknown>) =>
        verify("facilitator", answers, undefined, undefined, reason, told)
      const { payer, requirements } = yield* verified
      const executed = { ...trialOf(null), ...(yield* accountsOf) }
      // It gets the payment into its hands, and may send it whatever it says: where it was unused is told before.
      const onChain = { height: 1_000 }
      expect(yield* refusedFor(FAILS, executed)).toMatchObject({ left: { _tag: "PaymentUnavailable" } })
      expect(told).toMatchObject([onChain])
      const failing = { ...executed, ...trialOf("BlockhashNotFound"), ...BLOCKHASH }
      expect(yield* refusedFor(FAILS, failing)).toMatchObject({ left: { reason: FAILS } })
      expect(told).toMatchObject([onChain, onChain])
      // What our own node shows to be unfunded nobody gets.
      const poor = { getMultipleAccounts: [payer, requirements.payTo].map((one) => tokenAccount(one, 1n)) }
      const unfunded = { ...trialOf("InsufficientFunds"), ...BLOCKHASH, ...poor }
      expect(yield* refusedFor(FAILS, unfunded)).toMatchObject({ left: { reason: FAILS } })
      expect(told).toHaveLength(2)
      const high = "invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high"
      expect(yield* refusedFor(high, executed)).toMatchObject({ left: { reason: high } })
      const own = yield* verify("own", { getSignatureStatuses: [null] }, undefined, undefined, FAILS)
      expect(own).toMatchObject({ left: { reason: FAILS } })
    })
)

it.effect(
  "a facilitator's payment of another's tokens, or to an account that was given away, is not sold",
  () =>
    Effect.gen(function* () {
      const { payer, requirements } = yield* verified
      const trial = (owner: string, receiver: string) => ({
        simulateTransaction: { err: null, accounts: [owner, receiver].map((one) => tokenAccount(one)) }
      })
      const { payTo } = requirements
      expect(yield* verify("facilitator", trial(payer, payTo))).toMatchObject({ right: { height: 1_000 } })
      expect(yield* verify("facilitator", trial(SOLANA_USDC, payTo))).toMatchObject({
        left: { reason: "invalid_exact_svm_payload_source_mismatch" }
      })
      expect(yield* verify("facilitator", trial(payer, SOLANA_USDC))).toMatchObject({
        left: { _tag: "PaymentUnavailable" }
      })
    })
)

it.effect(
  "a facilitator's payment of which no node shows whose the tokens are is not sold: a delegate may have signed it",
  () =>
    Effect.gen(function* () {
      const shown = yield* accountsOf
      const { requirements } = yield* verified
      const delegated = {
        getMultipleAccounts: [SOLANA_USDC, requirements.payTo].map((one) => tokenAccount(one))
      }
      for (const trial of [trialOf(null), BLOCKHASH]) {
        expect(yield* verify("facilitator", trial)).toMatchObject({ left: { _tag: "PaymentUnavailable" } })
        expect(yield* verify("facilitator", { ...trial, getMultipleAccounts: [null, null] })).toMatchObject({
          left: { _tag: "PaymentUnavailable" }
        })
        expect(yield* verify("facilitator", { ...trial, ...delegated })).toMatchObject({
          left: { reason: "invalid_exact_svm_payload_source_mismatch" }
        })
        expect(yield* verify("facilitator", { ...trial, ...shown })).toMatchObject({
          right: { height: 1_000 }
        })
      }
    })
)

it.effect(
  "a payment that work has taken seconds for is asked about once more: its blockhash may be gone",
  () =>
    Effect.gen(function* () {
      const unseen = { getSignatureStatuses: [null] }
      const later = (seconds: number, answers: Record<string, unknown>, triedAt = 1_000) =>
        Effect.gen(function* () {
          const checked = yield* verify("own", { ...unseen, ...answers }, () => open(), triedAt)
          yield* TestClock.setTime((yield* Clock.currentTimeMillis) + seconds * 1_000)
          const onChain = yield* checked
          expect(onChain.stillOpen).toBeDefined()
          return yield* Effect.either(onChain.stillOpen ?? Effect.void)
        })
      const gone = { isBlockhashValid: false }
      expect(yield* later(1, gone)).toEqual(Either.right(undefined))
      expect(yield* later(10, gone)).toMatchObject({
        left: { reason: "invalid_exact_svm_blockhash_expired" }
      })
      // Where the clock was set back meanwhile nobody knows how long it was.
      expect(yield* later(-3_600, gone)).toMatchObject({
        left: { reason: "invalid_exact_svm_blockhash_expired" }
      })
      expect(yield* later(10, BLOCKHASH)).toEqual(Either.right(undefined))
      // A node that is behind where it was known, or does not answer, has not said that it is gone.
      expect(yield* later(10, gone, 1_001)).toEqual(Either.right(undefined))
      expect(yield* later(10, {})).toEqual(Either.right(undefined))
    })
)

it.effect("a blockhash that our node does not know yet refuses nobody, whoever would send the payment", () =>
  Effect.gen(function* () {
    let trials = 0
    const catchingUp = {
      ...(yield* accountsOf),
      get simulateTransaction() {
        return { err: trials++ === 0 ? "BlockhashNotFound" : null, unitsConsumed: 1 }
      }
    }
    const unknown = (): SettlementOutcome => ({
      state: "void",
      reason: "invalid_exact_svm_blockhash_expired",
      proof: { kind: "window-closed", closed: 900, seen: { node: "node", height: 900 } }
    })
    expect(yield* verify("facilitator", catchingUp, unknown)).toMatchObject({ right: { height: 1_000 } })
  })
)
