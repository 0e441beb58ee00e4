import { Clock, Effect } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { RecentEvidence } from "../../payment/ledger/ledger.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import type { Evidence, Height, Sighting } from "../../payment/outcome.ts"
import { countEvent } from "../../payment/settler/metrics.ts"
import type { ChainView } from "../../payment/verifier/payment-verifier.ts"
import { PaymentVerifier } from "../../payment/verifier/payment-verifier.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { lostMessage } from "../webhooks/events.ts"
import { ReceivingAccounts } from "./receiving-accounts.ts"

/** Where a transfer is that is not where it was recorded. Whoever is in doubt says undefined. */
export type Whereabouts = Evidence | { readonly absent: Sighting } | undefined

/** Looks a transfer up in its account's list, from before where it was recorded up to the chain's head. */
export type Trace = (
  evidence: Evidence,
  view: Pick<ChainView, "head" | "final">
) => Effect.Effect<Whereabouts, UpstreamError>

/** How far a reorganisation may move a transfer down, in blocks or slots. */
export const MOST_MOVED: Height = 1_000

/** An account is looked at again whatever its balance: what was lost may come back while nobody looks. */
const makeSettle = (network: Network, trace: Trace) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const accounts = yield* ReceivingAccounts

    const settle = Effect.fnUntraced(function* (
      { authorizationKey: claimant, evidence }: RecentEvidence,
      isGone: boolean,
      view: ChainView
    ) {
      const now = yield* trace(evidence, view)
      // That a list does not have it proves nothing while the node cannot say what is in its place.
      if (now === undefined || ("absent" in now && !isGone)) return
      yield* accounts.again(network, evidence.payTo)
      if (!("absent" in now)) return yield* Effect.asVoid(ledger.moved(claimant, evidence, now))
      if (!(yield* ledger.lost(claimant, evidence, { kind: "absent", seen: now.absent }))) return
      yield* countEvent("lost")
      yield* Effect.logError("a wallet's transfer was lost to a reorganisation").pipe(
        Effect.annotateLogs({ claimant })
      )
    })

    return (recent: RecentEvidence, isGone: boolean, view: ChainView) =>
      settle(recent, isGone, view).pipe(
        Effect.catchTag("UpstreamError", ({ detail, kind }) =>
          Effect.logWarning("a transfer was not looked for").pipe(
            Effect.annotateLogs({ claimant: recent.authorizationKey, kind, detail })
          )
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
    const ledger = yield* Ledger
    const verifier = yield* PaymentVerifier
    const repo = yield* CheckoutRepo
    const settle = yield* makeSettle(network, trace)

    const look = Effect.gen(function* () {
      const recent = yield* ledger.recentClaims(network)
      if (recent.length === 0) return
      const view = yield* verifier.view(network)
      const deep = recent.filter(({ evidence }) => evidence.height <= view.final)
      if (deep.length === 0) return
      const held = yield* view.holds(deep.map(({ evidence }) => evidence))
      yield* ledger.final(deep.filter((_, at) => held[at] === true).map(({ evidence }) => evidence))
      for (const [at, one] of deep.entries())
        if (held[at] !== true) yield* settle(one, held[at] === false, view)
    })

    return Effect.gen(function* () {
      yield* look
      const now = yield* Clock.currentTimeMillis
      yield* repo.lose(yield* ledger.losses(network), now, lostMessage(now))
    })
  })
