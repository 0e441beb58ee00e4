import type { Program } from "../evm/code.ts"
import type { Arena, Expr } from "../evm/expression.ts"
import { isNamedSlot, namespaceRoots } from "./named.ts"
import { placeIn } from "./table.ts"

/** Slots that mappings of mappings stand in. */
const FIRST_SLOTS = Array.from({ length: 48 }, (_, slot) => BigInt(slot))
const MAX_KEYS = 32

/** A word with nothing in its upper bits is no hash. */
const isLarge = (value: bigint): boolean => value >> 160n !== 0n

/** First keys that code may fix: zero, and the hashes that it names. */
const keysIn = ({ at }: Program): ReadonlyArray<bigint> => {
  const named = new Set<bigint>([0n])
  for (const instruction of at) {
    const push = instruction?.push
    if (push !== undefined && isLarge(push) && named.size <= MAX_KEYS) named.add(push)
  }
  return [...named]
}

/**
 * Compilers hash beforehand where a fixed key's own mapping begins (`_roles[MINTER_ROLE].members`), and what the constant is
 * a hash of can no more be seen. It is found again among the keys that the code names and the slots that mappings stand in.
 */
export class Unfolder {
  private readonly program: Program
  private readonly arena: Arena
  private known: ReadonlyMap<bigint, readonly [bigint, bigint]> | undefined

  constructor(program: Program, arena: Arena) {
    this.program = program
    this.arena = arena
  }

  /** The same place, with the hash written out where it was found. */
  unfolded(place: Expr): Expr {
    const [a, b] = place.args
    if (a === undefined || b === undefined) return place
    if (place.op === "add") {
      const [x, y] = [this.unfolded(a), this.unfolded(b)]
      return x === a && y === b ? place : this.arena.node("add", [x, y])
    }
    if (place.op !== "keccak" || place.value !== 64n || place.args.length !== 2) return place
    if (b.op !== "const" || !isLarge(b.value) || isNamedSlot(b.value)) return place
    const found = this.hashes().get(b.value)
    if (found === undefined) return place
    const inner = this.arena.node(
      "keccak",
      found.map((word) => this.arena.constant(word)),
      64n
    )
    return this.arena.node("keccak", [a, inner], 64n)
  }

  private hashes(): ReadonlyMap<bigint, readonly [bigint, bigint]> {
    this.known ??= new Map(
      keysIn(this.program).flatMap((key) =>
        [...FIRST_SLOTS, ...namespaceRoots()].map((slot) => [placeIn(key, slot), [key, slot]] as const)
      )
    )
    return this.known
  }
}
