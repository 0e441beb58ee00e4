import { type Hex, keccak256, pad, toHex } from "viem"
import type { Template } from "../../../../bytecode/exact/entry.ts"
import { constantValue } from "../../../../bytecode/exact/hash.ts"
import type { Arena, Expr } from "../../../../bytecode/evm/expression.ts"
import { substitute } from "../../../../bytecode/substitute.ts"
import { type EntryForm, entriesBy } from "../../entries.ts"
import type { LedgerForm } from "../findings.ts"
import type { Roles } from "./roles.ts"

/**
 * Accounts by which two ways to work out a place are told apart. A template holds whole accounts, shifted and with
 * constants beside them: two ways that agree on both of these, which have no bit in common, are one.
 */
const ODD: Hex = `0x${"3a69".repeat(10)}`
const EVEN: Hex = `0x${"c596".repeat(10)}`
const SAMPLES: ReadonlyArray<readonly [Hex, Hex]> = [
  [ODD, EVEN],
  [EVEN, ODD]
]

const { allowancePlace, balancePlace } = entriesBy((bytes) => keccak256(bytes))

const LONGEST_STRUCT = 16n

/** The hash that a place is counted from, and how many words behind it the place is. */
const hashAt = (key: Expr): readonly [Expr, number] | undefined => {
  const [base, offset] = key.args
  if (key.op === "keccak") return [key, 0]
  if (key.op !== "add" || base?.op !== "keccak" || offset?.op !== "const") return undefined
  return offset.value < LONGEST_STRUCT ? [base, Number(offset.value)] : undefined
}

/** The place a template comes to with accounts in its holes. */
const placeWith = (arena: Arena, hash: Expr, holes: ReadonlyArray<Expr>, accounts: ReadonlyArray<Hex>) => {
  const filled = (word: Expr): Expr => {
    if (word.op === "keccak") return arena.node("keccak", word.args.map(filled), word.value)
    return substitute(arena, word, (part) => {
      const account = accounts[holes.indexOf(part)]
      return account === undefined ? undefined : arena.constant(BigInt(account))
    })
  }
  return constantValue(filled(hash))
}

const constantsIn = (word: Expr): ReadonlyArray<bigint> => {
  const value = constantValue(word)
  return value === undefined ? word.args.flatMap(constantsIn) : [value]
}

/** The way of the known ones by which a template's places are worked out; null where it is another. */
const formOf = (
  arena: Arena,
  { holes, key }: Template,
  place: (form: EntryForm, accounts: readonly [Hex, Hex]) => bigint
): EntryForm | null => {
  const [hash, field] = hashAt(key) ?? []
  if (hash === undefined || field === undefined) return null
  const slots = [0n, ...constantsIn(hash)].map((slot) => toHex(slot, { size: 32 }))
  const forms = (["key-first", "slot-first", "solady"] as const).flatMap((order) =>
    slots.map((slot): EntryForm => ({ order, slot, field: 0 }))
  )
  const form = forms.find((one) =>
    SAMPLES.every((accounts) => {
      const words: readonly [Hex, Hex] = [pad(accounts[0], { size: 32 }), pad(accounts[1], { size: 32 })]
      return placeWith(arena, hash, holes, accounts) === place(one, words)
    })
  )
  return form === undefined ? null : { ...form, field }
}

/** How a table with one account as its key is laid out. */
export const tableForm = (arena: Arena, table: Template): EntryForm | null =>
  formOf(arena, table, (form, [account]) => balancePlace(form, account))

/** Where balances and allowances stand, as far as their places are worked out in a known way. */
export const ledgerForm = ({ allowances, arena, ledger }: Roles): LedgerForm => ({
  balances: tableForm(arena, ledger),
  mask: toHex(ledger.mask, { size: 32 }),
  allowances: formOf(arena, allowances, (form, [owner, spender]) => allowancePlace(form, owner, spender))
})
