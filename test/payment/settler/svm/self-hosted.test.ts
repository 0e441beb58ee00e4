/** What whoever waits for a payment on Solana hears, by what its node and the whole question say. */
import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Option, TestClock } from "effect"
import { open, type SettlementOutcome } from "../../../../src/payment/outcome.ts"
import { makeSolanaEconomy } from "../../../../src/payment/settler/svm/economy.ts"
import { makeSelfHostedSvm } from "../../../../src/payment/settler/svm/self-hosted.ts"
import { makeTransfers } from "../../../../src/payment/settler/svm/transfers.ts"
import { settledOnSolana } from "../../../../src/payment/verifier/svm/lookup.ts"
import { type SignatureStatus, solanaNode } from "../../../../src/payment/verifier/svm/node.ts"
import { simFeePayer } from "../../../simulation/sim-solana.ts"
import { settings } from "../../../support/payment/base-settling.ts"
import { closed } from "../../../support/payment/support.ts"
import { payment } from "../../../support/payment/svm-looks.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"
import { NOW } from "../../../support/now.ts"

const UNSEEN: SignatureStatus = { state: "unseen", isFinal: false, seenAt: 1_000 }
const PENDING: SignatureStatus = { state: "pending", slot: 900, isFinal: false, seenAt: 1_000 }
const LANDED: SignatureStatus = { ...PENDING, state: "landed" }
const FAILED: SignatureStatus = { ...PENDING, state: "failed" }

const voided: SettlementOutcome = { state: "void", reason: "over", proof: closed }

interface Says {
  readonly status: SignatureStatus
  /** The whole question's answer; open where it is left out. */
  readonly found?: SettlementOutcome
  /** The newest finalized slot. */
  readonly finalized?: number
  /** From this amount on a payment counts in a finalized slot. */
  readonly finalityFrom?: bigint
  /** Whether somebody stored it before. */
  readonly isStored?: boolean
  /** The clock is set back by an hour a second after the settlement began. */
  readonly isSetBack?: boolean
}

/** The clock around, set back by an hour once a second has passed. Whoever sleeps does not notice. */
const setBack = Effect.clockWith((clock) =>
  Effect.map(clock.currentTimeMillis, (started): Clock.Clock => {
    const shown = (millis: number) => (millis < started + 1_000 ? millis : millis - 3_600_000)
    return {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillis: Effect.map(clock.currentTimeMillis, shown),
      unsafeCurrentTimeMillis: () => shown(clock.unsafeCurrentTimeMillis()),
      currentTimeNanos: clock.currentTimeNanos,
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos()
    }
  })
)

/** Settles one payment; what came of it, after how many milliseconds, and when it was sent. */
const settling = ({
  finalityFrom,
  finalized = 0,
  found = open(),
  isSetBack = false,
  isStored = false,
  status
}: Says) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const { verified } = yield* payment
    const transfers = yield* makeTransfers
    const [sentAt, toAnother]: readonly [Array<number>, Array<number>] = [[], []]
    const sendTo = (sent: Array<number>) => () =>
      Effect.map(Clock.currentTimeMillis, (now) => void sent.push(now - NOW))
    const { address } = simFeePayer
    const node = {
      ...solanaNode({ host: "node", call: () => Effect.dieMessage("not asked here") }),
      status: () => Effect.succeed(status),
      statuses: (ids: ReadonlyArray<string>) => Effect.succeed(ids.map(() => status)),
      blockhash: () => Effect.succeed({ isValid: true, slot: finalized }),
      send: sendTo(sentAt)
    }
    const economy = yield* makeSolanaEconomy({
      address,
      balance: Effect.succeed(10n ** 9n),
      transfers,
      price: Effect.succeed(1n),
      settings
    })
    const own = simFeePayer.sign(verified)
    if (isStored && own !== undefined) yield* transfers.prepare(verified.payment.authorizationKey, own, 1n)
    const { settle } = yield* makeSelfHostedSvm({
      node,
      nodes: [node, { send: sendTo(toAnother) }],
      feePayer: simFeePayer,
      transfers,
      economy,
      wasTried: () => Effect.succeed(true),
      finalityFrom: finalityFrom ?? settings.finalityFrom,
      lookup: () => Effect.succeed(found)
    })
    const settled = settle(verified, { transaction: null, since: 1 })
    const waiting = yield* Effect.fork(
      isSetBack ? Effect.flatMap(setBack, (clock) => Effect.withClock(settled, clock)) : settled
    )
    while (Option.isNone(yield* Fiber.poll(waiting))) {
      yield* TestClock.adjust("50 millis")
      yield* Effect.promise(() => new Promise(setImmediate))
    }
    const outcome = yield* Fiber.join(waiting)
    return {
      outcome,
      after: (yield* Clock.currentTimeMillis) - NOW,
      sentAt,
      toAnother,
      id: own?.id,
      verified
    }
  }).pipe(Effect.scoped, Effect.provide(memoryDatabase))

describe("a payment on Solana that is sent by us", () => {
  it.effect("is sent at once, by whoever stored it, and again every two seconds while no node has it", () =>
    Effect.gen(function* () {
      const { sentAt, toAnother } = yield* settling({ status: UNSEEN })
      expect(sentAt[0]).toBe(0)
      expect(sentAt.length).toBeGreaterThan(6)
      sentAt.slice(1).forEach((at, index) => expect(at - (sentAt[index] ?? 0)).toBeGreaterThanOrEqual(2_000))
      // Again by every node: the preferred one may have passed it on to nobody.
      expect(toAnother).toEqual(sentAt.slice(1))
      // Whoever stored it sends it: two do not at once.
      const second = yield* settling({ status: UNSEEN, isStored: true })
      expect(second.sentAt[0]).toBeGreaterThanOrEqual(2_000)
    })
  )

  it.effect("is settled as soon as it has landed, and a large one when its slot is final", () =>
    Effect.gen(function* () {
      const landed = yield* settling({ status: LANDED })
      expect(landed.outcome).toEqual(settledOnSolana(landed.verified, landed.id ?? "", 900))
      expect(landed.after).toBeLessThan(100)
      const final = yield* settling({ status: LANDED, finalityFrom: 1n, finalized: 900 })
      expect(final.outcome.state).toBe("settled")
      const young = yield* settling({ status: LANDED, finalityFrom: 1n, finalized: 899 })
      expect(young.outcome).toEqual(open(young.id))
    })
  )

  it.effect("that failed where it landed is what the whole question says of it, at once", () =>
    Effect.gen(function* () {
      const { after, outcome } = yield* settling({ status: FAILED, found: voided })
      expect(outcome).toEqual(voided)
      expect(after).toBeLessThan(1_000)
    })
  )

  it.effect("is asked about as a whole after eight seconds: what that proves is told, and nothing else", () =>
    Effect.gen(function* () {
      const { verified } = yield* payment
      const elsewhere = settledOnSolana(verified, "elsewhere", 900)
      for (const status of [UNSEEN, PENDING])
        for (const found of [voided, elsewhere]) {
          const { after, outcome } = yield* settling({ status, found })
          expect(outcome).toEqual(found)
          expect([after > 8_000, after < 9_000]).toEqual([true, true])
        }
      const large = { status: UNSEEN, found: elsewhere, finalityFrom: 1n }
      expect((yield* settling({ ...large, finalized: 900 })).outcome).toEqual(elsewhere)
      expect((yield* settling({ ...large, finalized: 899 })).outcome.state).toBe("open")
    })
  )

  it.effect("of which nothing is known after 24 seconds is open under its own id", () =>
    Effect.gen(function* () {
      const { after, id, outcome } = yield* settling({ status: PENDING })
      expect(outcome).toEqual(open(id))
      expect([after > 24_000, after < 25_000]).toEqual([true, true])
    })
  )

  it.effect("is not waited for until a clock that was set back is where it was", () =>
    Effect.gen(function* () {
      const { after, id, outcome } = yield* settling({ status: PENDING, isSetBack: true })
      expect(outcome).toEqual(open(id))
      expect(after).toBeLessThan(25_000)
    })
  )
})
