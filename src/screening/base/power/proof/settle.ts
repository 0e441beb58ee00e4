import { KnownBits, NOTHING_STORED, type Stored } from "../../../../bytecode/exact/bits.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Arena } from "../../../../bytecode/evm/expression.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { largestIn, leastIn } from "./bounds.ts"
import type { Counted } from "./counted.ts"
import type { Field } from "./field.ts"
import { type State, changesOf, keptBy } from "./kept.ts"
import { isPossible } from "./possible.ts"
import type { SlotValue } from "./slot-value.ts"
import type { Supply } from "./supply.ts"
import type { Votes } from "./votes/tables.ts"

/**
 * What no path of the contract changes any more. Found as the largest set that keeps itself: taking it for granted,
 * every path that can be walked leaves it as it is.
 */
export interface Settled {
  readonly stored: Stored
  /** Slots that hold the lengths of lists, which stay short. */
  readonly counted: Counted
  /** What that says of other words. */
  readonly bits: KnownBits
  /** The largest number a field will ever hold; `undefined` where nothing bounds it. */
  readonly limitOf: (field: Field) => bigint | undefined
  /** The least number a field will ever hold, as the supply is now. */
  readonly leastOf: (field: Field, supply: Supply | undefined) => bigint | undefined
}

const NOTHING_SETTLED: Settled = {
  stored: NOTHING_STORED,
  counted: new Set(),
  bits: new KnownBits(NOTHING_STORED),
  limitOf: () => undefined,
  leastOf: () => undefined
}

/** What stands in storage since the contract was born: bits that no path changes, whatever its conditions ask. */
export function* unchangeable(
  arena: Arena,
  leaves: ReadonlyArray<Leaf>,
  budget: Budget,
  state: ReadonlyArray<SlotValue>
): Sliced<Stored["words"]> {
  const all = { words: state, empty: [] }
  const { stored } = yield* keptBy(arena, changesOf(leaves), budget, all, undefined, () => false)
  return stored.words
}

/**
 * Finds what is settled among the slots that were read and the tables that hold nothing.
 * @param votes lists of votes that are proven on all these paths, and taken for short
 */
export function* settle(
  arena: Arena,
  leaves: ReadonlyArray<Leaf>,
  budget: Budget,
  state: State,
  votes?: Votes
): Sliced<Settled> {
  if (state.words.length + state.empty.length === 0) return NOTHING_SETTLED
  const changes = changesOf(leaves)
  const { counted, stored } = yield* keptBy(arena, changes, budget, state, votes)
  const bits = new KnownBits(stored)
  const possible = changes.filter(({ leaf }) => isPossible({ bits }, leaf.state.conditions))
  const start = new Map(state.words.map(({ slot, value }) => [BigInt(slot), value]))
  const once = (
    find: (word: bigint, field: Field, supply: Supply | undefined) => bigint | undefined
  ): Settled["leastOf"] => {
    const found = new Map<string, bigint | undefined>()
    return (field, supply) => {
      const word = start.get(field.slot)
      if (word === undefined) return undefined
      const name = `${field.slot} ${field.mask}`
      if (!found.has(name)) found.set(name, find(word, field, supply))
      return found.get(name)
    }
  }
  const largest = once((word, field) => largestIn(arena, possible, word, field, budget))
  return {
    stored,
    counted,
    bits,
    limitOf: (field) => largest(field, undefined),
    leastOf: once((word, field, supply) => leastIn(arena, possible, word, field, supply, budget))
  }
}
