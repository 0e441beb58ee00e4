import { Clock, Context, Effect, Layer, Option } from "effect"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { formatUsd, parseUsd } from "../../domain/money.ts"
import type { PreparedRefund, RefundRequest } from "../../domain/refund.ts"
import { makeLease } from "../../storage/lease.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { CheckoutConflict, CheckoutInvalid, CheckoutNotFound } from "../errors.ts"
import { type Journal, journalOf } from "../journal.ts"
import { Randomness } from "../randomness.ts"
import { memoOfTerms } from "../solana/solana-pay.ts"
import { makeBaseRefunds } from "./base-refunds.ts"
import { type Chains, makeLooks, nextLook } from "./looking.ts"
import type { Refund } from "./refund.ts"
import { hasSigned, isSameAccount, payersOf, refundableTo } from "./refund.ts"
import { RefundRepo } from "./refund-repo.ts"
import { makeSolanaRefunds } from "./solana-refunds.ts"

/** Refunds one round looks for. */
const LOOKS_A_ROUND = 5
const LEASE_MILLIS = 60_000

export type RefundError = CheckoutNotFound | CheckoutConflict | CheckoutInvalid | UpstreamError

/** Money that goes back to whom it came from. The transaction is prepared here; the merchant signs and sends it. */
export class Refunds extends Context.Tag("token-risk/Refunds")<
  Refunds,
  {
    /**
     * The transaction that gives a checkout's money back to a payer. While an earlier one may still land, it is given
     * again instead of another.
     */
    readonly prepare: (id: string, request: RefundRequest) => Effect.Effect<PreparedRefund, RefundError>
    /** Looks for prepared refunds on chain and writes them into the journal. How many it looked for. */
    readonly find: Effect.Effect<number, UpstreamError>
  }
>() {}

const conflict = (message: string) => new CheckoutConflict({ message })
const usd = (amount: bigint) => `${formatUsd(amount)} USDC`

const payerFor = (
  journal: Journal,
  wanted: string | undefined
): Effect.Effect<string, CheckoutConflict | CheckoutInvalid> => {
  const payers = payersOf(journal)
  const [first, second] = payers
  if (first === undefined)
    return conflict(
      journal.received === 0n
        ? "nothing was received for this checkout"
        : "several accounts paid this checkout in one transaction: ask the buyer, and send the money back by hand"
    )
  if (wanted === undefined) {
    return second === undefined
      ? Effect.succeed(first)
      : conflict(`several accounts paid this checkout; name one as payer: ${payers.join(", ")}`)
  }
  const payer = payers.find((one) => isSameAccount(one, wanted))
  return payer === undefined
    ? new CheckoutInvalid({ field: "payer", message: "must be an account that paid this checkout" })
    : Effect.succeed(payer)
}

const amountFor = (
  refundable: bigint,
  amountUsd: string | undefined
): Effect.Effect<bigint, CheckoutConflict | CheckoutInvalid> => {
  if (refundable === 0n) return conflict("all that was received from this payer was refunded")
  const amount = amountUsd === undefined ? refundable : (parseUsd(amountUsd) ?? 0n)
  return amount > refundable
    ? new CheckoutInvalid({ field: "amountUsd", message: `must be at most ${formatUsd(refundable)}` })
    : Effect.succeed(amount)
}

const makeFound = (repo: CheckoutRepo["Type"]) =>
  Effect.fnUntraced(function* (id: string) {
    const checkout = yield* repo.find(id)
    return Option.isSome(checkout) ? checkout.value : yield* new CheckoutNotFound({ id })
  })

/** What the merchant is given of a refund; the same answer as long as it is the same refund. */
const makeShown = (chains: Chains) =>
  Effect.fnUntraced(function* (refund: Refund, terms: CheckoutTerms) {
    const { call, transaction } = yield* chains[terms.network].unsigned(refund, terms)
    return {
      refundId: refund.id,
      checkoutId: refund.checkoutId,
      network: terms.network,
      from: terms.payTo,
      to: refund.payer,
      amount: refund.amount.toString(),
      transaction,
      call,
      memo: terms.network === SOLANA_NETWORK ? memoOfTerms(terms) : null
    } satisfies PreparedRefund
  })

/** What a merchant can do who wants another refund in place of one that may still land. */
const wayOut = ({ lifetime, validUntil }: Refund, isToSend: boolean): string => {
  const send = isToSend ? "send it, or first" : "do not send it, but"
  if (validUntil !== null) return `: ${isToSend ? "" : "do not send it, and "}ask again in about a minute`
  if (lifetime === "") return isToSend ? "" : ": do not send it"
  return `: ${send} something else with its nonce, ${lifetime}`
}

/**
 * The refund to this payer that may still land, if another one is asked for in the same words, and while as much may still
 * go back: a wallet's own transfer may have taken its place, or a reorganisation what came in.
 */
const again = (
  open: Refund,
  refundable: bigint,
  { amountUsd }: RefundRequest
): Effect.Effect<Refund, CheckoutConflict> => {
  const prepared = `a refund of ${usd(open.amount)} to this payer is prepared`
  if (open.amount > refundable)
    return conflict(`${prepared}, and by now ${usd(refundable)} may go back${wayOut(open, false)}`)
  return amountUsd === undefined || parseUsd(amountUsd) === open.amount
    ? Effect.succeed(open)
    : conflict(`${prepared} and may still be sent${wayOut(open, true)}`)
}

/**
 * A wallet's own transfer shows who held the tokens, not who paid: where that is a contract nobody has heard of, the
 * merchant says whether money goes back there.
 */
const requireNamed = (payer: string, isKeyless: boolean): Effect.Effect<void, CheckoutConflict> =>
  isKeyless
    ? conflict(
        `the money came from ${payer}, a contract or program, which may be a pool or an exchange: ask the buyer, and name it as payer to refund it there`
      )
    : Effect.void

const make = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const refunds = yield* RefundRepo
  const randomness = yield* Randomness
  const { base, solana } = yield* ChainRpc
  const lease = yield* makeLease("checkout-refunds", LEASE_MILLIS)
  const chains = {
    [BASE_NETWORK]: makeBaseRefunds(base),
    [SOLANA_NETWORK]: makeSolanaRefunds(solana, repo.findByReferences)
  }
  const found = makeFound(repo)
  const { look, lookLate } = yield* makeLooks(chains)
  const shown = makeShown(chains)

  const prepare = Effect.fn("Refunds.prepare")(function* (id: string, request: RefundRequest) {
    const { terms } = yield* found(id)
    for (const refund of yield* refunds.open(id)) yield* look(refund, terms)
    for (const refund of yield* refunds.ended(id)) yield* lookLate(refund, terms)
    const open = yield* refunds.open(id)
    const journal = journalOf(terms, yield* repo.transfers(id))
    const payer = yield* payerFor(journal, request.payer)
    const earlier = open.find((refund) => isSameAccount(refund.payer, payer))
    const refundable = refundableTo(journal, payer, open)
    if (earlier !== undefined) return yield* shown(yield* again(earlier, refundable, request), terms)
    const amount = yield* amountFor(refundable, request.amountUsd)
    if (request.payer === undefined && !hasSigned(journal, payer))
      yield* requireNamed(payer, yield* chains[terms.network].isKeyless(payer))
    const refund: Refund = {
      id: `ref_${(yield* randomness.bytes(16)).toString("hex")}`,
      checkoutId: id,
      payer,
      amount,
      ...(yield* chains[terms.network].anchor(terms)),
      state: "open",
      preparedAt: yield* Clock.currentTimeMillis
    }
    // A refund that cannot be built is not written down: it would stand in the way of one that can.
    const prepared = yield* shown(refund, terms)
    const gone = journal.entries.filter(({ via }) => via === "refund").length
    if (yield* refunds.insert(refund, { open, gone })) return prepared
    return yield* conflict("another refund of this checkout was prepared or sent meanwhile; ask again")
  })

  const putOff = (refund: Refund) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => refunds.looked(refund, refund, nextLook(refund, now)))

  /** One that no node tells anything of, or that dies, goes to the end of the queue: it holds up no other. */
  const lookFor = (refund: Refund) =>
    Effect.flatMap(found(refund.checkoutId), ({ terms }) => look(refund, terms)).pipe(
      Effect.catchAll((error) =>
        Effect.logWarning("a refund was not looked for").pipe(
          Effect.annotateLogs({ outcome: error._tag }),
          Effect.zipRight(putOff(refund))
        )
      ),
      Effect.catchAllDefect((defect) =>
        Effect.logError("a look for a refund died", defect).pipe(
          Effect.annotateLogs({ refund: refund.id }),
          Effect.zipRight(putOff(refund))
        )
      )
    )

  const find = Effect.gen(function* () {
    if (!(yield* lease.hold)) return 0
    const due = yield* refunds.due(yield* Clock.currentTimeMillis, LOOKS_A_ROUND)
    yield* Effect.forEach(due, lookFor, { discard: true })
    return due.length
  }).pipe(Effect.withSpan("Refunds.find"))

  return Refunds.of({ prepare, find })
})

/** Refunds on the chains of `BASE_RPC_URL` and `SOLANA_RPC_URL`, kept in the service's database. */
export const RefundsLive = Layer.scoped(Refunds, make)
