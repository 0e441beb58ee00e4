import { createHash } from "node:crypto"
import { Clock, Effect, Random } from "effect"
import { SolanaAddress } from "../../../domain/address.ts"
import { toBase58 } from "../../../domain/base58.ts"
import { isOnCurve } from "../../../domain/ed25519-point.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL } from "../addresses.ts"
import { clockOf } from "../reads/clock.ts"
import { factOf } from "../reads/fetch.ts"
import type { Reads, Upstreams } from "../reads/reads.ts"
import { candidatesOf, holdersToTry } from "./candidates.ts"
import type { ExitFacts, Sale, Tried } from "./exit-facts.ts"
import { freshSale, holderCount, withControl, worstOf } from "./exit-facts.ts"
import { outcomeOf } from "./outcome.ts"
import type { Need } from "./payers.ts"
import { payerAmong, payerFor } from "./payers.ts"
import { learn } from "./proven.ts"
import type { Candidate, Holder, Trial } from "./trial.ts"
import { holderSale, holderTransfer, onward, RENT, roundTrip } from "./trial.ts"

/** Rent of what the payer opens, and fees. Lamports. */
const PAYERS_RESERVE = 5n * RENT

/** A wallet nobody can have seen before: its address exists only for this trial. */
const freshWallet: Effect.Effect<SolanaAddress> = Effect.gen(function* () {
  for (;;) {
    const seed = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
    const more = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
    const bytes = createHash("sha256").update(`${seed} ${more}`).digest()
    if (isOnCurve(bytes)) return SolanaAddress.make(toBase58(bytes))
  }
})

const attempt = (up: Upstreams, trial: Trial): Effect.Effect<Tried> =>
  Effect.map(
    factOf(up.rpc.simulate(trial.wire, trial.watch), "the node does not simulate transactions"),
    (answer) => ({ trial, outcome: outcomeOf(trial, answer) })
  )

const attemptAll = (
  up: Upstreams,
  trials: ReadonlyArray<Trial | null>
): Effect.Effect<ReadonlyArray<Tried | null>> =>
  Effect.forEach(trials, (trial) => (trial === null ? Effect.succeed(null) : attempt(up, trial)), {
    concurrency: "unbounded"
  })

interface Fresh {
  readonly candidate: Candidate
  readonly sale: Sale
}

/** Who pays for a trial: a configured account, else a holder of the token who is rich enough in SOL. */
const findPayer = (up: Upstreams, reads: Reads, mint: SolanaAddress, need: Need): SolanaAddress | null => {
  // An operator who names nobody wants no trials.
  if (up.payers.length === 0) return null
  const holders = holdersToTry(reads, mint).map(({ owner }) => owner)
  return payerFor(up.payers, reads.book, need) ?? payerAmong(holders, reads.book, need)
}

const UNFUNDED: Sale = { kind: "untried", why: "no account on this node can pay for a trial" }
const TOO_LONG: Sale = { kind: "untried", why: "the trade does not fit one transaction" }

const tryFresh = Effect.fn("SolanaPlan.tryFresh")(function* (
  up: Upstreams,
  reads: Reads,
  mint: SolanaAddress,
  candidate: Candidate
) {
  const { most, place } = candidate
  const payer = findPayer(up, reads, mint, {
    lamports: PAYERS_RESERVE + (place.quote === WSOL ? most : 0n),
    quote: place.quote,
    amount: most
  })
  if (payer === null) return { candidate, sale: UNFUNDED }
  const [wallet, receiver] = [yield* freshWallet, yield* freshWallet]
  const trials = [roundTrip(candidate, payer, wallet), onward(candidate, payer, wallet, receiver)]
  const [back = null, on = null] = yield* attemptAll(up, trials)
  const result: Fresh = { candidate, sale: back === null ? TOO_LONG : freshSale(candidate, back, on) }
  return result
})

const tryHolders = Effect.fn("SolanaPlan.tryHolders")(function* (
  up: Upstreams,
  reads: Reads,
  mint: SolanaAddress,
  best: Candidate | undefined
) {
  const payer = findPayer(up, reads, mint, { lamports: PAYERS_RESERVE })
  const holders = holdersToTry(reads, mint)
  const [largest] = holders
  if (payer === null || largest === undefined || reads.reading.kind !== "mint") return []
  const { decimals, program, walk } = reads.reading.mint
  const token = {
    token: mint,
    tokenProgram: program === "token" ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    decimals
  }
  const receiver = yield* freshWallet
  const sales = best === undefined ? [] : holders.map((holder: Holder) => holderSale(best, payer, holder))
  // A hook asks for accounts of its own, which are not looked up.
  const canMove = walk.kind === "complete" && walk.extensions.transferHook?.programId == null
  const moves = canMove ? [holderTransfer(token, payer, largest, receiver)] : []
  const tried = yield* attemptAll(up, [...sales, ...moves])
  return tried.filter((one) => one !== null)
})

/**
 * Whether people can leave: a wallet nobody has seen buys, passes on and sells in the best pools, real holders sell and
 * move what they hold, all as the node simulates it. Runs beside the last wave of reads, in one round of calls.
 */
export const tryExits = Effect.fn("SolanaPlan.tryExits")(function* (
  up: Upstreams,
  reads: Reads,
  mint: SolanaAddress
) {
  const candidates = candidatesOf(reads, mint, clockOf(reads))
  const [best] = candidates
  const [fresh, holders] = yield* Effect.all(
    [
      Effect.forEach(candidates, (candidate) => tryFresh(up, reads, mint, candidate), {
        concurrency: "unbounded"
      }),
      tryHolders(up, reads, mint, best)
    ],
    { concurrency: "unbounded" }
  )
  const sold = fresh.flatMap(({ candidate, sale }) =>
    sale.kind === "sold" ? [candidate.place.pool.kind] : []
  )
  const holdersSold = holders.some(
    ({ outcome, trial }) => trial.kind === "holder-sale" && outcome.kind === "passed"
  )
  const kinds = holdersSold && best !== undefined ? [...sold, best.place.pool.kind] : sold
  const proven = yield* learn(up.proven, kinds, yield* Clock.currentTimeMillis)
  const works = ({ place }: Candidate): boolean => proven.has(place.pool.kind)
  const facts: ExitFacts = {
    fresh: worstOf(fresh.map(({ candidate, sale }) => withControl(sale, works(candidate)))),
    holders: holderCount(holders, best !== undefined && works(best))
  }
  return facts
})
