import { Duration, Effect, Option } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { type Evidence, open, type SettlementOutcome } from "../../outcome.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import { unwrap } from "../../verifier/evm/examine.ts"
import { asHex, transferCall } from "../../verifier/evm/usdc.ts"
import type { Begun, Settle } from "../../verifier/payment-verifier.ts"
import type { Job, JobResult } from "./job.ts"
import type { SettlementJournal } from "./journal.ts"
import type { makePreflight, Preflight } from "./preflight.ts"
import type { Senders } from "./senders.ts"
import { openWhereUnable } from "../unable.ts"
import { span } from "../../../domain/span.ts"

/** How long a caller waits for a block. The sending goes on without them. */
const PATIENCE = Duration.seconds(18)
/** A transaction that was included without the transfer is followed by one more try in the same wait. */
const TRIES = 2

interface SettleOptions {
  readonly preflight: ReturnType<typeof makePreflight>
  readonly journal: SettlementJournal["Type"]
  readonly senders: Senders
  /** Asks the chain. */
  readonly ask: Settle
}

const lower = (text: string) => asHex(text.toLowerCase())

const jobOf = (
  { payer, payment, requirements }: VerifiedPayment,
  { alone, gas }: Preflight
): Job | undefined => {
  if (payment.scheme !== "eip3009") return undefined
  const { nonce, validBefore } = payment.evm.authorization
  return {
    authorizationKey: payment.authorizationKey,
    asset: lower(requirements.asset),
    data: transferCall(unwrap(payment.evm)),
    payer: lower(payer),
    nonce: lower(nonce),
    payTo: lower(requirements.payTo),
    amount: BigInt(requirements.amount),
    validBefore: Number(validBefore),
    gas,
    alone
  }
}

const settledBy = ({ payer, requirements }: VerifiedPayment, evidence: Evidence): SettlementOutcome => ({
  state: "settled",
  evidence: { ...evidence, payer, payTo: requirements.payTo }
})

/** What the journal knows of a payment; `undefined` for one that was never handed over. */
const resultIn = (journal: SettlementJournal["Type"], { payment }: VerifiedPayment) =>
  Effect.map(journal.find(payment.authorizationKey), (found) => Option.getOrUndefined(found)?.result)

/** Sends a transfer that is not in flight. A refusal may mean that somebody else's transaction did it. */
const send = ({ preflight, senders }: SettleOptions, verified: VerifiedPayment, isStored: boolean) =>
  Effect.flatMap(preflight(verified), (estimated): Effect.Effect<JobResult, UpstreamError> => {
    const job = jobOf(verified, estimated)
    return job === undefined
      ? Effect.succeed({ state: "pending", transaction: undefined, isSent: false })
      : senders.settle({ job, isStored }, PATIENCE)
  }).pipe(Effect.catchTag("Reverted", ({ reason }) => Effect.succeed<JobResult>({ state: "failed", reason })))

/**
 * What the journal has seen in a block needs no node, so it can be told even while no node answers. Otherwise asks the
 * chain with what the journal knows.
 */
const makeLookup =
  ({ ask, journal }: SettleOptions): Settle =>
  (verified, begun) =>
    Effect.gen(function* () {
      const known = yield* resultIn(journal, verified)
      if (known?.state === "landed") return settledBy(verified, known.evidence)
      const sent = known?.state === "pending" ? known.transaction : undefined
      return yield* ask(verified, { ...begun, transaction: sent ?? begun.transaction })
    }).pipe(Effect.catchAll(() => Effect.succeed(open(begun.transaction ?? undefined))))

/** Settlement of EIP-3009 payments with our own keys. */
export const makeBaseSettle = (options: SettleOptions) => {
  const { journal, senders } = options
  const lookup = makeLookup(options)

  const conclude = (
    verified: VerifiedPayment,
    begun: Begun,
    result: JobResult
  ): Effect.Effect<SettlementOutcome> => {
    switch (result.state) {
      case "landed":
        return Effect.succeed(settledBy(verified, result.evidence))
      case "pending":
        return Effect.succeed(open(result.transaction))
      case "failed":
      case "expired":
        return Effect.map(lookup(verified, begun), (found) =>
          found.state === "open" && result.state === "failed" ? { ...found, isRefusedNow: true } : found
        )
    }
  }

  const attempt: (
    verified: VerifiedPayment,
    begun: Begun,
    tries: number
  ) => Effect.Effect<SettlementOutcome, UpstreamError> = Effect.fnUntraced(
    function* (verified, begun, tries) {
      // Should another process have handed it over all the same, it is found when the signed bytes are stored.
      const known = begun.isNew === true && tries === TRIES ? undefined : yield* resultIn(journal, verified)
      const result =
        known?.state === "landed"
          ? known
          : known?.state === "pending"
            ? yield* senders.join(verified.payment.authorizationKey, PATIENCE)
            : yield* send(options, verified, known !== undefined)
      const outcome = yield* conclude(verified, begun, result)
      const isWorthMore = outcome.state === "open" && result.state === "failed" && tries > 1
      return isWorthMore ? yield* attempt(verified, begun, tries - 1) : outcome
    }
  )

  const settle: Settle = (verified, begun) =>
    attempt(verified, begun, TRIES).pipe(openWhereUnable("Base", begun), span("BaseSettler.settle"))

  return { settle, lookup }
}
