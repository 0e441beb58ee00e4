import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { lookUpOnSolana } from "../../../../src/payment/verifier/svm/lookup.ts"
import { VirtualTime } from "../../../simulation/clock.ts"
import { Dice } from "../../../simulation/dice.ts"
import { simFeePayer } from "../../../simulation/sim-solana.ts"
import { SimSolana } from "../../../simulation/solana-chain.ts"
import { solanaBuyer } from "../../../simulation/buyers.ts"
import {
  SEEN,
  nodeThat,
  payment,
  lookUp,
  LATE,
  voided,
  type Says
} from "../../../support/payment/svm-looks.ts"

describe("what became of a payment on Solana whose blockhash is gone", () => {
  it.effect("sent by us: void by a node whose statuses are past that slot, and open by one that lags", () =>
    Effect.gen(function* () {
      expect(yield* lookUp(LATE, "own")).toMatchObject(voided)
      // The node that says the blockhash is dead is ahead of its own statuses.
      expect(yield* lookUp({ ...LATE, statuses: 1_250, indexed: 1_250 }, "own")).toMatchObject({
        state: "open"
      })
      // The blockhash is dead at a slot that may still be taken back.
      expect(yield* lookUp({ ...LATE, finalized: 1_199 }, "own")).toMatchObject({ state: "open" })
    })
  )

  it.effect(
    "sent by us long ago: void by a node that keeps its history, or whose index shows everything since",
    () =>
      Effect.gen(function* () {
        const long = { finalized: 2_000, statuses: 2_010, indexed: 1_900 }
        expect(yield* lookUp(long, "own")).toMatchObject({ state: "open" })
        expect(yield* lookUp({ ...long, history: true }, "own")).toMatchObject({ state: "void" })
        expect(yield* lookUp({ ...long, indexed: 2_001 }, "own")).toMatchObject({ state: "void" })
      })
  )

  it.effect(
    "is open on a node that knows neither the blockhash nor the slot in which another one knew it",
    () =>
      Effect.gen(function* () {
        const behind = { finalized: SEEN + 20, statuses: SEEN + 52, indexed: SEEN + 52, isBehind: true }
        expect(yield* lookUp(behind, "own")).toMatchObject({ state: "open" })
        expect(yield* lookUp(behind, "facilitator")).toMatchObject({ state: "open" })
      })
  )

  it.effect("that landed with an error is void by its transaction, and one that landed is settled", () =>
    Effect.gen(function* () {
      const status = { slot: 1_100, err: { InstructionError: [2, { Custom: 1 }] } }
      expect(yield* lookUp({ ...LATE, status }, "own")).toMatchObject({
        state: "void",
        proof: { kind: "transaction-failed", seen: { height: 1_100 } }
      })
      expect(yield* lookUp({ ...LATE, status: { slot: 1_100, err: null } }, "own")).toMatchObject({
        state: "settled",
        evidence: { height: 1_100, index: 2 }
      })
    })
  )

  it.effect("sent by a facilitator: an index that is late has seen nothing, and is no proof", () =>
    Effect.gen(function* () {
      expect(yield* lookUp({ ...LATE, indexed: 1_259 }, "facilitator")).toMatchObject({ state: "open" })
      expect(yield* lookUp({ ...LATE, indexed: 1_260 }, "facilitator")).toMatchObject(voided)
    })
  )

  it.effect("of which a facilitator invented the transaction is looked for under any other", () =>
    Effect.gen(function* () {
      const { wire } = yield* payment
      const invented = "5".repeat(87)
      expect(yield* lookUp({ ...LATE, indexed: 1_259 }, "facilitator", invented)).toMatchObject({
        state: "open"
      })
      const transactions = [{ signature: "real", slot: 1_050, wire }]
      expect(yield* lookUp({ ...LATE, transactions }, "facilitator", invented)).toMatchObject({
        state: "settled",
        evidence: { transaction: "real", height: 1_050 }
      })
    })
  )

  it.effect(
    "is found however much its account has done since, and else open: one look does not read all of that",
    () =>
      Effect.gen(function* () {
        const { wire } = yield* payment
        const own = { signature: "own", slot: 1_020, wire }
        const late = { ...LATE, statuses: 9_000, indexed: 9_000 }
        const look = (transactions: NonNullable<Says["transactions"]>, says: Says = late) =>
          lookUp({ ...says, transactions }, "facilitator")
        for (const many of [300, 2_500]) {
          const others = Array.from({ length: many }, (_, at) => ({
            signature: `other ${at}`,
            slot: 5_000 - at,
            wire: "AAAA"
          }))
          expect(yield* look([...others, own])).toMatchObject({
            state: "settled",
            evidence: { transaction: "own" }
          })
          expect(yield* look(others)).toMatchObject(many > 300 ? { state: "open" } : voided)
        }
      })
  )

  it.effect(
    "is looked for bit by bit where its payer has filled the time it could land in, and nothing is read twice",
    () =>
      Effect.gen(function* () {
        const dust = Array.from({ length: 1_000 }, (_, at) => ({
          signature: `dust ${at}`,
          slot: SEEN + 2_000 - at,
          wire: "AAAA"
        }))
        let reads = 0
        const node = nodeThat({ ...LATE, statuses: 9_000, indexed: 9_000, transactions: dust }, (method) => {
          if (method === "getTransaction") reads += 1
        })
        const look = lookUpOnSolana([node], () => undefined)
        const { verified } = yield* payment
        const states: Array<string> = []
        for (let looks = 0; looks < 5; looks++)
          states.push((yield* look(verified, { transaction: null, since: SEEN })).state)
        expect(states).toEqual(["open", "open", "open", "void", "void"])
        expect(reads).toBe(1_000)
      })
  )

  it.effect("is hidden by no transaction of a version that we do not know", () =>
    Effect.gen(function* () {
      const { wire } = yield* payment
      const strange = { signature: "strange", slot: 1_010, wire: "AAAA", version: 1 }
      const own = { signature: "own", slot: 1_020, wire }
      const look = (transactions: Says["transactions"] = []) =>
        lookUp({ ...LATE, transactions }, "facilitator")
      expect(yield* look([strange])).toMatchObject(voided)
      expect(yield* look([own, strange])).toMatchObject({ state: "settled" })
    })
  )

  it.effect("is void however busy its account has been since the payment could last have landed", () =>
    Effect.gen(function* () {
      const busy = (count: number, first: number) =>
        Array.from({ length: count }, (_, at) => ({
          signature: `${first} ${at}`,
          slot: first + count - at,
          wire: "AAAA"
        }))
      const late = { ...LATE, statuses: 9_000, indexed: 9_000 }
      const look = (transactions: Says["transactions"] = []) =>
        lookUp({ ...late, transactions }, "facilitator")
      expect(yield* look(busy(2_500, SEEN + 3_000))).toMatchObject(voided)
      expect(yield* look([...busy(2_500, SEEN + 3_000), ...busy(301, SEEN)])).toMatchObject({ state: "open" })
      // Where nobody wrote down when it was seen unused, it can have landed at any time.
      const { wire } = yield* payment
      const transactions = [{ signature: "own", slot: 8_000, wire }]
      expect(
        yield* lookUp({ ...late, history: true, isYoung: true, transactions }, "facilitator", null, 0)
      ).toMatchObject({ state: "settled" })
    })
  )

  it.effect(
    "is found however few a page of its node's list has, and void only where that list is whole",
    () =>
      Effect.gen(function* () {
        const { wire } = yield* payment
        const others = Array.from({ length: 3 }, (_, at) => ({
          signature: `other ${at}`,
          slot: 1_250 - at,
          wire: "AAAA"
        }))
        const own = { signature: "own", slot: 1_020, wire }
        const look = (transactions: Says["transactions"] = [], history = true) =>
          lookUp({ ...LATE, isYoung: true, history, transactions, most: 2 }, "facilitator")
        expect(yield* look([...others, own])).toMatchObject({ state: "settled" })
        expect(yield* look(others)).toMatchObject(voided)
        // A node that has forgotten older blocks lists none of their transactions.
        expect(yield* look(others, false)).toMatchObject({ state: "open" })
        const forgetful = {
          ...LATE,
          history: true,
          transactions: [...others, own],
          most: 2,
          isForgetful: true
        }
        expect(yield* lookUp(forgetful, "facilitator")).toMatchObject({ state: "open" })
      })
  )

  it.effect("is not settled by a transaction of somebody else that a facilitator names", () =>
    Effect.gen(function* () {
      const dice = new Dice(8)
      const chain = new SimSolana(dice, new VirtualTime(1_800_000_000_000))
      const other = yield* Effect.promise(() => solanaBuyer(dice, 2, chain, simFeePayer.address))
      const wire = other.payment.scheme === "svm" ? other.payment.svm.transaction : ""
      const transactions = [{ signature: "another's", slot: 1_050, wire }]
      const status = { slot: 1_050, err: null }
      const says = { ...LATE, finalized: 1_100, transactions, status }
      expect(yield* lookUp(says, "facilitator", "another's")).toMatchObject({ state: "open" })
    })
  )

  it.effect(
    "is found in what a stranger's fee payer sent: the message is the payment, whoever signs for the fee",
    () =>
      Effect.gen(function* () {
        const { wire } = yield* payment
        const transactions = [{ signature: "stranger's", slot: 1_020, wire }]
        expect(yield* lookUp({ ...LATE, transactions }, "facilitator")).toMatchObject({
          state: "settled",
          evidence: { transaction: "stranger's", height: 1_020 }
        })
      })
  )
})
