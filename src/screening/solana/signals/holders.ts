import type { Judgement } from "../../../domain/signal.ts"
import { fail, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaEvidence } from "../evidence.ts"
import type { HolderFacts } from "../power/holders.ts"
import type { SolanaSignal } from "./shared.ts"
import { acceptedOfListed, percent } from "./shared.ts"

const DOMINANT_SHARE = 0.5

/** Steps of the largest holder and of the ten largest (F1, E1: TokenSafe's 5/10/15/25 and 10/20/25). */
const LARGEST_STEPS = [
  [0.3, 20],
  [0.2, 12],
  [0.1, 6]
] as const
const TOP_TEN_STEPS = [
  [0.8, 25],
  [0.5, 18],
  [0.3, 8]
] as const
const INSIDER_STEPS = [
  [0.3, 20],
  [0.1, 10]
] as const

const step = (share: number, steps: ReadonlyArray<readonly [number, number]>): number =>
  steps.find(([least]) => share > least)?.[1] ?? 0

const ofHolders =
  (judge: (facts: HolderFacts) => Judgement) =>
  ({ holders, trusted }: SolanaEvidence): Judgement => {
    if (trusted !== null) return acceptedOfListed("Large balances are custody and reserves")
    return holders.known ? judge(holders.value) : unknown(`Holders unknown: ${holders.why}.`)
  }

/** Concentration, counted once: the largest holder and the top ten are two views of the same balances. */
export const holderSignals: ReadonlyArray<SolanaSignal> = [
  {
    id: "DOMINANT_HOLDER",
    source: "solana-rpc",
    reads: "largest balance outside pools, curves, lockers and burn addresses",
    group: "holders",
    hard: false,
    critical: true,
    points: 40,
    unknownPoints: 15,
    judge: ofHolders(({ largest }) =>
      largest >= DOMINANT_SHARE
        ? fail(`One party holds ${percent(largest)} of the supply outside pools.`)
        : pass(`The largest party holds ${percent(largest)} of the supply outside pools.`)
    )
  },
  {
    id: "HOLDER_CONCENTRATION",
    source: "solana-rpc",
    reads: "largest and ten largest balances outside pools, curves, lockers and burn addresses",
    group: "holders",
    hard: false,
    critical: false,
    points: 25,
    unknownPoints: 12,
    judge: ofHolders(({ largest, topTen }) => {
      const points = Math.max(step(largest, LARGEST_STEPS), step(topTen, TOP_TEN_STEPS))
      const words = `The largest party holds ${percent(largest)}, the ten largest ${percent(topTen)} of the supply.`
      return points === 0 ? pass(words) : fail(words, { points })
    })
  },
  {
    id: "UNKNOWN_PROGRAM_HOLDS",
    source: "solana-rpc",
    reads: "balances under addresses of programs that are not known pools or lockers",
    hard: false,
    critical: false,
    points: 8,
    unknownPoints: 4,
    judge: ofHolders(({ unknownPrograms }) =>
      unknownPrograms > 0.05
        ? fail(`${percent(unknownPrograms)} of the supply lies under programs we do not know.`)
        : pass("Little or nothing lies under programs we do not know.")
    )
  },
  {
    id: "INSIDER_HOLDINGS",
    source: "rugcheck",
    reads: "RugCheck's top holders marked as insiders",
    hard: false,
    critical: false,
    points: 20,
    unknownPoints: 4,
    judge: ofHolders(({ insiders }) => {
      if (insiders === null) return unknown("RugCheck did not say which holders are insiders.")
      const points = step(insiders, INSIDER_STEPS)
      const words = `Accounts tied to insiders hold ${percent(insiders)} of the supply.`
      return points === 0 ? pass(words) : fail(words, { points })
    })
  }
]
