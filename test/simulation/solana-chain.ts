/** A Solana that can misbehave: slots by the clock, blockhashes that die, transactions that land late, or never. */
import { getBase58Decoder } from "@solana/kit"
import { createHash } from "node:crypto"
import { decodeTransaction, messageHash } from "../../src/payment/verifier/svm/transaction.ts"
import type { VirtualTime } from "./clock.ts"
import type { Dice } from "./dice.ts"

export const SLOT_MILLIS = 200
/** Slots in which a transaction may land on a blockhash. */
export const BLOCKHASH_SLOTS = 150
/** Slots on top of one that most of the stake has voted for, and of one no fork takes away. */
export const CONFIRMED_DEPTH = 2
export const FINAL_DEPTH = 32
const FIRST_SLOT = 5_000

/** A transfer as its wire bytes say it. */
export interface SimTransfer {
  /** The transaction's id: its fee payer's signature. */
  readonly signature: string
  readonly wire: string
  /** Hash of the message, which the chain takes once. */
  readonly hash: string
  readonly source: string
  readonly destination: string
  readonly amount: bigint
  readonly blockhash: string
}

export interface Landed extends SimTransfer {
  readonly slot: number
  readonly failed: boolean
}

/** What a signed USDC payment moves. */
const readWire = (wire: string): SimTransfer => {
  const decoded = decodeTransaction(wire)
  const transfer = decoded?.message.instructions[2]
  const [source = 0, , destination = 0] = transfer?.accountIndices ?? []
  const data = Buffer.from(transfer?.data ?? [])
  if (decoded === undefined || data.length !== 10) throw new Error("not a payment")
  return {
    signature: getBase58Decoder().decode(decoded.signatures[0] ?? new Uint8Array()),
    wire,
    hash: messageHash(decoded),
    source: decoded.message.staticAccounts[source] ?? "",
    destination: decoded.message.staticAccounts[destination] ?? "",
    amount: data.readBigUInt64LE(1),
    blockhash: decoded.message.lifetimeToken
  }
}

export class SimSolana {
  /** By message, in the order of landing. */
  readonly landed = new Map<string, Landed>()
  /** When a fork that held a transfer was dropped, in Unix milliseconds. */
  readonly reorganised = new Map<string, number>()
  /** Of token accounts. */
  readonly balances = new Map<string, bigint>()
  /** Wallets whose the token accounts are. */
  readonly owners = new Map<string, string>()
  /** How likely the leaders never see a transaction that was sent. */
  dropped = 0.3

  private readonly dice: Dice
  private readonly time: VirtualTime
  private readonly start: number
  private readonly slots = new Map<string, number>()
  private readonly known = new Map<string, SimTransfer>()

  constructor(dice: Dice, time: VirtualTime) {
    this.dice = dice
    this.time = time
    this.start = time.now - FIRST_SLOT * SLOT_MILLIS
  }

  get slot(): number {
    return this.slotAt(this.time.now)
  }

  slotAt(millis: number): number {
    return Math.floor((millis - this.start) / SLOT_MILLIS)
  }

  /** The blockhash of a slot, which lives for 150 more. */
  blockhash(slot: number): string {
    const hash = getBase58Decoder().decode(createHash("sha256").update(`slot ${slot}`).digest())
    this.slots.set(hash, slot)
    return hash
  }

  /** Whether a transaction may land on a blockhash at a slot. A node that is not there yet does not know it. */
  isAlive(blockhash: string, at: number): boolean {
    const born = this.slots.get(blockhash)
    return born !== undefined && born <= at && at <= born + BLOCKHASH_SLOTS
  }

  /** The last slot in which a transfer can land. */
  closes(blockhash: string): number {
    return (this.slots.get(blockhash) ?? 0) + BLOCKHASH_SLOTS
  }

  /** What a signed USDC payment moves. Nodes are asked about the same bytes over and over. */
  read(wire: string): SimTransfer {
    const transfer = this.known.get(wire) ?? readWire(wire)
    this.known.set(wire, transfer)
    return transfer
  }

  /** Why a transaction would not succeed at a slot. */
  refusal({ amount, blockhash, hash, source }: SimTransfer, at: number): string | undefined {
    const earlier = this.landed.get(hash)
    if (earlier !== undefined && earlier.slot <= at) return "AlreadyProcessed"
    if (!this.isAlive(blockhash, at)) return "BlockhashNotFound"
    return (this.balances.get(source) ?? 0n) < amount ? "InsufficientFunds" : undefined
  }

  /** Hands a transaction to the leaders. */
  submit(transfer: SimTransfer): void {
    if (this.dice.hits(this.dropped)) return
    this.time.after(SLOT_MILLIS * this.dice.between(1, 5), () => this.land(transfer))
  }

  private land(transfer: SimTransfer): void {
    const { slot } = this
    if (this.landed.has(transfer.hash) || !this.isAlive(transfer.blockhash, slot)) return
    const failed = (this.balances.get(transfer.source) ?? 0n) < transfer.amount
    // Leaders rather leave out what fails.
    if (failed && this.dice.hits(0.5)) return
    this.landed.set(transfer.hash, { ...transfer, slot, failed })
    if (!failed) this.move(transfer, 1n)
  }

  /** A fork of some slots that nobody builds on: what it held is gone, and mostly comes again. */
  reorganise(depth: number): void {
    for (const transfer of [...this.landed.values()].toReversed()) {
      if (transfer.slot <= this.slot - depth) continue
      this.landed.delete(transfer.hash)
      if (!transfer.failed) {
        this.reorganised.set(transfer.hash, this.time.now)
        this.move(transfer, -1n)
      }
      if (this.dice.hits(0.5)) this.submit(transfer)
    }
  }

  private move({ amount, destination, source }: SimTransfer, direction: bigint): void {
    this.balances.set(source, (this.balances.get(source) ?? 0n) - direction * amount)
    this.balances.set(destination, (this.balances.get(destination) ?? 0n) + direction * amount)
  }
}
