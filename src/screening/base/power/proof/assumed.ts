import type { Stored } from "../../../../bytecode/exact/bits.ts"
import { isSameTable } from "../../../../bytecode/exact/table.ts"
import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import { type Leaf, leavesOf } from "../../../../bytecode/exact/tree.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import type { State } from "./kept.ts"
import { settle } from "./settle.ts"
import type { Walked } from "./transfer-holes.ts"
import type { Votes } from "./votes/tables.ts"

/** Each round takes less for granted than the one before. */
const MAX_ROUNDS = 3

const isLost = ({ ending }: Leaf): boolean => ending === "lost"

/** Functions that could not be followed to their ends. */
const lostIn = (walked: Walked): ReadonlyArray<string> =>
  [...walked].flatMap(([selector, trees]) =>
    selector !== FALLBACK && trees.some((tree) => leavesOf(tree).some(isLost)) ? [selector] : []
  )

/** The functions that could be followed to their ends. */
export const followedIn = (walked: Walked): Walked => {
  const lost = lostIn(walked)
  return lost.length === 0 ? walked : new Map([...walked].filter(([selector]) => !lost.includes(selector)))
}

const leavesIn = (walked: Walked): ReadonlyArray<Leaf> =>
  [...walked.values()].flatMap((trees) => trees.flatMap(leavesOf))

const containsAll = ({ empty, words }: Stored, assumed: Stored): boolean =>
  assumed.empty.every((table) => empty.some((one) => isSameTable(one, table))) &&
  [...assumed.words].every(([slot, { mask }]) => ((words.get(slot)?.mask ?? 0n) & mask) === mask)

/**
 * Functions that could not be followed to their ends, walked again in a contract whose storage is as it is: a name that
 * nobody changes has one length, and what was set up once is not set up again. What is taken for granted is what
 * the other functions leave alone; it counts only where these functions, walked so, leave it alone as well. Otherwise the paths
 * are returned as they were.
 * @param state of the pinned block
 * @param votes lists of votes that the other functions keep, taken for short; whether these keep them remains to be seen
 */
export function* walkAssuming(
  contract: ExactContract,
  walked: Walked,
  budget: Budget,
  state: State,
  votes?: Votes
): Sliced<Walked> {
  const lost = lostIn(walked)
  if (lost.length === 0) return walked
  const { arena } = contract
  let { stored: assumed } = yield* settle(arena, leavesIn(followedIn(walked)), budget, state, votes)
  for (let round = 0; round < MAX_ROUNDS && assumed.words.size + assumed.empty.length > 0; round++) {
    const again = new Map(walked)
    for (const selector of lost) again.set(selector, yield* contract.walk(selector, assumed))
    const { stored: kept } = yield* settle(arena, leavesIn(again), budget, state, votes)
    if (containsAll(kept, assumed)) return again
    assumed = kept
  }
  return walked
}
