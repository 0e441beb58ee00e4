import { Clock, Effect } from "effect"
import { atNow } from "../../../domain/now.ts"
import { span } from "../../../domain/span.ts"
import { open, type SettlementOutcome } from "../../outcome.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import type { Begun, Settle } from "../../verifier/payment-verifier.ts"
import type { Examination } from "../../verifier/svm/examine.ts"
import { settledOnSolana } from "../../verifier/svm/lookup.ts"
import type { SolanaNode } from "../../verifier/svm/node.ts"
import { transactionOf } from "../../verifier/svm/transaction.ts"
import { openWhereUnable } from "../unable.ts"
import { driveTransfers } from "./drive.ts"
import type { SolanaEconomy } from "./economy.ts"
import type { FeePayer, SignedTransfer } from "./fee-payer.ts"
import { type Landing, makeLandings } from "./landings.ts"
import { makePace, type Pace } from "./pace.ts"
import { makeSend, RESEND, type Send } from "./send.ts"
import type { OpenTransfer, Prepared, Transfers } from "./transfers.ts"

/** How long a caller waits. The sending goes on without them. */
const PATIENCE = 24_000
/** How often the whole question is asked while a caller waits, in milliseconds. */
const LOOKUP = 8_000

interface SelfHostedOptions {
  readonly node: SolanaNode
  /** Each by itself, where `node` is whichever answers. */
  readonly nodes: ReadonlyArray<Pick<SolanaNode, "send">>
  readonly feePayer: FeePayer
  readonly transfers: Transfers
  readonly economy: SolanaEconomy
  /** Whether a node has just tried what is about to be sent: it need not try it again. */
  readonly wasTried: Examination["wasTried"]
  /** From this amount on (smallest units) a payment counts only in a finalized slot. */
  readonly finalityFrom: bigint
  /** Asks the chain what became of what we did not see ourselves. */
  readonly lookup: Settle
}

interface Parts extends SelfHostedOptions {
  readonly send: Send
  readonly pace: Pace
  readonly noteLanded: (landing: Landing) => Effect.Effect<void>
}

/** One payment on its way. */
interface Sending {
  readonly verified: VerifiedPayment
  readonly begun: Begun
  readonly transfer: OpenTransfer
}

/** Whether a landed transfer counts by now: small sums at once, large ones in a finalized slot. */
const counts = (
  { finalityFrom, node }: Pick<Parts, "finalityFrom" | "node">,
  { payment, requirements }: VerifiedPayment,
  slot: number
) => {
  if (BigInt(requirements.amount) < finalityFrom) return Effect.succeed(true)
  const message = payment.scheme === "svm" ? transactionOf(payment.svm)?.message : undefined
  return Effect.map(
    node.blockhash(message?.lifetimeToken ?? "", "finalized"),
    (finalized) => finalized.slot >= slot
  )
}

/** One look: an outcome, `"unseen"` where the node has nothing of it, or `undefined` while nothing is known. */
const look = Effect.fnUntraced(
  function* (parts: Parts, { begun, transfer, verified }: Sending) {
    const { slot, state } = yield* parts.node.status(transfer.id)
    if (state === "landed" && slot !== undefined && (yield* counts(parts, verified, slot))) {
      yield* parts.noteLanded(transfer)
      return settledOnSolana(verified, transfer.id, slot)
    }
    if (state === "failed") return yield* parts.lookup(verified, begun)
    return state === "unseen" ? state : undefined
  },
  Effect.orElseSucceed(() => undefined)
)

/** The whole question, for what no look at the status shows; `undefined` where it has no answer that counts. */
const ask = Effect.fnUntraced(function* (parts: Parts, { begun, verified }: Sending) {
  const outcome = yield* parts.lookup(verified, begun)
  if (outcome.state === "void") return outcome
  if (outcome.state === "open") return undefined
  return (yield* counts(parts, verified, outcome.evidence.height)) ? outcome : undefined
})

const wait = Effect.fnUntraced(function* (parts: Parts, sending: Sending) {
  const { pace, send } = parts
  const started = yield* Clock.currentTimeMillis
  let [asked, sent] = [started, started]
  for (let looks = 0; ; looks++) {
    yield* pace.untilLook(looks)
    const found = yield* look(parts, sending)
    if (looks === 0) pace.learn(typeof found === "object")
    if (typeof found === "object" && found.state !== "open") return found
    const now = yield* Clock.currentTimeMillis
    // A clock that was set back must put off neither the end nor the next sending.
    if (Math.abs(now - started) > PATIENCE) return open(sending.transfer.id)
    if (found === "unseen" && Math.abs(now - sent) >= RESEND) {
      sent = now
      yield* send.again(sending.transfer)
    }
    if (Math.abs(now - asked) <= LOOKUP) continue
    asked = now
    const outcome = yield* ask(parts, sending)
    if (outcome !== undefined) return outcome
  }
})

/** What is found was stored by an earlier call. */
const asPrepared = (found: SignedTransfer | undefined): Prepared | undefined =>
  found && { ...found, isFirst: false }

const attempt = Effect.fnUntraced(function* (parts: Parts, verified: VerifiedPayment, begun: Begun) {
  const { economy, feePayer, send, transfers, wasTried } = parts
  const { authorizationKey } = verified.payment
  const signed = feePayer.sign(verified)
  const fee = yield* economy.feeOf(verified)
  const stored =
    signed === undefined
      ? yield* Effect.map(transfers.find(authorizationKey), asPrepared)
      : yield* economy.prepare(authorizationKey, signed, fee)
  if (stored === undefined) return open(begun.transaction ?? undefined)
  const { id, isFirst, wire } = stored
  const transfer = yield* atNow((createdAt): OpenTransfer => ({
    id,
    wire,
    authorizationKey,
    state: "prepared",
    createdAt
  }))
  yield* isFirst ? send.first(transfer, { preflight: !(yield* wasTried(verified)) }) : send.again(transfer)
  return yield* wait(parts, { verified, begun, transfer })
})

/**
 * Settlement of Solana payments with our own fee payer: the signed bytes are stored, then sent again and again until
 * they landed or their blockhash is dead, by whichever process runs.
 */
export const makeSelfHostedSvm = Effect.fnUntraced(function* (options: SelfHostedOptions) {
  const { node, nodes, transfers } = options
  const send = makeSend(node, nodes, transfers)
  yield* driveTransfers({ node, transfers, send })
  const parts: Parts = { ...options, send, pace: makePace(), noteLanded: makeLandings(transfers) }

  const settle: Settle = (verified, begun): Effect.Effect<SettlementOutcome> =>
    attempt(parts, verified, begun).pipe(openWhereUnable("Solana", begun), span("SolanaSettler.settle"))
  return { settle }
})
