/** The ledger of a fake world: each account was last named one slot before any moment, and held what the world says it did. */
import { getBase58Decoder, getBase58Encoder } from "@solana/kit"
import { Predicate } from "effect"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { toBase58 } from "../../../src/domain/base58.ts"
import { seedOf } from "../../../src/chain/program-address.ts"
import { decodeTokenAccount } from "../../../src/screening/solana/reads/token-account.ts"
import { NOW_SECONDS, NOW_SLOT } from "./fake-node.ts"
import type { FakeWorld } from "./fake-world.ts"

const SLOT_SECONDS = 0.4
const DAY_SECONDS = 86_400
const ago = (slot: bigint): number => Number(NOW_SLOT - slot) * SLOT_SECONDS
const timeOf = (slot: bigint): number => Math.floor(Number(NOW_SECONDS) - ago(slot))

/** A signature that tells which account at which slot it is of. */
const signatureOf = (account: SolanaAddress, slot: bigint): string => {
  const bytes = new Uint8Array(64).fill(255)
  bytes.set(seedOf(account))
  new DataView(bytes.buffer).setBigUint64(32, slot)
  return getBase58Decoder().decode(bytes)
}

const readSignature = (signature: string) => {
  const bytes = Uint8Array.from(getBase58Encoder().encode(signature))
  return {
    account: SolanaAddress.make(toBase58(bytes), true),
    slot: new DataView(bytes.buffer).getBigUint64(32)
  }
}

const SOMEBODY = SolanaAddress.make("11111111111111111111111111111112")

/** What a node writes down of an account after a transaction; older ones did not know whose it is. */
const balancesAt = (
  { accounts, heldBefore, ownedBefore }: FakeWorld,
  account: SolanaAddress,
  days: number
) => {
  const today = decodeTokenAccount(accounts.get(account) ?? null)
  if (today === null) return []
  const amount = heldBefore?.(account, days, today.amount) ?? today.amount
  const owner = ownedBefore === undefined ? today.owner : ownedBefore(account, days, today.owner)
  const balance = { accountIndex: 0, mint: today.mint, uiTokenAmount: { amount: amount.toString() } }
  return [owner === null ? balance : { ...balance, owner }]
}

const transactionOf = (world: FakeWorld, signature: string) => {
  const { account, slot } = readSignature(signature)
  const balances = balancesAt(world, account, ago(slot) / DAY_SECONDS)
  return {
    slot: Number(slot),
    blockTime: timeOf(slot),
    transaction: { signatures: [signature], message: { accountKeys: [account], instructions: [] } },
    meta: { err: null, preTokenBalances: balances, postTokenBalances: balances }
  }
}

const signaturesOf = (world: FakeWorld, account: SolanaAddress, before: string) => {
  const slot = readSignature(before).slot - 1n
  const isNamed = world.heldBefore?.(account, ago(slot) / DAY_SECONDS, 0n) !== null
  return isNamed
    ? [{ signature: signatureOf(account, slot), slot: Number(slot), err: null, blockTime: timeOf(slot) }]
    : []
}

/** The first transaction of a slot, after all that named anything before it. */
export const firstAt = (slot: bigint): string => signatureOf(SOMEBODY, slot)

/** What a node that keeps the whole ledger answers. */
export const historyCall = (
  world: FakeWorld,
  method: string,
  [subject, options]: ReadonlyArray<unknown>
): unknown => {
  switch (method) {
    case "getBlock": {
      const slot = BigInt(Number(subject))
      return { blockTime: timeOf(slot), signatures: [firstAt(slot)] }
    }
    case "getSignaturesForAddress": {
      const before = Predicate.isReadonlyRecord(options) ? String(options["before"]) : ""
      return signaturesOf(world, SolanaAddress.make(String(subject)), before)
    }
    case "getTransaction":
      return transactionOf(world, String(subject))
    default:
      throw new Error(`screening needs no ${method}`)
  }
}
