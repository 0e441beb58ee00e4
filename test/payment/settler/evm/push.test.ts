import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { Attempt, Slot } from "../../../../src/payment/settler/evm/job.ts"
import type { Address } from "../../../../src/payment/settler/evm/journal.ts"
import { makePush, makeSubmit, type Taken } from "../../../../src/payment/settler/evm/push.ts"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"

const START = 1_800_000_000_000
const GWEI = 1_000_000_000n
const account = evmAccount("pushed settler")
const address: Address = `0x${account.address.slice(2).toLowerCase()}`

const job: Slot["jobs"][number] = {
  authorizationKey: "key",
  asset: `0x${"11".repeat(20)}`,
  data: "0x00",
  gas: 90_000n,
  payer: `0x${"22".repeat(20)}`,
  nonce: `0x${"33".repeat(32)}`,
  payTo: `0x${"44".repeat(20)}`,
  amount: 5_000n,
  validBefore: START / 1_000 + 60,
  alone: false
}

const attempt = (change: Partial<Attempt>): Attempt => ({
  hash: `0x${"55".repeat(32)}`,
  raw: "0x02",
  kind: "payment",
  maxFee: GWEI / 50n,
  tip: 1_000_000n,
  createdAt: START,
  sentAt: START,
  ...change
})

/** What is done for a nonce with this attempt at this moment: what was stored, what was sent, and what was noted as sent. */
const pushed = (
  last: Attempt,
  now = START,
  baseFee = GWEI / 200n,
  hasRoom = true,
  taken: Taken = new Set()
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const stored: Array<Attempt["kind"]> = []
    const most: Array<bigint> = []
    const sent: Array<string> = []
    const noted: Array<string> = []
    const push = makePush({
      account,
      address,
      taken,
      node: {
        sendToAll: (raw) => Effect.sync(() => ({ answer: "taken" as const, detail: String(sent.push(raw)) }))
      },
      journal: {
        sent: (_, nonce, hash) => Effect.sync(() => void noted.push(`${nonce} ${hash}`)),
        replace: ({ attempt: { kind }, mostFee }) =>
          Effect.sync(() => {
            if (kind === "payment" && !hasRoom) return { state: "beyond", keys: [job.authorizationKey] }
            stored.push(kind)
            most.push(mostFee)
            return { state: "stored" }
          })
      }
    })
    const slot: Slot = {
      nonce: 3,
      state: "broadcast",
      gas: 120_000n,
      bound: GWEI,
      windowEnd: START + 60_000,
      createdAt: START,
      inclusion: undefined,
      attempts: [last],
      jobs: [job]
    }
    const market = { baseFee, tip: 1_000_000n, height: 1, dataFee: 0n }
    yield* push(slot, { market, price: 3_000_000_000n })
    return { stored, most, noted, sent: sent.length, isSame: sent[0] === last.raw }
  })

describe("a nonce that no block holds", () => {
  it.effect(
    "is left alone, then sent again, then replaced for more, and cancelled before its window ends",
    () =>
      Effect.gen(function* () {
        const last = attempt({})
        expect(yield* pushed(last, START + 1_000)).toMatchObject({ stored: [], sent: 0 })
        expect(yield* pushed(last, START + 5_000)).toMatchObject({ stored: [], sent: 1, isSame: true })
        // It is long in coming, and still offers enough for the next block.
        expect(yield* pushed(last, START + 7_000)).toMatchObject({ stored: [], sent: 1, isSame: true })
        expect(yield* pushed(last, START + 13_000)).toMatchObject({ stored: ["payment"], isSame: false })
        expect(yield* pushed(last, START + 7_000, GWEI / 10n)).toMatchObject({ stored: ["payment"] })
        expect(yield* pushed(last, START + 13_000, 2n * GWEI)).toMatchObject({ stored: ["cancel"] })
        expect(yield* pushed(last, START + 59_000)).toMatchObject({ stored: ["cancel"] })
      })
  )

  it.effect(
    "is not replaced for more than the budgets of its payments have left, and cancelled in the end",
    () =>
      Effect.gen(function* () {
        const last = attempt({})
        const without = (now: number, baseFee?: bigint) => pushed(last, now, baseFee, false)
        // It may still land by what it offers: it is sent again, and nothing dearer is signed.
        expect(yield* without(START + 13_000)).toMatchObject({ stored: [], sent: 1, isSame: true })
        // It cannot, and it stands in the way of every later nonce.
        expect(yield* without(START + 13_000, GWEI / 10n)).toMatchObject({ stored: ["cancel"] })
      })
  )

  it.effect("says what a replacement may cost at most: all its gas at the highest fee", () =>
    Effect.gen(function* () {
      const { most } = yield* pushed(attempt({}), START + 13_000)
      // 120,000 gas at 9/8 of 0.02 gwei and a wei, ether at 3,000 USD.
      expect(most).toEqual([8_101n])
    })
  )

  it.effect("is sent again a while after it was sent last, and soon where no node has taken it", () =>
    Effect.gen(function* () {
      expect(yield* pushed(attempt({ sentAt: START + 3_000 }), START + 5_000)).toMatchObject({ sent: 0 })
      expect(yield* pushed(attempt({ sentAt: null }), START + 500)).toMatchObject({ sent: 0 })
      expect(yield* pushed(attempt({ sentAt: null }), START + 1_500)).toMatchObject({ sent: 1, isSame: true })
    })
  )

  it.effect("is written down as sent once, where a node has it, and then not sent again at once", () =>
    Effect.gen(function* () {
      const last = attempt({ sentAt: null })
      const taken: Taken = new Set([last.hash])
      const { noted, sent } = yield* pushed(last, START + 1_500, undefined, undefined, taken)
      expect({ noted, sent, taken: [...taken] }).toEqual({ noted: [`3 ${last.hash}`], sent: 0, taken: [] })
    })
  )

  it.effect("is with a node that took it, and may be with one that did not answer", () =>
    Effect.gen(function* () {
      const { hash, raw } = attempt({})
      const takenAt = (answer: "taken" | "unknown" | "nonce" | "refused") =>
        Effect.gen(function* () {
          const taken: Taken = new Set()
          yield* makeSubmit(() => Effect.succeed({ answer, detail: "" }), taken)(3, { hash, raw })
          return taken.has(hash)
        })
      const answers = ["taken", "unknown", "nonce", "refused"] as const
      expect(yield* Effect.forEach(answers, takenAt)).toEqual([true, true, false, false])
    })
  )

  it.effect("stays cancelled once it is: for more where it is stuck, and for no more than a dollar", () =>
    Effect.gen(function* () {
      const cancel = (change: Partial<Attempt>) => attempt({ kind: "cancel", ...change })
      const late = { createdAt: START + 60_000, sentAt: START + 60_000 }
      expect(yield* pushed(cancel(late), START + 61_000)).toMatchObject({ stored: [], sent: 0 })
      expect(yield* pushed(cancel({}), START + 7_000)).toMatchObject({ stored: [], sent: 1, isSame: true })
      expect(yield* pushed(cancel({}), START + 13_000)).toMatchObject({ stored: ["cancel"], isSame: false })
      // 21,000 gas cost a dollar at 15.9 gwei, with ether at 3,000 USD.
      expect(yield* pushed(cancel({ maxFee: 14n * GWEI }), START + 13_000)).toMatchObject({
        stored: ["cancel"]
      })
      expect(yield* pushed(cancel({ maxFee: 15n * GWEI }), START + 13_000)).toMatchObject({
        stored: [],
        sent: 1,
        isSame: true
      })
    })
  )

  it.effect("is not held up by a clock that ran ahead when it was written", () =>
    Effect.gen(function* () {
      const ahead = attempt({ createdAt: START + 3_600_000, sentAt: START + 3_600_000 })
      expect(yield* pushed(ahead)).toMatchObject({ stored: ["payment"], sent: 1 })
      const little = attempt({ createdAt: START + 200, sentAt: START + 200 })
      expect(yield* pushed(little)).toMatchObject({ stored: [], sent: 0 })
    })
  )
})
