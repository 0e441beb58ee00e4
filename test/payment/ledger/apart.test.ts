/** What becomes of one payment is nothing to another, whatever state that one is in. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger, type NewClaim } from "../../../src/payment/ledger/ledger.ts"
import type { Evidence, VoidProof } from "../../../src/payment/outcome.ts"
import { longLease } from "../../support/payment/long-lease.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { closed, terms } from "../../support/payment/support.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { emptied } from "../../support/storage/tables.ts"

const cancelled: VoidProof = {
  kind: "nonce-cancelled",
  transaction: "0xabd",
  index: 0,
  seen: { node: "node", height: 9 }
}

/** The transfer of a payment, in a block of its own. */
const transferOf = (name: string, height = 8): Evidence => ({
  network: terms.network,
  transaction: `0x${name}`,
  index: 3,
  height,
  blockHash: `0xblock ${name} ${height}`,
  payer: "payer",
  payTo: terms.payTo,
  amount: "5000"
})

/** A payment in each state there is, by that state's name: what the ledger says of it, and whether it is watched. */
const STATES = {
  claimed: ["claimed", 0],
  "given back": ["claimed", 0],
  settling: ["settling", 1],
  open: ["settling", 1],
  settled: ["settled", 0],
  watched: ["refused", 1],
  refused: ["refused", 0]
} as const

const others = Effect.gen(function* () {
  const ledger = yield* Ledger
  const claims = new Map<string, NewClaim>()
  for (const name of Object.keys(STATES))
    claims.set(name, { ...(yield* newClaim), payer: name, identifier: `id of ${name}` })
  for (const [name, claim] of claims) {
    const key = claim.authorizationKey
    if (name === "claimed" || name === "given back") {
      yield* ledger.claim(claim)
      if (name === "given back") yield* ledger.release(key, "no usable result")
      continue
    }
    yield* ledger.begin(claim, `answer of ${name}`)
    if (name === "open") yield* ledger.unresolved(key, "0xopen")
    if (name === "settled") yield* ledger.settled(key, settlement, transferOf("settled"))
    if (name === "watched") yield* ledger.refused(key, "cancelled", cancelled, false)
    if (name === "refused") yield* ledger.refused(key, "closed", closed, true)
  }
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    payer: string
    state: string
    watched: number
  }>`SELECT payer, state, watched FROM payments`
  // Each move has moved its own payment alone.
  expect(Object.fromEntries(rows.map(({ payer, state, watched }) => [payer, [state, watched]]))).toEqual(
    STATES
  )
})

const PARTS = ["payments", "payment_evidence", "payment_events", "payment_identifiers"] as const

/** All that stands of payments but one. */
const standing = Effect.fnUntraced(function* (without: string) {
  const sql = yield* SqlClient.SqlClient
  const found: Array<object> = []
  for (const part of PARTS) {
    const key = sql.literal(part === "payment_evidence" ? "claimed_by" : "authorization_key")
    found.push(...(yield* sql<object>`SELECT * FROM ${sql(part)} WHERE ${key} <> ${without} ORDER BY ${key}`))
  }
  return found
})

/** One payment's ways through its states, move by move. */
const ways = ({ authorizationKey: key, ...rest }: NewClaim, ledger: Ledger["Type"]) => {
  const claim = { authorizationKey: key, ...rest }
  const [here, there] = [transferOf("one"), transferOf("one", 9)]
  return {
    "that it settled": [
      ledger.handedOver(claim),
      ledger.claim(claim),
      ledger.renew(key),
      ledger.release(key, "no usable result"),
      ledger.claim(claim),
      ledger.settling(key, "answer"),
      ledger.unresolved(key, "0xone"),
      ledger.takeOver(key),
      ledger.settled(key, settlement, here),
      ledger.moved(key, here, there),
      ledger.final([there])
    ],
    "that it was lost": [
      ledger.begin(claim, "answer"),
      ledger.settled(key, settlement, here),
      ledger.lost(key, here, cancelled)
    ],
    "that it was refused": [
      ledger.begin(claim, "answer"),
      ledger.refused(key, "cancelled", cancelled, false),
      ledger.refused(key, "closed", closed, true)
    ]
  }
}

describe.each(bothDatabases("apart"))("payments on %s", (_name, database) => {
  const ledger = LedgerLive.pipe(Layer.provideMerge(database), Layer.provideMerge(longLease))

  layer(ledger, { timeout: 120_000 })((it) => {
    it.effect("have no part in a transfer that another claims where it is seen now", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* others
        const sql = yield* SqlClient.SqlClient
        const { claimEvidence, final, lost } = yield* Ledger
        const by = "checkout one"
        const before = yield* standing(by)
        const place = Effect.map(
          sql<{
            standing: string
            height: number | string
            hash: string
          }>`SELECT standing, height, block_hash AS hash FROM payment_evidence WHERE claimed_by = ${by}`,
          (rows) => rows.map(({ hash, height, standing }) => [standing, Number(height), hash])
        )
        const at = (height: number) => transferOf("one", height)
        expect(yield* claimEvidence(at(8), by)).toBe(true)
        expect(yield* claimEvidence(at(9), by)).toBe(true)
        expect(yield* place).toEqual([["recent", 9, "0xblock one 9"]])
        // The same height in another block is another place, too.
        expect(yield* claimEvidence({ ...at(9), blockHash: "0xother" }, by)).toBe(true)
        expect(yield* place).toEqual([["recent", 9, "0xother"]])
        yield* lost(by, at(9), cancelled)
        expect(yield* place).toEqual([["lost", 9, "0xother"]])
        expect(yield* claimEvidence({ ...at(9), blockHash: "0xother" }, by)).toBe(true)
        expect(yield* place).toEqual([["recent", 9, "0xother"]])
        yield* final([at(9)])
        expect(yield* claimEvidence(at(10), by)).toBe(true)
        expect(yield* place).toEqual([["final", 9, "0xother"]])
        expect(yield* standing(by)).toEqual(before)
      })
    )

    for (const way of ["that it settled", "that it was lost", "that it was refused"] as const)
      it.effect(`have no part in what becomes of one: ${way}`, () =>
        Effect.gen(function* () {
          yield* emptied
          yield* others
          const claim: NewClaim = { ...(yield* newClaim), identifier: "its own id" }
          const before = yield* standing(claim.authorizationKey)
          for (const [step, move] of ways(claim, yield* Ledger)[way].entries()) {
            expect({ step, done: yield* move }).not.toMatchObject({ done: false })
            expect({ step, others: yield* standing(claim.authorizationKey) }).toEqual({
              step,
              others: before
            })
          }
        })
      )
  })
})
