import { Clock, Effect } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { RecentEvidence } from "../../payment/ledger/ledger.ts"
import type { Evidence, Height, Sighting } from "../../payment/outcome.ts"
import type { ChainView } from "../../payment/verifier/payment-verifier.ts"
import { PaymentVerifier } from "../../payment/verifier/payment-verifier.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { lossesAt } from "../paid-record.ts"
import type { Kept } from "./kept.ts"
import { makeKeptPayments, makeKeptSightings } from "./kept.ts"
import { ReceivingAccounts } from "./receiving-accounts.ts"

/** Where a transfer is now that is not where it was recorded; undefined where that is in doubt. */
export type Whereabouts = Evidence | { readonly absent: Sighting } | undefined

/** Looks a transfer up in its account's list, from before where it was recorded up to the chain's head. */
export type Trace = (
  evidence: Evidence,
  view: Pick<ChainView, "head" | "final">
) => Effect.Effect<Whereabouts, UpstreamError>

/** How far a reorganisation may move a transfer down, in blocks or slots. */
export const MOST_MOVED: Height = 1_000

/** Accounts are looked at again whatever their balance: what was lost may come back while nobody looks. */
const makeSettle = (network: Network, trace: Trace) =>
  Effect.gen(function* () {
    const accounts = yield* ReceivingAccounts

    const settle = Effect.fnUntraced(function* (
      kept: Kept,
      recent: RecentEvidence,
      isGone: boolean,
      view: ChainView
    ) {
      const { authorizationKey: claimant, evidence } = recent
      const now = yield* trace(evidence, view)
      // A list without it proves nothing while the node cannot say what is in its place.
      if (now === undefined || ("absent" in now && !isGone)) return
      // In a refund the merchant is the payer.
      for (const owner of [evidence.payTo, evidence.payer]) yield* accounts.again(network, owner)
      if (!("absent" in now)) return yield* kept.moved(recent, now)
      if (!(yield* kept.lost(recent, { kind: "absent", seen: now.absent }))) return
      yield* Effect.logError("a wallet's transfer was lost to a reorganisation").pipe(
        Effect.annotateLogs({ claimant })
      )
    })

    return (kept: Kept, recent: RecentEvidence, isGone: boolean, view: ChainView) =>
      settle(kept, recent, isGone, view).pipe(
        Effect.catchTag("UpstreamError", ({ detail, kind }) =>
          Effect.logWarning("a transfer was not looked for").pipe(
            Effect.annotateLogs({ claimant: recent.authorizationKey, kind, detail })
          )
        ),
        Effect.catchAllDefect((defect) =>
          Effect.annotateLogs(Effect.logError("a look for a transfer died", defect), {
            claimant: recent.authorizationKey
          })
        )
      )
  })

/**
 * Looks after wallets' transfers whose blocks are not final, as the sale looks after its own: each is final in the end,
 * or found in another block, or lost by proof. What is lost, of the sale's transfers too, no longer counts for its
 * checkout. Asks the chain for nothing while no transfer is recent.
 */
export const makeStanding = (network: Network, trace: Trace) =>
  Effect.gen(function* () {
    const verifier = yield* PaymentVerifier
    const repo = yield* CheckoutRepo
    const settle = yield* makeSettle(network, trace)
    const all = [yield* makeKeptPayments, yield* makeKeptSightings]

    const look = (kept: Kept) =>
      Effect.gen(function* () {
        const recent = yield* kept.recent(network)
        if (recent.length === 0) return
        const view = yield* verifier.view(network)
        const deep = recent.filter(({ evidence }) => evidence.height <= view.final)
        if (deep.length === 0) return
        const held = yield* view.holds(deep.map(({ evidence }) => evidence))
        yield* kept.final(deep.filter((_, at) => held[at] === true))
        for (const [at, one] of deep.entries())
          if (held[at] !== true) yield* settle(kept, one, held[at] === false, view)
      })

    return Effect.gen(function* () {
      yield* Effect.forEach(all, look, { discard: true })
      const now = yield* Clock.currentTimeMillis
      yield* repo.lose(yield* repo.losses(network), now, lossesAt(now))
    })
  })
