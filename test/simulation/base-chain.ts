/** A Base that can misbehave: blocks, a pool of transactions, USDC's authorizations, and reorganisations. */
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  parseTransaction
} from "viem"
import { BASE_USDC } from "../../src/domain/chain.ts"
import { usdcAbi } from "../../src/payment/verifier/evm/usdc.ts"
import type { Dice } from "./dice.ts"

export const GWEI = 1_000_000_000n
const BLOCK_SECONDS = 2
/** How often somebody who watches the pool submits what he sees there by himself. */
const FRONT_RUN = 0.03
/** Blocks above one that Base calls safe. */
export const SAFE_DEPTH = 12

const multicall = parseAbi([
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])"
])

export interface Authorization {
  readonly payer: Hex
  readonly payTo: Hex
  readonly amount: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

export interface SimTransaction {
  readonly hash: Hex
  readonly from: Hex
  readonly nonce: number
  readonly maxFee: bigint
  readonly tip: bigint
  readonly to: Hex
  readonly input: Hex
  readonly transfers: ReadonlyArray<Authorization>
  readonly isBatch: boolean
}

export interface SimLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

export interface SimReceipt {
  readonly transaction: SimTransaction
  readonly succeeded: boolean
  readonly gasPrice: bigint
  readonly logs: ReadonlyArray<SimLog>
}

interface State {
  readonly nonces: ReadonlyMap<Hex, number>
  readonly used: ReadonlySet<string>
  readonly balances: ReadonlyMap<Hex, bigint>
}

export interface SimBlock {
  readonly number: number
  readonly hash: Hex
  readonly time: number
  readonly baseFee: bigint
  readonly receipts: ReadonlyArray<SimReceipt>
  readonly changes: ReadonlyMap<Hex, bigint>
  /** After it. */
  readonly state: State
}

const lower = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`
export const useKey = ({ payer, nonce }: Pick<Authorization, "payer" | "nonce">): string =>
  `${payer}:${nonce}`

/** The authorization a call executes. */
export const readTransfer = (data: Hex): Authorization => {
  const { args, functionName } = decodeFunctionData({ abi: usdcAbi, data })
  if (functionName !== "transferWithAuthorization") throw new Error("not a transfer")
  const [from, to, value, , validBefore, nonce] = args
  return { payer: lower(from), payTo: lower(to), amount: value, validBefore, nonce: lower(nonce) }
}

/** A signed transaction as our settler sends it; its sender stands where a signature would, see `SimAccount`. */
export const readRaw = (raw: Hex): SimTransaction => {
  const parsed = parseTransaction(raw)
  const [to, input] = [lower(parsed.to ?? "0x"), parsed.data ?? "0x"]
  const isBatch = input !== "0x" && to !== lower(BASE_USDC)
  const calls = isBatch
    ? decodeFunctionData({ abi: multicall, data: input }).args[0].map(({ callData }) => callData)
    : input === "0x"
      ? []
      : [input]
  return {
    hash: keccak256(raw),
    from: lower(`0x${(parsed.r ?? "0x").slice(-40)}`),
    nonce: parsed.nonce ?? 0,
    maxFee: parsed.maxFeePerGas ?? 0n,
    tip: parsed.maxPriorityFeePerGas ?? 0n,
    to,
    input,
    transfers: calls.map(readTransfer),
    isBatch
  }
}

/** Anyone may submit an authorization that was seen. */
const STRANGER: Hex = `0x${"57".repeat(20)}`

/** Hash of the transaction in which a stranger submits an authorization. */
export const strangersHash = ({ nonce, payer }: Pick<Authorization, "payer" | "nonce">): Hex =>
  keccak256(`${nonce}${payer.slice(2)}`)

const strangersTransaction = (transfer: Authorization): SimTransaction => ({
  hash: strangersHash(transfer),
  from: STRANGER,
  nonce: 0,
  maxFee: 0n,
  tip: 0n,
  to: lower(BASE_USDC),
  input: "0x",
  transfers: [transfer],
  isBatch: false
})

const [USED] = encodeEventTopics({ abi: usdcAbi, eventName: "AuthorizationUsed" })
const [TRANSFER] = encodeEventTopics({ abi: usdcAbi, eventName: "Transfer" })

const logsOf = ({ amount, nonce, payer, payTo }: Authorization): ReadonlyArray<SimLog> => {
  const moved = encodeAbiParameters([{ type: "uint256" }], [amount])
  return [
    { address: lower(BASE_USDC), topics: [lower(USED ?? "0x"), pad(payer), nonce], data: "0x" },
    { address: lower(BASE_USDC), topics: [lower(TRANSFER ?? "0x"), pad(payer), pad(payTo)], data: moved }
  ]
}

export class SimBase {
  readonly blocks: Array<SimBlock>
  readonly pool = new Map<Hex, Map<number, SimTransaction>>()
  /** What strangers have seen and submit. */
  private readonly strangers = new Map<string, Authorization>()
  /** What was in a block that a reorganisation took away, and when that happened last, in Unix seconds. */
  readonly reorganised = new Map<string, number>()
  /** Balances that the next block sets, by transactions of others. */
  readonly changes = new Map<Hex, bigint>()
  baseFee = GWEI / 200n

  private readonly dice: Dice

  constructor(dice: Dice, startSeconds: number, balances: ReadonlyMap<Hex, bigint>) {
    this.dice = dice
    const state = { nonces: new Map(), used: new Set<string>(), balances }
    const first = { number: 0, hash: this.hashOf(0), time: startSeconds, baseFee: this.baseFee }
    this.blocks = [{ ...first, receipts: [], changes: balances, state }]
    // Deep enough that there is a safe block from the start.
    for (let i = 0; i < SAFE_DEPTH; i++) this.mine()
  }

  get head(): SimBlock {
    const head = this.blocks.at(-1)
    if (head === undefined) throw new Error("a chain has a first block")
    return head
  }

  at(number: number): SimBlock | undefined {
    return this.blocks[number]
  }

  /** Takes a transaction into the pool, as a node does: a higher offer by an eighth replaces a lower one. */
  submit(transaction: SimTransaction): "taken" | "nonce too low" | "replacement transaction underpriced" {
    const own = this.pool.get(transaction.from) ?? new Map<number, SimTransaction>()
    this.pool.set(transaction.from, own)
    if (transaction.nonce < (this.head.state.nonces.get(transaction.from) ?? 0)) return "nonce too low"
    const present = own.get(transaction.nonce)
    const isBetter =
      present === undefined ||
      (transaction.maxFee * 8n >= present.maxFee * 9n && transaction.tip * 8n >= present.tip * 9n)
    if (present?.hash !== transaction.hash && !isBetter) return "replacement transaction underpriced"
    own.set(transaction.nonce, transaction)
    if (this.dice.hits(FRONT_RUN))
      transaction.transfers.forEach((transfer) => this.submitByStranger(transfer))
    return "taken"
  }

  submitByStranger(transfer: Authorization): void {
    this.strangers.set(useKey(transfer), transfer)
  }

  /** Why a transfer would fail in the block after `block`. */
  refusal({ state, time }: SimBlock, transfer: Authorization): string | undefined {
    return this.refusalAt(time + BLOCK_SECONDS, state, transfer)
  }

  private refusalAt(time: number, { balances, used }: State, transfer: Authorization): string | undefined {
    if (BigInt(time) >= transfer.validBefore) return "FiatTokenV2: authorization is expired"
    if (used.has(useKey(transfer))) return "FiatTokenV2: authorization is used or canceled"
    return (balances.get(transfer.payer) ?? 0n) < transfer.amount
      ? "ERC20: transfer amount exceeds balance"
      : undefined
  }

  /** The next block: what the pool holds, can pay for, and the sequencer did not overlook. */
  mine(nowSeconds = 0): void {
    const { head } = this
    const changes = new Map(this.changes)
    this.changes.clear()
    const number = head.number + 1
    const time = Math.max(head.time + BLOCK_SECONDS, nowSeconds)
    const nonces = new Map(head.state.nonces)
    const state = {
      nonces,
      used: new Set(head.state.used),
      balances: new Map([...head.state.balances, ...changes])
    }
    const receipts: Array<SimReceipt> = []
    for (const [from, own] of this.pool) {
      for (let nonce = nonces.get(from) ?? 0; ; nonce++) {
        const transaction = own.get(nonce)
        if (transaction === undefined || transaction.maxFee < this.baseFee || this.dice.hits(0.1)) break
        receipts.push(this.execute(transaction, time, state))
        nonces.set(from, nonce + 1)
        own.delete(nonce)
      }
    }
    for (const [key, transfer] of this.strangers) {
      if (this.dice.hits(0.3)) continue
      this.strangers.delete(key)
      if (this.refusalAt(time, state, transfer) === undefined)
        receipts.push(this.execute(strangersTransaction(transfer), time, state))
    }
    this.blocks.push({
      number,
      hash: this.hashOf(number),
      time,
      baseFee: this.baseFee,
      receipts,
      changes,
      state
    })
  }

  /** Takes the newest blocks back. Most of their transactions return to the pool. */
  reorganise(depth: number, nowSeconds: number): void {
    for (const { changes, receipts } of this.blocks.splice(-depth).toReversed()) {
      // The newest balance of an owner is the one that counts.
      for (const [owner, balance] of changes) {
        if (!this.changes.has(owner)) this.changes.set(owner, balance)
      }
      for (const { succeeded, transaction } of receipts) {
        if (succeeded)
          for (const transfer of transaction.transfers) this.reorganised.set(useKey(transfer), nowSeconds)
        if (transaction.from === STRANGER) transaction.transfers.forEach((one) => this.submitByStranger(one))
        const own = this.pool.get(transaction.from)
        if (!this.dice.hits(0.2) && !own?.has(transaction.nonce)) own?.set(transaction.nonce, transaction)
      }
    }
  }

  /** Every receipt in the chain with its block. */
  *receipts(upTo = this.head.number): Generator<{ readonly block: SimBlock; readonly receipt: SimReceipt }> {
    for (const block of this.blocks) {
      if (block.number > upTo) return
      for (const receipt of block.receipts) yield { block, receipt }
    }
  }

  private execute(
    transaction: SimTransaction,
    time: number,
    state: State & { readonly used: Set<string>; readonly balances: Map<Hex, bigint> }
  ): SimReceipt {
    const { balances, used } = state
    const logs: Array<SimLog> = []
    for (const transfer of transaction.transfers) {
      if (this.refusalAt(time, state, transfer) !== undefined) continue
      used.add(useKey(transfer))
      balances.set(transfer.payer, (balances.get(transfer.payer) ?? 0n) - transfer.amount)
      balances.set(transfer.payTo, (balances.get(transfer.payTo) ?? 0n) + transfer.amount)
      logs.push(...logsOf(transfer))
    }
    const succeeded = transaction.isBatch || transaction.transfers.length * 2 === logs.length
    return { transaction, succeeded, logs, gasPrice: this.baseFee + transaction.tip }
  }

  private hashOf(number: number): Hex {
    return keccak256(`${numberToHex(number, { size: 8 })}${this.dice.hex(8).slice(2)}`)
  }
}
