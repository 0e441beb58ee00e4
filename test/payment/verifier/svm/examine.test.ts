import { address, isAddress } from "@solana/kit"
import { describe, expect, it } from "@effect/vitest"
import { ExactSvmScheme } from "@x402/svm/exact/facilitator"
import { Effect, Either, Fiber, Option, TestClock } from "effect"
import * as fc from "fast-check"
import { solanaAddress } from "../../../../scripts/sandbox/accounts.ts"
import { SOLANA_NETWORK } from "../../../../src/domain/chain.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import type { Ends } from "../../../../src/payment/verifier/svm/ends.ts"
import { makeExamination } from "../../../../src/payment/verifier/svm/examine.ts"
import { decodeTransaction, payloadOf } from "../../../../src/payment/verifier/svm/transaction.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import {
  build,
  data,
  type Instruction,
  limit,
  little,
  memo,
  price,
  reasonOf,
  standard,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  transfer,
  type World,
  world
} from "../../../support/payment/svm-transfers.ts"

const LIGHTHOUSE = address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95")

const nothing = () => Promise.reject(new Error("nothing is sent"))

/** The official facilitator's word on a transaction that the chain would execute. */
const official = (w: World, transaction: string, extra: Readonly<Record<string, unknown>>) => {
  const accepted = {
    ...w.requirements,
    network: SOLANA_NETWORK,
    extra: { ...w.requirements.extra, ...extra }
  } as const
  const signer = {
    getAddresses: () => [w.feePayer.address],
    simulateTransaction: () => Promise.resolve(),
    signTransaction: nothing,
    sendTransaction: nothing,
    confirmTransaction: nothing
  }
  return new ExactSvmScheme(signer).verify({ x402Version: 2, accepted, payload: { transaction } }, accepted)
}

/** Instructions of payments and of what is nearly one. */
const instruction = (w: World): fc.Arbitrary<Instruction> => {
  const account = fc.constantFrom(w.source, w.mint, w.destination, w.owner.address, w.feePayer.address)
  const accounts = fc.array(account, { maxLength: 5 })
  const bytes = fc.uint8Array({ maxLength: 12 })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("order-7", "", "é", "\uFEFForder-7").map(memo) },
    fc.tuple(accounts, bytes).map(([named, some]) => ({ program: LIGHTHOUSE, accounts: named, data: some })),
    fc
      .tuple(fc.constantFrom(TOKEN, TOKEN_2022, SYSTEM), accounts, bytes)
      .map(([program, named, some]) => ({ program, accounts: named, data: some }))
  )
}

const head = (w: World): fc.Arbitrary<ReadonlyArray<Instruction>> =>
  fc
    .tuple(
      fc.constantFrom(0, 1, 20_000, 200_000, 200_001),
      fc.constantFrom(0n, 1n, 500_000n, 5_000_000n, 5_000_001n),
      fc.constantFrom(4_999n, 5_000n, 5_000n, 5_000n),
      fc.boolean()
    )
    .map(([units, micro, amount, isShort]) => {
      const moved = transfer(w, amount)
      const longer = { ...moved, data: data(12, ...little(amount, 8), 6, 0) }
      return [limit(units), price(micro), isShort ? moved : longer]
    })

describe("a payment on Solana that is accepted here", () => {
  it.effect("is accepted by the official scheme too, where the chain would execute it", () =>
    Effect.gen(function* () {
      const w = yield* world
      const shape = fc.tuple(
        head(w),
        fc.array(instruction(w), { maxLength: 5 }),
        fc.constantFrom("legacy" as const, 0 as const),
        fc.constantFrom({}, { memo: "order-7" })
      )
      let accepted = 0
      const verdicts = fc.asyncProperty(shape, async ([first, rest, version, extra]) => {
        const wire = await Effect.runPromise(build(w, [...first, ...rest], { version }))
        if ((await Effect.runPromise(reasonOf(w, wire, extra))) !== "accepted") return
        accepted += 1
        expect(await official(w, wire, extra)).toMatchObject({ isValid: true, payer: w.owner.address })
      })
      yield* Effect.promise(() => fc.assert(verdicts, { numRuns: 400 }))
      expect(accepted).toBeGreaterThan(10)
    })
  )
})

describe("the chain's word on a payment", () => {
  const asked = (
    w: World,
    feePayer: string,
    says: ({ readonly succeeds: boolean; readonly isOfBlockhash?: boolean } & Partial<Ends>) | "nothing",
    ends: Partial<Ends> = {
      owner: w.owner.address,
      receiver: w.requirements.payTo
    },
    later = says
  ) =>
    Effect.gen(function* () {
      const decoded = decodeTransaction(yield* build(w, standard(w)))
      if (decoded === undefined || !isAddress(feePayer)) throw new Error("a payment")
      const payment = {
        scheme: "svm",
        network: SOLANA_NETWORK,
        authorizationKey: "key",
        envelope: { x402Version: 2, accepted: {}, payload: {} },
        svm: payloadOf(decoded)
      } as const
      const verified = VerifiedPayment.recorded({ payment, requirements: w.requirements }, w.owner.address)
      let trials = 0
      const simulate = () =>
        Effect.suspend(() => {
          const said = trials++ === 0 ? says : later
          return said === "nothing"
            ? Effect.fail(new UpstreamError({ upstream: "solana-rpc", kind: "timeout", detail: "" }))
            : Effect.succeed({
                isOfFeePayer: false,
                isOfBlockhash: false,
                slot: trials,
                left: 10n,
                owner: undefined,
                receiver: undefined,
                ...said
              })
        })
      const node = {
        simulate,
        ends: () => Effect.succeed({ left: 5_010n, owner: undefined, receiver: undefined, ...ends })
      }
      return yield* Effect.either(makeExamination(node, feePayer).examine(verified))
    })

  it.effect("decides, an outage decides nothing, and another's fee payer is not asked about", () =>
    Effect.gen(function* () {
      const w = yield* world
      const ours = w.feePayer.address
      expect(yield* asked(w, ours, { succeeds: true })).toEqual(Either.right({ triedAt: 1, held: 5_010n }))
      expect(yield* asked(w, ours, { succeeds: true, owner: w.owner.address })).toMatchObject({
        _tag: "Right"
      })
      expect(yield* asked(w, ours, { succeeds: false })).toMatchObject({
        left: { _tag: "PaymentRejected", reason: "invalid_exact_svm_transaction_simulation_failed" }
      })
      expect(yield* asked(w, ours, "nothing")).toMatchObject({ left: { _tag: "PaymentUnavailable" } })
      expect(yield* asked(w, solanaAddress("another"), "nothing")).toMatchObject({
        left: {
          _tag: "PaymentRejected",
          reason: "invalid_exact_svm_fee_payer_not_managed_by_facilitator"
        }
      })
    })
  )

  it.effect("that its blockhash is not known is heard twice, and refuses a payment for just that", () =>
    Effect.gen(function* () {
      const w = yield* world
      const unheard = { succeeds: false, isOfBlockhash: true }
      const twice = (later: Parameters<typeof asked>[4]) =>
        Effect.gen(function* () {
          const asking = yield* Effect.fork(asked(w, w.feePayer.address, unheard, undefined, later))
          while (Option.isNone(yield* Fiber.poll(asking))) yield* TestClock.adjust("1 second")
          return yield* Fiber.join(asking)
        })
      // A client's node may be a block or two ahead of ours.
      expect(yield* twice({ succeeds: true })).toEqual(Either.right({ triedAt: 2, held: 5_010n }))
      expect(yield* twice(unheard)).toMatchObject({
        left: { _tag: "PaymentRejected", reason: "invalid_exact_svm_blockhash_expired" }
      })
      expect(yield* twice({ succeeds: false })).toMatchObject({
        left: { _tag: "PaymentRejected", reason: "invalid_exact_svm_transaction_simulation_failed" }
      })
      expect(yield* twice("nothing")).toMatchObject({ left: { _tag: "PaymentUnavailable" } })
    })
  )

  it.effect(
    "that its tokens are somebody else's, for whom a delegate signs, takes it for no payment of his",
    () =>
      Effect.gen(function* () {
        const w = yield* world
        const owner = solanaAddress("owner of the tokens")
        expect(yield* asked(w, w.feePayer.address, { succeeds: true, owner })).toMatchObject({
          left: { _tag: "PaymentRejected", reason: "invalid_exact_svm_payload_source_mismatch" }
        })
      })
  )

  it.effect(
    "is asked for the accounts where a trial does not show whose they are, and is no word without them",
    () =>
      Effect.gen(function* () {
        const w = yield* world
        const ours = w.feePayer.address
        const shown = { owner: w.owner.address, receiver: w.requirements.payTo }
        const another = solanaAddress("owner of the tokens")
        // What is there to pay with is known either way: else any number of his payments would be sent at once.
        for (const left of [10n, undefined])
          expect(yield* asked(w, ours, { succeeds: true, left }, shown)).toEqual(
            Either.right({ triedAt: 1, held: 5_010n })
          )
        expect(
          yield* asked(w, ours, { succeeds: true, left: undefined }, { ...shown, left: undefined })
        ).toMatchObject({
          left: { _tag: "PaymentUnavailable" }
        })
        expect(yield* asked(w, ours, { succeeds: true }, { ...shown, owner: another })).toMatchObject({
          left: { _tag: "PaymentRejected", reason: "invalid_exact_svm_payload_source_mismatch" }
        })
        for (const ends of [{}, { owner: shown.owner }, { receiver: shown.receiver }])
          expect(yield* asked(w, ours, { succeeds: true }, ends)).toMatchObject({
            left: { _tag: "PaymentUnavailable" }
          })
      })
  )

  it.effect("that what would receive the money is not the recipient's any more lets nobody pay", () =>
    Effect.gen(function* () {
      const w = yield* world
      const ours = w.feePayer.address
      const receiver = w.requirements.payTo
      expect(yield* asked(w, ours, { succeeds: true, receiver })).toMatchObject({ _tag: "Right" })
      const thief = solanaAddress("thief")
      expect(yield* asked(w, ours, { succeeds: true, receiver: thief })).toMatchObject({
        left: { _tag: "PaymentUnavailable" }
      })
    })
  )
})
