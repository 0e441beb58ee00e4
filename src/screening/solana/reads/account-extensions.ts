/** What the extensions of a Token-2022 account keep programs from doing with it. */
import { bytesOf } from "./bytes.ts"

/** What a program that swaps tokens cannot do here. */
export interface Guards {
  /** Pay tokens in. */
  readonly incoming: boolean
  /** Pay tokens out in its owner's name. */
  readonly outgoing: boolean
}

export const unguarded: Guards = { incoming: false, outgoing: false }

/** Entries start behind the padded account and the kind byte. */
const FIRST_ENTRY = 166
/** Longer than an account with an entry of every type there is: the first free space ends what was written. */
export const GUARDS_LENGTH = 576

type Rule = (value: Uint8Array) => Guards

const harmless: Rule = () => unguarded

/** Balances that are encrypted; those who pay in openly may be refused. */
const CONFIDENTIAL_LENGTH = 295
const ALLOWS_OPEN_CREDITS = 262

/**
 * Extensions of token accounts by type number, with the length of their value.
 * Source: the layouts of `@solana-program/token-2022` 0.11.0, against which the tests compare.
 */
const RULES: ReadonlyMap<number, readonly [length: number, rule: Rule]> = new Map<number, [number, Rule]>([
  [2, [8, harmless]],
  [5, [CONFIDENTIAL_LENGTH, (value) => ({ incoming: value[ALLOWS_OPEN_CREDITS] === 0, outgoing: false })]],
  [7, [0, harmless]],
  // A memo must stand right before the transfer, where no program that swaps puts one.
  [8, [1, ([isRequired]) => ({ incoming: isRequired !== 0, outgoing: false })]],
  [11, [1, ([isGuarded]) => ({ incoming: false, outgoing: isGuarded !== 0 })]],
  [13, [0, harmless]],
  [15, [1, harmless]],
  [17, [64, harmless]],
  [27, [0, harmless]]
])

const NON_TRANSFERABLE = 13

/**
 * Whether nobody can ever move what an account holds. It stays so as its mint asked for when it was opened, whatever the
 * mint asks for today: one without tokens can be closed, and made anew at its old address.
 */
export const isBound = (data: Uint8Array): boolean => {
  const bytes = bytesOf(data)
  for (let offset = FIRST_ENTRY; offset + 4 <= data.length; offset += 4 + bytes.u16(offset + 2)) {
    const type = bytes.u16(offset)
    if (type === 0 || type === NON_TRANSFERABLE) return type === NON_TRANSFERABLE
  }
  return false
}

/** Null where an entry is of a type or length that nobody here knows, or where the account was cut before its entries end. */
export const guardsOf = (data: Uint8Array, space: number): Guards | null => {
  const bytes = bytesOf(data)
  let guards = unguarded
  let offset = FIRST_ENTRY
  while (offset + 4 <= data.length) {
    const type = bytes.u16(offset)
    if (type === 0) return guards
    const [length, rule] = RULES.get(type) ?? []
    const end = offset + 4 + bytes.u16(offset + 2)
    if (rule === undefined || end - offset - 4 !== length || end > data.length) return null
    const { incoming, outgoing } = rule(data.subarray(offset + 4, end))
    guards = { incoming: guards.incoming || incoming, outgoing: guards.outgoing || outgoing }
    offset = end
  }
  return data.length < space ? null : guards
}
