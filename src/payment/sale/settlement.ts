import { Context, Effect, Layer, Schedule } from "effect"
import { PaymentRejected, PaymentUnresolved } from "../../domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../domain/x402.ts"
import { LedgerLive } from "../ledger/ledger-live.ts"
import { Ledger } from "../ledger/ledger.ts"
import type { SettleablePayment } from "../message/payment.ts"
import { PaymentVerifier } from "../verifier/payment-verifier.ts"
import type { Sold } from "./sale.ts"

/** A row in "settling" that this process drives. */
export interface Driven {
  readonly authorizationKey: string
  readonly payer: string
  readonly payment: SettleablePayment
  readonly requirements: PaymentRequirements
  readonly answer: string
  readonly transaction: string | null
}

/** Seconds a caller should wait before sending the same payment again. A Base block takes two, a Solana slot less. */
const RETRY_AFTER_SECONDS = 3

const unresolved = (transaction?: string) =>
  new PaymentUnresolved({
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(transaction === undefined ? {} : { transaction })
  })

type Outcome = Effect.Effect<Sold, PaymentRejected | PaymentUnresolved>

/** Moves rows out of "settling". Everything here runs where no caller's disconnect reaches it. */
export class Settlement extends Context.Tag("Settlement")<
  Settlement,
  {
    /** Executes the transfer of a row that was just recorded, and records what became of it. */
    readonly execute: (row: Driven) => Outcome
    /** Asks the chain first, and executes again only what is still open and wanted. */
    readonly resume: (row: Driven) => Outcome
    /** Asks the chain and records its answer; a row that is still open stays. */
    readonly reconcile: (row: Driven) => Effect.Effect<void>
  }
>() {}

const recording = Schedule.exponential("50 millis").pipe(Schedule.intersect(Schedule.recurs(7)))

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const verifier = yield* PaymentVerifier

  const recordSettled = (row: Driven, settlement: SettlementResponse): Outcome =>
    ledger.settled(row.authorizationKey, settlement).pipe(
      Effect.retry(recording),
      Effect.mapError(() => unresolved(settlement.transaction)),
      Effect.as<Sold>({ answer: row.answer, settlement, replayed: false })
    )

  const recordVoid = (row: Driven, rejected: PaymentRejected) =>
    // A row that cannot be freed now is freed by the reconciler: the transfer cannot happen any more.
    ledger
      .void(row.authorizationKey, rejected.reason)
      .pipe(Effect.retry(recording), Effect.ignoreLogged, Effect.zipRight(Effect.fail(rejected)))

  const recordUnresolved = (row: Driven, error: PaymentUnresolved) =>
    ledger
      .unresolved(row.authorizationKey, error.transaction)
      .pipe(Effect.retry(recording), Effect.ignoreLogged, Effect.zipRight(Effect.fail(error)))

  const execute = (row: Driven): Outcome =>
    verifier.settle(row.payment, row.requirements).pipe(
      // A verifier that dies has told nothing about the money.
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(Effect.logError("settlement died", defect), Effect.fail(unresolved()))
      ),
      Effect.matchEffect({
        onSuccess: (settlement) => recordSettled(row, settlement),
        onFailure: (error): Outcome =>
          error._tag === "PaymentRejected" ? recordVoid(row, error) : recordUnresolved(row, error)
      })
    )

  const fate = (row: Driven) =>
    verifier
      .lookup(row.payment, row.requirements, row.transaction)
      .pipe(Effect.catchAll(() => Effect.succeed({ state: "open" as const, known: false })))

  /** What the chain says, recorded; `open` is left to the caller. */
  const follow = (row: Driven, onOpen: Outcome): Outcome =>
    Effect.flatMap(fate(row), (found): Outcome => {
      const { network } = row.requirements
      switch (found.state) {
        case "settled":
          return recordSettled(row, {
            success: true,
            transaction: found.transaction,
            network,
            payer: row.payer
          })
        case "void":
          return recordVoid(row, new PaymentRejected({ reason: found.reason, network, payer: row.payer }))
        case "open":
          return "known" in found ? recordUnresolved(row, unresolved()) : onOpen
      }
    })

  return Settlement.of({
    execute: Effect.fn("Settlement.execute")(execute),
    resume: Effect.fn("Settlement.resume")((row) => follow(row, execute(row))),
    reconcile: Effect.fn("Settlement.reconcile")((row) =>
      Effect.ignore(follow(row, recordUnresolved(row, unresolved())))
    )
  })
})

/** Settlement over the ledger and the verifier. Requires `PaymentVerifier` and `SqlClient`; shares its `Ledger`. */
export const SettlementLive = Layer.effect(Settlement, make).pipe(Layer.provideMerge(LedgerLive))
