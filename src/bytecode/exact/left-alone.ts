import type { Arena } from "../evm/expression.ts"
import { type CallRecord, type State, type StorageWrite, listed } from "../evm/path.ts"
import type { Stored } from "./bits.ts"
import { mayBeSame } from "./same.ts"
import { somePlaceIn } from "./table.ts"

const runsForeignCode = ({ kind }: CallRecord): boolean => kind === "delegatecall" || kind === "callcode"

/**
 * Whether a path has left alone what is taken for granted of storage, up to one of its writes. Others that it called in
 * between may have written as well: they do that by functions of their own, of which the same is asked.
 */
export class LeftAlone {
  private readonly stored: Stored
  private readonly arena: Arena
  private readonly known = new WeakMap<StorageWrite, boolean>()

  constructor(stored: Stored, arena: Arena) {
    this.stored = stored
    this.arena = arena
  }

  upTo({ calls }: State, write: StorageWrite): boolean {
    this.arena.looks += calls?.count ?? 0
    if ([...listed(calls)].some(runsForeignCode)) return false
    const passed: Array<StorageWrite> = []
    let isAlone = true
    for (const one of listed(write)) {
      const known = this.known.get(one)
      if (known !== undefined) {
        isAlone = known
        break
      }
      passed.push(one)
    }
    for (const one of passed.toReversed()) {
      isAlone &&= this.isAlone(one)
      this.known.set(one, isAlone)
    }
    return isAlone
  }

  private isAlone({ havoc, key, value }: StorageWrite): boolean {
    const { empty, words } = this.stored
    if (havoc === true) return true
    this.arena.looks += key.size * (words.size + empty.length)
    const own = key.op === "const" ? words.get(key.value) : undefined
    if (own !== undefined && (value.op !== "const" || (value.value & own.mask) !== own.value)) return false
    const isApart =
      key.op === "const" || [...words.keys()].every((slot) => !mayBeSame(key, this.arena.constant(slot)))
    return isApart && empty.every((table) => !mayBeSame(key, somePlaceIn(this.arena, table)))
  }
}
