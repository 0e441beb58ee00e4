import { Clock, Duration, Effect, Metric, Schedule } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { open, type SettlementOutcome } from "../../outcome.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import type { Begun, Settle } from "../../verifier/payment-verifier.ts"
import { settledOnSolana } from "../../verifier/svm/lookup.ts"
import type { SolanaNode } from "../../verifier/svm/node.ts"
import { decodeTransaction } from "../../verifier/svm/transaction.ts"
import { feesPaid, settlementSeconds } from "../metrics.ts"
import type { SolanaEconomy } from "./economy.ts"
import type { FeePayer } from "./fee-payer.ts"
import type { OpenTransfer, Transfers } from "./transfers.ts"

/** How long a caller waits. The sending goes on without them. */
const PATIENCE = 24_000
/** Nodes forget transactions, and nobody else sends this one. */
const RESEND = 2_000
/** How often the whole question is asked while a caller waits, in milliseconds. */
const LOOKUP = 8_000
/** Milliseconds after which no node sends a transfer on: a blockhash lives 150 blocks, 60 to 90 seconds. */
const LIFE = 180_000
/** Between two looks at what nobody waits for. */
const LOOK = Duration.seconds(2)
const PRUNE = Duration.hours(1)
const KEEP = Duration.toMillis(Duration.days(30))

interface SelfHostedOptions {
  readonly node: SolanaNode
  readonly feePayer: FeePayer
  readonly transfers: Transfers
  readonly economy: SolanaEconomy
  /** From this amount on (smallest units) a payment counts only in a finalized slot. */
  readonly finalityFrom: bigint
  /** Asks the chain what became of what we did not see ourselves. */
  readonly lookup: Settle
}

type Parts = SelfHostedOptions

const send = (
  { node, transfers }: Parts,
  transfer: Pick<OpenTransfer, "authorizationKey" | "wire">,
  preflight: boolean
) =>
  Effect.gen(function* () {
    if (!(yield* transfers.takeTurn(transfer.authorizationKey, RESEND))) return
    // A refusal or a lost answer says nothing: another node may have it.
    yield* Effect.catchAll(node.send(transfer.wire, { preflight }), ({ detail, kind }) =>
      Effect.logWarning("Solana did not take a settlement", kind, detail)
    )
    yield* transfers.setState(transfer.authorizationKey, "broadcast")
  })

/** Whether a landed transfer counts by now: small sums at once, large ones in a finalized slot. */
const counts = (
  { finalityFrom, node }: Pick<Parts, "finalityFrom" | "node">,
  verified: VerifiedPayment,
  slot: number
) => {
  const { payment, requirements } = verified
  if (BigInt(requirements.amount) < finalityFrom) return Effect.succeed(true)
  const message = payment.scheme === "svm" ? decodeTransaction(payment.svm.transaction)?.message : undefined
  return Effect.map(
    node.blockhash(message?.lifetimeToken ?? "", "finalized"),
    (finalized) => finalized.slot >= slot
  )
}

const noteLanded = ({ economy, transfers }: Parts, verified: VerifiedPayment, since: number) =>
  Effect.gen(function* () {
    yield* transfers.setState(verified.payment.authorizationKey, "included")
    const fee = Metric.tagged(feesPaid, "network", SOLANA_NETWORK)
    yield* Metric.incrementBy(fee, Number(yield* economy.feeOf(verified)))
    const latency = Metric.tagged(settlementSeconds, "network", SOLANA_NETWORK)
    yield* Metric.update(latency, ((yield* Clock.currentTimeMillis) - since) / 1_000)
  })

/** One look; `undefined` while nothing is known. */
const look = (parts: Parts, verified: VerifiedPayment, begun: Begun, transfer: OpenTransfer) =>
  Effect.gen(function* () {
    const { slot, state } = yield* parts.node.status(transfer.id)
    if (state === "landed" && slot !== undefined && (yield* counts(parts, verified, slot))) {
      yield* noteLanded(parts, verified, transfer.createdAt)
      return settledOnSolana(verified, transfer.id, slot)
    }
    if (state === "failed") return yield* parts.lookup(verified, begun)
    if (state === "unseen") yield* send(parts, transfer, false)
    return undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

const wait = (parts: Parts, verified: VerifiedPayment, begun: Begun, transfer: OpenTransfer) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    let asked = started
    for (let tick = 0; ; tick++) {
      const found = yield* look(parts, verified, begun, transfer)
      if (found !== undefined && found.state !== "open") return found
      const now = yield* Clock.currentTimeMillis
      if (now - started > PATIENCE) return open(transfer.id)
      if (now - asked > LOOKUP) {
        asked = now
        const outcome = yield* parts.lookup(verified, begun)
        if (outcome.state === "void") return outcome
        if (outcome.state === "settled" && (yield* counts(parts, verified, outcome.evidence.height)))
          return outcome
      }
      yield* Effect.sleep(tick < 8 ? "250 millis" : "500 millis")
    }
  })

const attempt = (parts: Parts, verified: VerifiedPayment, begun: Begun) =>
  Effect.gen(function* () {
    const { economy, feePayer, transfers } = parts
    const { authorizationKey } = verified.payment
    const signed = feePayer.sign(verified)
    const stored =
      signed === undefined
        ? yield* transfers.find(authorizationKey)
        : yield* transfers.prepare(authorizationKey, signed, yield* economy.feeOf(verified))
    if (stored === undefined) return open(begun.transaction ?? undefined)
    const createdAt = yield* Clock.currentTimeMillis
    const transfer: OpenTransfer = { ...stored, authorizationKey, state: "prepared", createdAt }
    yield* send(parts, transfer, true)
    return yield* wait(parts, verified, begun, transfer)
  })

/** Sends on what may still land, and closes what is final or past its life. Outcomes are the ledger's business. */
const drive = (parts: Parts, transfer: OpenTransfer): Effect.Effect<void, UpstreamError> =>
  Effect.gen(function* () {
    const age = (yield* Clock.currentTimeMillis) - transfer.createdAt
    const { state } = yield* parts.node.status(transfer.id)
    if (state === "unseen" && age < LIFE) return yield* send(parts, transfer, false)
    if (age >= LIFE) {
      const isLanded = state === "landed" || state === "failed"
      yield* isLanded
        ? parts.transfers.setState(transfer.authorizationKey, "final")
        : parts.transfers.close(transfer.authorizationKey)
    }
  })

const repeatedly = (effect: Effect.Effect<unknown, UpstreamError>, every: Duration.Duration) =>
  Effect.ignoreLogged(effect).pipe(Effect.repeat(Schedule.spaced(every)), Effect.forkScoped)

/**
 * Settlement of Solana payments with our own fee payer: the signed bytes are stored, then sent again and again until
 * they landed or their blockhash is dead, by whichever process runs.
 */
export const makeSelfHostedSvm = (parts: SelfHostedOptions) =>
  Effect.gen(function* () {
    const { transfers } = parts
    const driveAll = Effect.flatMap(transfers.unfinished, (all) =>
      Effect.forEach(all, (transfer) => Effect.ignoreLogged(drive(parts, transfer)), {
        concurrency: 4,
        discard: true
      })
    )
    yield* repeatedly(driveAll, LOOK)
    yield* repeatedly(Effect.delay(transfers.prune(KEEP), PRUNE), Duration.zero)

    const settle: Settle = (verified, begun): Effect.Effect<SettlementOutcome> =>
      attempt(parts, verified, begun).pipe(
        Effect.catchAll(({ detail, upstream }) =>
          Effect.as(
            Effect.logError("cannot settle on Solana", upstream, detail),
            open(begun.transaction ?? undefined)
          )
        ),
        Effect.withSpan("SolanaSettler.settle")
      )
    return { settle }
  })
