import type { Judgement } from "../../../domain/signal.ts"
import { critical, fail, minor, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaEvidence } from "../evidence.ts"
import type { Exit, HolderFacts } from "../power/exits.ts"
import type { SolanaSignal } from "./shared.ts"
import { acceptedOfListed, mayBeOneHand, percent, signal } from "./shared.ts"

/** One party from this share on can end the market, if the pools cannot take its sale. */
const DOMINANT_SHARE = 0.25
/** Several parties that act as one. */
const GROUP_SHARE = 0.2
/** The twenty largest hold nearly everything. */
const CLOSED_CIRCLE = 0.8
/**
 * So few wallets with so much, all those that a node lists too, are what one party's supply looks like once it has been cut
 * in uneven pieces. One that is cut in more of them looks like a crowd's, which nothing read here tells apart.
 */
const FEW = {
  three: 0.4,
  ten: 0.5,
  listed: 0.6
} as const

/** Price left after a sale, against now: below these it has broken. */
const HALVED = 0.5
const QUARTERED = 0.25
const ENDED = 0.1

/** Steps of the largest holder and of the ten largest; they count only where their sale would halve the price. */
const LARGEST_STEPS = [
  [0.2, 15],
  [0.1, 8]
] as const
const TOP_TEN_STEPS = [
  [0.7, 22],
  [0.5, 15],
  [0.3, 8]
] as const
const INSIDER_STEPS = [[0.05, 10]] as const

const step = (share: number, steps: ReadonlyArray<readonly [number, number]>): number =>
  steps.find(([least]) => share > least)?.[1] ?? 0

/** Where no pool's depth is known, nothing says that the market could take the sale. */
const fallsBelow = ({ priceAfter }: Exit, limit: number): boolean => priceAfter === null || priceAfter < limit

const after = ({ priceAfter }: Exit): string =>
  priceAfter === null
    ? "no pool's depth is known"
    : `its sale would leave ${percent(priceAfter)} of the price`

const ends = (exit: Exit, least: number): boolean => exit.share >= least && fallsBelow(exit, QUARTERED)

/** The few largest may hold so much that they would end the market together. */
const fewOf = ({ possible: { listed, topTen, topThree } }: HolderFacts): Exit | null => {
  if (ends(topThree, FEW.three)) return topThree
  if (ends(topTen, FEW.ten)) return topTen
  return ends(listed, FEW.listed) ? listed : null
}

const isGroup = (exit: Exit): boolean => exit.share >= GROUP_SHARE && fallsBelow(exit, HALVED)

const isDominant = (exit: Exit): boolean => exit.share >= DOMINANT_SHARE && fallsBelow(exit, HALVED)

const ofHolders =
  (judge: (facts: HolderFacts) => Judgement) =>
  ({ holders, trusted }: SolanaEvidence): Judgement => {
    if (trusted !== null) return acceptedOfListed("Large balances are custody and reserves")
    return holders.known ? judge(holders.value) : unknown(`Holders unknown: ${holders.why}.`)
  }

/** So many wallets tied to one another are a plan, whatever the tied ones are said to hold. */
const MANY_TIED = 10

const tiedWallets = ({ rugCheck }: SolanaEvidence): number =>
  rugCheck.known ? Math.round(rugCheck.value?.graphInsidersDetected ?? 0) : 0

/** What happens if they leave. One group with the liquidity's owners: all of them look at the same exits. */
export const holderSignals: ReadonlyArray<SolanaSignal> = [
  signal("DOMINANT_HOLDER", critical(40, 15, "exit"), {
    reads: "largest party by share outside pools and burn addresses, and the price after it has sold all",
    judge: ofHolders(({ largest, possible }) => {
      const words = `The largest party holds ${percent(largest.share)} of what is outside pools; ${after(largest)}.`
      if (isDominant(largest)) return fail(words)
      return isDominant(possible.largest)
        ? unknown(
            `One party may hold ${percent(possible.largest.share)} of what is outside pools: whose a part of it is could not be told.`
          )
        : pass(words)
    })
  }),
  signal("INSIDER_GROUP", critical(40, 10, "exit"), {
    reads: "creators' balances, and RugCheck's insiders, networks and creator balance, as one party",
    judge: ofHolders(({ insiders, possible }) => {
      const words = `Creators and insiders hold ${percent(insiders.share)} of what is outside pools; ${after(insiders)}.`
      if (isGroup(insiders)) return fail(words)
      return isGroup(possible.insiders)
        ? unknown(
            `Creators and insiders may hold ${percent(possible.insiders.share)} of what is outside pools: whose a part of it is could not be told.`
          )
        : pass(words)
    })
  }),
  signal("SPLIT_SUPPLY", critical(38, 10, "exit"), {
    reads: "ten and more of the largest balances of nearly one size, and the price after they have sold",
    judge: ofHolders(({ pieces }) => {
      if (pieces === null) return pass("The largest balances differ in size.")
      const words = `${pieces.count} of the largest balances are of one size; ${after(pieces)}.`
      return fallsBelow(pieces, ENDED) ? fail(words) : pass(words)
    })
  }),
  signal("CLOSED_CIRCLE", critical(38, 10, "exit"), {
    reads:
      "share of all listed parties together, in a young market of the three and the ten largest too, and the price after they have sold",
    judge: (evidence) =>
      ofHolders((facts) => {
        const { listed, possible } = facts
        const words = `The largest parties together hold ${percent(listed.share)} of what is outside pools; ${after(listed)}.`
        if (ends(listed, CLOSED_CIRCLE)) return fail(words)
        if (ends(possible.listed, CLOSED_CIRCLE))
          return unknown(
            `The largest parties may hold ${percent(possible.listed.share)} of what is outside pools: whose a part of it is could not be told.`
          )
        const few = mayBeOneHand(evidence) ? fewOf(facts) : null
        return few === null
          ? pass(words)
          : unknown(
              `A few wallets, which may all be one party's, hold ${percent(few.share)} of what is outside pools; ${after(few)}.`
            )
      })(evidence)
  }),
  signal("HOLDER_CONCENTRATION", minor(25, 12, "exit"), {
    reads: "largest and ten largest parties by share outside pools and burn addresses",
    judge: ofHolders(({ largest, topTen }) => {
      const largestPoints = fallsBelow(largest, HALVED) ? step(largest.share, LARGEST_STEPS) : 0
      const topPoints = fallsBelow(topTen, HALVED) ? step(topTen.share, TOP_TEN_STEPS) : 0
      const points = Math.max(largestPoints, topPoints)
      const words = `The ten largest parties hold ${percent(topTen.share)} of what is outside pools; ${after(topTen)}.`
      return points === 0 ? pass(words) : fail(words, { points })
    })
  }),
  // Accounts stay as they are when the authority is given up, or the mint made anew: what happened to others can be what
  // awaits a buyer.
  signal("FROZEN_HOLDERS", critical(60, 5), {
    reads: "state of the largest holders' accounts",
    judge: ofHolders(({ frozen, unshown }) => {
      if (frozen > 0)
        return fail(
          `${frozen} of the largest holders cannot move their tokens: their accounts are frozen, or were opened for a mint that allowed no transfers.`,
          { hard: frozen >= 3 }
        )
      return unshown > 0
        ? unknown(`The node shows nothing of ${unshown} or more of the largest holders' accounts.`)
        : pass("None of the largest holders is frozen.")
    })
  }),
  signal("UNKNOWN_PROGRAM_HOLDS", minor(8, 4), {
    reads: "balances under addresses of programs that are not known pools or lockers",
    judge: ofHolders(({ underPrograms }) =>
      underPrograms > 0.05
        ? fail(`${percent(underPrograms)} of what is outside pools lies under programs we do not know.`)
        : pass("Little or nothing lies under programs we do not know.")
    )
  }),
  signal("INSIDER_HOLDINGS", minor(10, 2, "exit"), {
    source: "rugcheck",
    reads:
      "creators' and insiders' share, below what is critical, and how many wallets RugCheck ties to them",
    judge: (evidence) =>
      ofHolders(({ insiders }) => {
        const points = fallsBelow(insiders, HALVED) ? step(insiders.share, INSIDER_STEPS) : 0
        const words = `Creators and insiders hold ${percent(insiders.share)} of what is outside pools.`
        if (points > 0) return fail(words, { points })
        const tied = tiedWallets(evidence)
        return tied >= MANY_TIED ? fail(`RugCheck ties ${tied} wallets to insiders.`) : pass(words)
      })(evidence)
  })
]
