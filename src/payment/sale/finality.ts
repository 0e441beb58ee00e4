import { Duration, Effect, Layer, Option, Schedule } from "effect"
import { BASE_NETWORK, type Network, SOLANA_NETWORK } from "../../domain/chain.ts"
import { tellingTrouble } from "../../domain/trouble.ts"
import { Ledger, type RecentEvidence } from "../ledger/ledger.ts"
import { type Evidence, evidenceKey, type Height, type VoidProof } from "../outcome.ts"
import { countEvent } from "../settler/metrics.ts"
import { type ChainView, PaymentVerifier } from "../verifier/payment-verifier.ts"
import { holdsForGood } from "./proofs.ts"

const INTERVAL = Duration.seconds(4)
/**
 * How far below the head a transfer is looked for at every round: reorganisations are seen there, and their payments'
 * windows are still open. What is deeper is looked at once more, when its block is final.
 */
const RECENT: Readonly<Record<Network, Height>> = { [BASE_NETWORK]: 10, [SOLANA_NETWORK]: 64 }
/** Transfers asked about at once, each by a few reads. */
const CONCURRENCY = 4

const isSame = (a: Evidence, b: Evidence): boolean =>
  evidenceKey(a) === evidenceKey(b) && a.blockHash === b.blockHash && a.height === b.height

interface Parts {
  readonly ledger: Ledger["Type"]
  readonly verifier: PaymentVerifier["Type"]
}

const lost = Effect.fnUntraced(function* (
  { ledger }: Parts,
  { authorizationKey, evidence }: RecentEvidence,
  proof: VoidProof
) {
  if (!(yield* ledger.lost(authorizationKey, evidence, proof))) return
  yield* countEvent("lost")
  yield* Effect.logError("a sold payment was lost to a reorganisation", { payment: authorizationKey })
})

/** A transfer that is not where it was recorded: where it is now, or sent again, or lost by proof. */
const find = Effect.fnUntraced(function* (parts: Parts, recent: RecentEvidence, view: ChainView) {
  const { ledger, verifier } = parts
  const { authorizationKey, evidence } = recent
  const row = yield* ledger.sold(authorizationKey)
  if (Option.isNone(row)) return
  const { verified, since } = row.value
  const begun = { transaction: evidence.transaction, since }
  const seen = yield* verifier.lookupOnChain(verified, begun)
  // The answer is sold, so the same authorization is sent again: it moves the money at most once.
  const now = seen.state === "open" ? yield* verifier.settle(verified, begun) : seen
  if (now.state === "settled" && !isSame(evidence, now.evidence)) {
    yield* ledger.moved(authorizationKey, evidence, now.evidence)
  }
  if (now.state === "void" && (yield* holdsForGood(now.proof, evidence, view))) {
    yield* lost(parts, recent, now.proof)
  }
})

/** Closes what is in a final block, page by page; what is not where it was recorded. */
const look = Effect.fnUntraced(function* ({ ledger }: Parts, network: Network, view: ChainView) {
  const gone: Array<RecentEvidence> = []
  let last: RecentEvidence | undefined
  while (true) {
    const page = yield* ledger.recent(network, view.head - RECENT[network], view.final, last)
    if (page.length === 0) return gone
    last = page.at(-1)
    const held = yield* view.holds(page.map(({ evidence }) => evidence))
    const settled = page.filter(({ evidence }, at) => held[at] === true && evidence.height <= view.final)
    yield* ledger.final(settled.map(({ evidence }) => evidence))
    gone.push(...page.filter((_, at) => held[at] === false))
  }
})

const pass = (parts: Parts, network: Network) =>
  Effect.gen(function* () {
    if ((yield* parts.ledger.recent(network, 0, 0)).length === 0) return
    const view = yield* parts.verifier.view(network)
    const gone = yield* look(parts, network, view)
    yield* Effect.forEach(gone, (one) => Effect.ignoreLogged(find(parts, one, view)), {
      concurrency: CONCURRENCY,
      discard: true
    })
  }).pipe(Effect.withSpan("Finality.pass", { attributes: { network } }))

const make = Effect.gen(function* () {
  const parts: Parts = { ledger: yield* Ledger, verifier: yield* PaymentVerifier }
  for (const network of [BASE_NETWORK, SOLANA_NETWORK] as const) {
    const telling = tellingTrouble(`looking whether what was paid on ${network} is final`)
    yield* Effect.ignoreLogged(telling(pass(parts, network))).pipe(
      Effect.repeat(Schedule.spaced(INTERVAL)),
      Effect.delay(INTERVAL),
      Effect.forkScoped
    )
  }
})

/**
 * Looks after transfers whose answers are sold until their blocks are final: one that a reorganisation took away is
 * sent again while its window allows, and counted and named as lost, by proof, when it never can land any more.
 * Requires `PaymentVerifier` and `Ledger`.
 */
export const FinalityLive = Layer.scopedDiscard(make)
