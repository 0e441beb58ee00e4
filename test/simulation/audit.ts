/** What came out of a story: what the chain moved, the ledger recorded and the clients were told must be the same. */
import Sqlite from "better-sqlite3"
import { Schema } from "effect"
import type { PaymentRequirements } from "../../src/domain/x402.ts"
import type { Payment } from "../../src/payment/message/payment.ts"
import { boundPerGas, weiMicros } from "../../src/payment/settler/evm/offers.ts"
import { EOA_GAS } from "../../src/payment/settler/evm/preflight.ts"
import { ETHER_PRICE } from "../support/payment/base-settling.ts"
import { asHex } from "../../src/payment/verifier/evm/usdc.ts"
import type { SimBase } from "./base-chain.ts"
import { DATA_FEE } from "./base-node.ts"
import type { SimSolana } from "./solana-chain.ts"

/** What every payment of a story is for. */
export const PRICE = 5_000n

export interface Buyer {
  readonly network: "base" | "solana"
  /** What the chain takes once. Base: payer and nonce. Solana: hash of the message. */
  readonly key: string
  readonly payer: string
  /** Where the money is. Base: the payer. Solana: his token account. */
  readonly purse: string
  readonly payment: Payment
  readonly terms: PaymentRequirements
  /** When nothing can land any more. Base: Unix seconds. Solana: the last slot. */
  readonly closes: number
  readonly answer: string
  /** 200 with these bytes. */
  answers: number
  /** The final no. */
  rejected: string | undefined
  done: boolean
}

const Recorded = Schema.Struct({
  claimed_by: Schema.String,
  payer: Schema.String,
  standing: Schema.Literal("recent", "final", "lost"),
  /** Events that name it as lost. */
  losses: Schema.Int
})
/** A transfer as the ledger has it. */
type Recorded = typeof Recorded.Type
const decodeRecords = Schema.decodeUnknownSync(Schema.Array(Recorded))

export interface Report {
  readonly seed: number
  readonly payments: number
  readonly answered: number
  readonly transfers: number
  readonly rejected: number
  readonly kills: number
  readonly reorganised: number
  /** Sold, reorganised away, and counted as lost. */
  readonly lost: number
  /** What must never be. */
  readonly violations: ReadonlyArray<string>
}

/** Opens a ledger as an operator would, to read what it recorded. */
export const openRecords = (database: string) => {
  const file = new Sqlite(database, { readonly: true })
  const all = file.prepare(`SELECT claimed_by, payer, standing, (SELECT COUNT(*) FROM payment_events
    WHERE authorization_key = claimed_by AND event = 'lost') AS losses FROM payment_evidence`)
  return { read: () => decodeRecords(all.all()), close: () => file.close() }
}

/**
 * Blocks in which a reorganised transfer must be sent again while its window is open: time to see that it is gone, for
 * a crash, and for a transaction of the same key before it.
 */
const ENOUGH = 10
/** The same in slots of Solana, whose leaders may leave a transfer out several times. */
const ENOUGH_SLOTS = 75
/** The highest fee per gas at which a ping is in proportion. */
const AFFORDABLE = boundPerGas(PRICE - weiMicros(DATA_FEE, ETHER_PRICE), EOA_GAS, ETHER_PRICE)

export interface Story {
  readonly chain: SimBase
  readonly solana: SimSolana
  /** Whether a facilitator sends the transfers: whether it sends one again is its business. */
  readonly isRemote: boolean
  readonly buyers: ReadonlyArray<Buyer>
  readonly kills: number
  readonly violations: ReadonlyArray<string>
}

const transfersOf = ({ chain, solana }: Story): ReadonlyMap<string, number> => {
  const paid = new Map<string, number>()
  const count = (key: string) => paid.set(key, (paid.get(key) ?? 0) + 1)
  for (const { receipt } of chain.receipts()) {
    if (!receipt.succeeded) continue
    for (let at = 0; at < receipt.logs.length; at += 2) {
      const [, payer = "", nonce = ""] = receipt.logs[at]?.topics ?? []
      count(`0x${payer.slice(-40)}:${nonce}`)
    }
  }
  for (const { failed, hash } of solana.landed.values()) if (!failed) count(hash)
  return paid
}

/** Blocks that could have taken a payment again after it was taken away, at a fee in proportion. */
const chancesOnBase = (chain: SimBase, taken: number, closes: number) =>
  chain.blocks.filter(({ baseFee, time }) => time > taken && time < closes && baseFee < AFFORDABLE).length

/** When a sold transfer may be lost: it was taken away, and then no block could take it or its owner had no money. */
const isExcused = ({ chain, isRemote, solana }: Story, { closes, key, network, purse }: Buyer): boolean => {
  const taken = (network === "base" ? chain : solana).reorganised.get(key)
  if (taken === undefined) return false
  if (isRemote) return true
  if (network === "base") {
    const hasMoney = (chain.head.state.balances.get(asHex(purse)) ?? 0n) > 0n
    return chancesOnBase(chain, taken, closes) < ENOUGH || !hasMoney
  }
  return closes - solana.slotAt(taken) < ENOUGH_SLOTS || (solana.balances.get(purse) ?? 0n) === 0n
}

const faultsOf = (story: Story, buyer: Buyer, transfers: number, records: ReadonlyArray<Recorded>) => {
  const { answers, done, key, rejected } = buyer
  const isLost = records.some(({ losses, standing }) => standing === "lost" && losses === 1)
  return [
    ...(transfers > 1 ? [`paid ${transfers} times`] : []),
    ...(transfers > 0 && answers === 0
      ? [`lost: paid and not answered (${rejected ?? "no final word"})`]
      : []),
    ...(transfers === 0 && answers > 0 && !isLost ? ["answered, not paid, not counted as lost"] : []),
    ...(transfers === 0 && isLost && !isExcused(story, buyer) ? ["not sent again in time"] : []),
    ...(transfers > 0 && isLost ? ["paid, and counted as lost"] : []),
    ...(records.length !== Math.min(1, answers) ? [`${records.length} evidence rows`] : []),
    ...(done ? [] : ["no final word"])
  ].map((fault) => `${fault}: ${key}`)
}

export const audit = (seed: number, story: Story, records: ReadonlyArray<Recorded>): Report => {
  const { buyers, chain, kills, solana, violations } = story
  const paid = transfersOf(story)
  const faults = buyers.flatMap((buyer) =>
    faultsOf(
      story,
      buyer,
      paid.get(buyer.key) ?? 0,
      records.filter(({ payer }) => payer === buyer.payer)
    )
  )
  const count = (holds: (buyer: Buyer) => boolean) => buyers.filter(holds).length
  return {
    seed,
    payments: buyers.length,
    answered: count(({ answers }) => answers > 0),
    transfers: [...paid.values()].reduce((sum, one) => sum + one, 0),
    rejected: count(({ rejected }) => rejected !== undefined),
    kills,
    reorganised: chain.reorganised.size + solana.reorganised.size,
    lost: records.filter(({ standing }) => standing === "lost").length,
    violations: [...violations, ...faults]
  }
}

type Counts = Omit<Report, "seed" | "violations">

export const NOTHING: Counts = {
  payments: 0,
  answered: 0,
  transfers: 0,
  rejected: 0,
  kills: 0,
  reorganised: 0,
  lost: 0
}

export const addReports = (a: Counts, b: Counts): Counts => ({
  payments: a.payments + b.payments,
  answered: a.answered + b.answered,
  transfers: a.transfers + b.transfers,
  rejected: a.rejected + b.rejected,
  kills: a.kills + b.kills,
  reorganised: a.reorganised + b.reorganised,
  lost: a.lost + b.lost
})
