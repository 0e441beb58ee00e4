/** A token with holders, and with anything at all in the rest of its storage. */
import { type Hex, toHex } from "viem"
import { bytesOfHex, decode } from "../../../src/bytecode/evm/code.ts"
import { entriesBy } from "../../../src/screening/base/entries.ts"
import type { LedgerForm } from "../../../src/screening/base/power/findings.ts"
import type { SlotValue } from "../../../src/screening/base/power/proof/slot-value.ts"
import type { Dice } from "../../simulation/dice.ts"
import { hashOf, toWord } from "./bytes.ts"
import type { Message, Outcome } from "./frame.ts"
import type { Inputs } from "./inputs.ts"
import { Machine } from "./machine.ts"
import { word } from "./meaning.ts"

export const TOKEN = 0x7051e77051e77051e77051e77051e77051e77051n
/** Holders who call nothing; the first may have allowed or signed for something. */
export const VICTIM = 0x1c71331c71331c71331c71331c71331c71331c71n
export const IDLE = 0x1d1e1d1e1d1e1d1e1d1e1d1e1d1e1d1e1d1e1d1en
export const STRANGER = 0x57a9657a9657a9657a9657a9657a9657a9657a96n
export const FRIEND = 0xf71e9df71e9df71e9df71e9df71e9df71e9df71en
export const OWNER = 0x0119e50119e50119e50119e50119e50119e50119n
/** Whom the victim sells to. */
export const BUYER = 0xb09e5b09e5b09e5b09e5b09e5b09e5b09e5b09e5n
export const HOLDERS = [VICTIM, STRANGER, FRIEND, OWNER, IDLE, BUYER, TOKEN] as const
export const KNOWN: ReadonlyArray<bigint> = [...HOLDERS, 0n]

const ALL = (1n << 256n) - 1n
const START = 1_780_000_000n
/** What is above is an index or a hash, and no plain slot. */
const PLAIN_BITS = 64n
const MOST_NESTED = 4

const padded = (value: bigint): Hex => toHex(value, { size: 32 })
const { allowancePlace, balancePlace } = entriesBy((bytes) => padded(hashOf(bytesOfHex(bytes))))

/** What the proof was asked of. */
export interface Token {
  readonly code: Hex
  readonly ledger: LedgerForm
  /** Words that the proof was given. */
  readonly state: ReadonlyArray<SlotValue>
}

interface Allowance {
  readonly owner: bigint
  readonly spender: bigint
  readonly amount: bigint
}

interface Others {
  readonly called: (to: bigint, message: Message) => Outcome
  readonly signer: (hash: bigint, r: bigint) => bigint
}

export class World {
  readonly machine: Machine
  time = START
  private readonly token: Token
  private readonly dice: Dice
  private readonly inputs: Inputs
  private readonly mask: bigint
  private readonly words = new Map<bigint, bigint>()
  private readonly places = new Map<bigint, bigint>()
  private readonly entries = new Set<bigint>()

  constructor(token: Token, dice: Dice, inputs: Inputs, { called, signer }: Others) {
    this.token = token
    this.dice = dice
    this.inputs = inputs
    this.mask = BigInt(token.ledger.mask)
    this.machine = new Machine(decode(bytesOfHex(token.code)), TOKEN, {
      born: (slot) => this.born(slot),
      time: () => this.time,
      called,
      signer,
      compared: (a, b) => inputs.learn(a, b)
    })
    for (const who of KNOWN) this.place(who)
  }

  private place(who: bigint): bigint {
    const { balances } = this.token.ledger
    if (balances === null) throw new Error("nobody knows where balances stand")
    const place = this.places.get(who) ?? balancePlace(balances, padded(who))
    this.places.set(who, place)
    this.entries.add(place)
    return place
  }

  balance(who: bigint): bigint {
    return this.machine.load(this.place(who)) & this.mask
  }

  endow(who: bigint, amount: bigint): void {
    const beside = this.mask === ALL ? 0n : this.anyWord() & ~this.mask
    this.machine.storage.set(this.place(who), beside | amount)
  }

  /** All balances. Whoever's may be other than zero was a key of the table, or is known. */
  sum(): bigint {
    const { balances } = this.token.ledger
    for (const bytes of this.machine.hashed.values()) {
      if (bytes.length !== 64 || balances === null || balances.order === "solady") continue
      const [first, second] = [toWord(bytes), toWord(bytes, 32)]
      const [key, slot] = balances.order === "key-first" ? [first, second] : [second, first]
      if (slot === BigInt(balances.slot)) this.place(key)
    }
    return [...this.places.keys()].reduce((sum, who) => sum + this.balance(who), 0n)
  }

  /** What holders who do nothing allow others. */
  allowances(): ReadonlyArray<Allowance> {
    const { allowances } = this.token.ledger
    if (allowances === null) return []
    return [VICTIM, IDLE].flatMap((owner) =>
      [...this.places.keys()].map((spender): Allowance => {
        const place = allowancePlace(allowances, padded(owner), padded(spender))
        return { owner, spender, amount: this.machine.storage.get(place) ?? 0n }
      })
    )
  }

  /** What stands at a slot before anybody wrote there: the token's tables of amounts hold nothing, all else anything. */
  private born(slot: bigint): bigint {
    const known = this.words.get(slot)
    if (known !== undefined) return known
    const { state } = this.token
    const given = state.find(({ entries, slot: at }) => entries === undefined && BigInt(at) === slot)
    const holdsNothing = state.some(({ entries }) => entries !== undefined) && slot >> PLAIN_BITS !== 0n
    const value = given?.value ?? (holdsNothing || this.isEntry(slot) ? 0n : this.anyWord())
    this.words.set(slot, value)
    return value
  }

  private isEntry(slot: bigint): boolean {
    const { allowances, balances } = this.token.ledger
    if (this.entries.has(slot)) return true
    if (balances?.order === "solady") return slot >> PLAIN_BITS !== 0n
    const roots = new Set(
      [balances, allowances].flatMap((form) => (form === null ? [] : [BigInt(form.slot)]))
    )
    const { hashed } = this.machine
    let bytes = hashed.get(slot) ?? hashed.get(slot - BigInt(balances?.field ?? 0))
    for (let depth = 0; bytes?.length === 64 && depth < MOST_NESTED; depth++) {
      const [first, second] = [toWord(bytes), toWord(bytes, 32)]
      if (roots.has(first) || roots.has(second)) return true
      bytes = hashed.get(balances?.order === "slot-first" ? first : second)
    }
    return false
  }

  private anyWord(): bigint {
    const { dice } = this
    const kind = dice.next()
    if (kind < 0.4) return 0n
    if (kind < 0.5) return 1n
    if (kind < 0.75) return this.packed(dice.pick([STRANGER, OWNER, FRIEND, BUYER]))
    if (kind < 0.85) return BigInt(dice.between(2, 9))
    return kind < 0.95 ? this.inputs.amount() : BigInt(dice.hex(32))
  }

  /** An account in a word, often beside something else. */
  private packed(who: bigint): bigint {
    const { dice } = this
    if (dice.hits(0.5)) return who
    const shift = dice.pick([0n, 8n, 64n, 96n])
    const low = shift === 0n ? 0n : BigInt(dice.between(0, 1))
    return word((BigInt(dice.between(0, 2)) << (160n + shift)) | (who << shift)) | low
  }
}
