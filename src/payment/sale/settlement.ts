import { Context, Effect, Layer, Schedule } from "effect"
import { PaymentRejected, PaymentUnresolved } from "../../domain/errors.ts"
import type { SettlementResponse } from "../../domain/x402.ts"
import { LedgerLive } from "../ledger/ledger-live.ts"
import { type Driven, Ledger } from "../ledger/ledger.ts"
import { type Evidence, open, type SettlementOutcome, type VoidProof } from "../outcome.ts"
import { settlerConfig } from "../settler/settings.ts"
import { PaymentVerifier } from "../verifier/payment-verifier.ts"
import { makeHoldsForGood } from "./proofs.ts"
import type { Sold } from "./sale.ts"
import { span } from "../../domain/span.ts"

type Ended = Effect.Effect<Sold, PaymentRejected | PaymentUnresolved>

/** Moves rows out of "settling". Everything here runs where no caller's disconnect reaches it. */
export class Settlement extends Context.Tag("token-risk/Settlement")<
  Settlement,
  {
    /** Executes the transfer of a row that was just recorded, and records what became of it. */
    readonly execute: (row: Driven) => Ended
    /** Records a transfer that had happened before its row was written. */
    readonly recognise: (row: Driven, evidence: Evidence) => Ended
    /** Asks the chain first, and executes again only what is still open and wanted. */
    readonly resume: (row: Driven) => Ended
    /**
     * Asks the chain about a refused payment that might still land. When it did not, fails with the reason it was
     * refused for.
     */
    readonly reconsider: (row: Driven, reason: string) => Ended
    /** Asks the chain and records its answer; a row that is still open stays. */
    readonly reconcile: (row: Driven) => Effect.Effect<void>
  }
>() {}

const recording = Schedule.exponential("100 millis").pipe(Schedule.intersect(Schedule.recurs(6)))

/** Tries again what could not be written down. The schedule is begun by a failure only: sales seldom have one. */
const recorded = <A, E>(write: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.catchAll(write, () => Effect.delay(Effect.retry(write, recording), "50 millis"))

/** What everybody is told about a settled payment. */
const responseOf = ({ transaction, network, payer }: Evidence): SettlementResponse => ({
  success: true,
  transaction,
  network,
  payer
})

type Open = Extract<SettlementOutcome, { readonly state: "open" }>

const unresolved = ({ isRefusedNow, retryAfterSeconds, transaction }: Omit<Open, "state">) =>
  new PaymentUnresolved({
    retryAfterSeconds,
    ...(transaction === undefined ? {} : { transaction }),
    ...(isRefusedNow === true ? { isRefusedNow } : {})
  })

const rejected = ({ verified }: Driven, reason: string) =>
  new PaymentRejected({ reason, network: verified.payment.network, payer: verified.payer })

/** The proof that a transfer cannot settle this payment: it already paid for something else. */
const claimedElsewhere = ({ blockHash, height, index, transaction }: Evidence): VoidProof => ({
  kind: "nonce-used-elsewhere",
  transaction,
  index,
  seen: { node: "ledger", height, ...(blockHash === undefined ? {} : { blockHash }) }
})

/** Seconds after which a caller asks again for a transfer that must become final first. */
const FINALITY_RETRY = 15

/**
 * Whether a transfer counts where it is: a small sum at inclusion, from `SETTLEMENT_FINALITY_USD` on only where no
 * reorganisation takes it away, as one node that still holds it says. Whoever sent it and however it was found.
 */
const makeCounts =
  (verifier: PaymentVerifier["Type"], finalityFrom: bigint) =>
  (evidence: Evidence): Effect.Effect<boolean> =>
    BigInt(evidence.amount) < finalityFrom
      ? Effect.succeed(true)
      : verifier.view(evidence.network).pipe(
          Effect.flatMap(({ final, holds }) =>
            evidence.height > final
              ? Effect.succeed(false)
              : Effect.map(holds([evidence]), ([held]) => held === true)
          ),
          Effect.orElseSucceed(() => false)
        )

/** Writes an outcome down, and tells it as it was written. */
const makeRecord = (ledger: Ledger["Type"], verifier: PaymentVerifier["Type"], finalityFrom: bigint) => {
  const counts = makeCounts(verifier, finalityFrom)
  const holdsForGood = makeHoldsForGood(verifier)

  const recordVoid = (row: Driven, reason: string, proof: VoidProof): Ended =>
    // What cannot be written down now the reconciler writes later: it finds the same proof.
    Effect.flatMap(holdsForGood(row.verified, proof), (isForGood) =>
      recorded(ledger.refused(row.authorizationKey, reason, proof, isForGood))
    ).pipe(Effect.ignoreLogged, Effect.zipRight(Effect.fail(rejected(row, reason))))

  const recordCounted = (row: Driven, evidence: Evidence): Ended => {
    const settlement = responseOf(evidence)
    return ledger.settled(row.authorizationKey, settlement, evidence).pipe(
      recorded,
      Effect.mapError(() => unresolved({ transaction: settlement.transaction, retryAfterSeconds: 3 })),
      Effect.flatMap((outcome) =>
        outcome === "used-elsewhere"
          ? recordVoid(row, "payment_already_used", claimedElsewhere(evidence))
          : Effect.succeed<Sold>({ answer: row.answer, settlement, replayed: false })
      )
    )
  }

  const recordOpen = (row: Driven, outcome: Open): Ended =>
    ledger
      .unresolved(row.authorizationKey, outcome.transaction)
      .pipe(recorded, Effect.ignoreLogged, Effect.zipRight(Effect.fail(unresolved(outcome))))

  const recordSettled = (row: Driven, evidence: Evidence): Ended =>
    Effect.flatMap(counts(evidence), (isCounted) =>
      isCounted
        ? recordCounted(row, evidence)
        : recordOpen(row, {
            state: "open",
            transaction: evidence.transaction,
            retryAfterSeconds: FINALITY_RETRY
          })
    )

  const record =
    (row: Driven) =>
    (outcome: SettlementOutcome): Ended => {
      switch (outcome.state) {
        case "settled":
          return recordSettled(row, outcome.evidence)
        case "void":
          return recordVoid(row, outcome.reason, outcome.proof)
        case "open":
          return recordOpen(row, outcome)
      }
    }

  return { record, recordSettled }
}

const begun = ({ transaction, since }: Driven) => ({ transaction, since })

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const verifier = yield* PaymentVerifier
  const { finalityFrom } = yield* settlerConfig
  const { record, recordSettled } = makeRecord(ledger, verifier, finalityFrom)

  const execute = (row: Driven, isNew: boolean): Ended =>
    verifier.settle(row.verified, { ...begun(row), isNew }).pipe(
      // A verifier that fails with a defect says nothing about whether money moved.
      Effect.catchAllDefect((defect) => Effect.as(Effect.logError("settlement died", defect), open())),
      Effect.flatMap(record(row))
    )

  const lookup = (row: Driven) => verifier.lookup(row.verified, begun(row))

  const resume = (row: Driven): Ended =>
    Effect.flatMap(lookup(row), (found) =>
      found.state === "open" ? execute(row, false) : record(row)(found)
    )

  const reconsider = (row: Driven, reason: string): Ended =>
    Effect.flatMap(lookup(row), (found) => {
      switch (found.state) {
        case "settled":
          return recordSettled(row, found.evidence)
        case "void":
          return Effect.fail(rejected(row, reason))
        case "open":
          return Effect.fail(unresolved(found))
      }
    })

  return Settlement.of({
    execute: (row) => span("Settlement.execute")(execute(row, true)),
    recognise: Effect.fn("Settlement.recognise")(recordSettled),
    resume: Effect.fn("Settlement.resume")(resume),
    reconsider: Effect.fn("Settlement.reconsider")(reconsider),
    reconcile: Effect.fn("Settlement.reconcile")((row) =>
      Effect.ignore(Effect.flatMap(lookup(row), record(row)))
    )
  })
})

/**
 * Settlement over the ledger and the verifier. Reads `SETTLEMENT_FINALITY_USD`. Requires `PaymentVerifier` and
 * `SqlClient`; shares its `Ledger`.
 */
export const SettlementLive = Layer.effect(Settlement, make).pipe(Layer.provideMerge(LedgerLive))
