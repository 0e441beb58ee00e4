import { Effect, Schema } from "effect"
import { hexToBigInt, pad, type PublicClient, slice } from "viem"
import type { BaseRpc, SolanaRpc } from "../../chain/chain-rpc.ts"
import { askBlock } from "../../chain/evm-blocks.ts"
import { TRANSFER } from "../../chain/evm-events.ts"
import { askLogs, askReceipt, type EvmLog } from "../../chain/evm-logs.ts"
import { associatedTokenAccount } from "../../chain/program-address.ts"
import { askTransaction, TransactionError } from "../../chain/solana-history.ts"
import { isWholeList, LONGEST_PAGE } from "../../chain/solana-lists.ts"
import { Whole } from "../../chain/solana-wire.ts"
import { isSolanaAddress, SolanaAddress } from "../../domain/address.ts"
import { BASE_NETWORK, BASE_USDC, SOLANA_NETWORK, SOLANA_USDC } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { asHex } from "../verifier/evm/usdc.ts"
import type { EvidenceRecord } from "./records.ts"

const USDC = SolanaAddress.make(SOLANA_USDC)

/** Unix seconds, the end excluded. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** Blocks one `eth_getLogs` may span; public nodes refuse more. */
const LOG_SPAN = 2_000n
/** Transactions asked for at once. */
const CONCURRENCY = 8

const incomplete = (upstream: "base-rpc" | "solana-rpc", detail: string) =>
  new UpstreamError({ upstream, kind: "malformed", detail })

/** The first block at or after a time, or the one after the head. Base's blocks are in the order of their times. */
const blockAt = async (client: PublicClient, seconds: bigint, head: bigint): Promise<bigint> => {
  let [low, high] = [0n, head + 1n]
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await askBlock(client, middle)
    if (timestamp < seconds) low = middle + 1n
    else high = middle
  }
  return low
}

/**
 * What these events brought an account. Anybody may move nothing to it, in anybody's name, and what it moves to itself
 * brings nothing either.
 */
const broughtTo = (payTo: string, logs: ReadonlyArray<EvmLog>): ReadonlyArray<EvidenceRecord> =>
  logs.flatMap(({ data, topics, transactionHash: transaction }) => {
    const [, from = "0x"] = topics
    const payer = slice(from, 12)
    const amount = hexToBigInt(data, { size: 32 })
    const isNothing = amount === 0n || payer === payTo.toLowerCase()
    return isNothing ? [] : [{ network: BASE_NETWORK, transaction, payer, amount: String(amount) }]
  })

/** Every USDC transfer to an address in a period, as one node's logs have it. */
export const inflowOnBase = (rpc: Pick<BaseRpc, "client">, payTo: string, { from, to }: Period) =>
  Effect.tryPromise({
    try: async (): Promise<ReadonlyArray<EvidenceRecord>> => {
      const { client } = rpc
      const head = await client.getBlockNumber({ cacheTime: 0 })
      const [first, end] = [
        await blockAt(client, BigInt(from), head),
        await blockAt(client, BigInt(to), head)
      ]
      const found: Array<EvidenceRecord> = []
      for (let at = first; at < end; at += LOG_SPAN) {
        const last = at + LOG_SPAN < end ? at + LOG_SPAN - 1n : end - 1n
        const logs = await askLogs(client, {
          address: asHex(BASE_USDC),
          topics: [TRANSFER, null, pad(asHex(payTo))],
          fromBlock: at,
          toBlock: last
        })
        found.push(...broughtTo(payTo, logs))
      }
      return found
    },
    catch: () => incomplete("base-rpc", "the day's blocks and logs")
  })

const isTransferTo =
  (payTo: string) =>
  ({ address, topics: [event, , to] }: EvmLog): boolean =>
    address === BASE_USDC.toLowerCase() && event === TRANSFER && to === pad(asHex(payTo.toLowerCase()))

const isWithin = ({ from, to }: Period, seconds: number): boolean => seconds >= from && seconds < to

const notListed = (upstream: "base-rpc" | "solana-rpc") =>
  incomplete(upstream, "a list without a transfer of its time")

/**
 * What these transactions brought, which the list of a period does not have. One that landed in that period shows that the
 * list is not whole.
 */
export const broughtOnBase = (
  { client }: Pick<BaseRpc, "client">,
  payTo: string,
  period: Period,
  transactions: ReadonlyArray<string>
) => {
  /** What one brought, and when; undefined where it brought nothing. */
  const byReceipt = async (hash: string) => {
    const receipt = await askReceipt(client, asHex(hash))
    if (receipt?.passed !== true) return undefined
    const records = broughtTo(payTo, receipt.logs.filter(isTransferTo(payTo)))
    if (records.length === 0) return undefined
    const { timestamp } = await askBlock(client, receipt.blockNumber)
    return { records, at: Number(timestamp) }
  }
  const brought = Effect.fnUntraced(function* (hash: string) {
    const found = yield* Effect.tryPromise({
      try: () => byReceipt(hash),
      catch: () => incomplete("base-rpc", "a receipt")
    })
    if (found === undefined) return []
    return isWithin(period, found.at) ? yield* notListed("base-rpc") : found.records
  })
  return Effect.map(Effect.forEach(transactions, brought, { concurrency: CONCURRENCY }), (found) =>
    found.flat()
  )
}

/** Unix seconds; null where the node does not know. */
const Time = Schema.NullOr(Whole)
const Signatures = Schema.Array(
  Schema.Struct({ signature: Schema.String, err: TransactionError, blockTime: Time })
)
const Balances = Schema.Array(
  Schema.Struct({
    mint: Schema.String,
    owner: Schema.optional(Schema.String),
    uiTokenAmount: Schema.Struct({ amount: Schema.String.pipe(Schema.pattern(/^[0-9]{1,20}$/)) })
  })
)
const Landed = Schema.Struct({
  meta: Schema.Struct({ preTokenBalances: Balances, postTokenBalances: Balances })
})
const Sought = Schema.NullOr(
  Schema.Struct({
    blockTime: Time,
    meta: Schema.Struct({ ...Landed.fields.meta.fields, err: TransactionError })
  })
)

/** Nodes did not name owners at first: then it is not known whose money it was. */
const isNameless = ({ meta }: typeof Landed.Type): boolean =>
  [...meta.preTokenBalances, ...meta.postTokenBalances].some(
    ({ mint, owner }) => mint === SOLANA_USDC && owner === undefined
  )

/** What a transaction changed of each owner's USDC. */
const changes = ({ meta }: typeof Landed.Type): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  const add = (balances: typeof Balances.Type, sign: bigint) => {
    for (const { mint, owner = "", uiTokenAmount } of balances) {
      if (mint !== SOLANA_USDC) continue
      sums.set(owner, (sums.get(owner) ?? 0n) + sign * BigInt(uiTokenAmount.amount))
    }
  }
  add(meta.preTokenBalances, -1n)
  add(meta.postTokenBalances, 1n)
  return sums
}

/** What a landed transaction left a wallet with, more or less than before. */
const broughtBy = (payTo: string, transaction: string, landed: typeof Landed.Type) => {
  if (isNameless(landed)) return incomplete("solana-rpc", "a token balance without an owner")
  const sums = [...changes(landed)]
  const earned = sums.find(([owner]) => owner === payTo)?.[1] ?? 0n
  const [payer = ""] = sums.find(([owner, change]) => owner !== payTo && change < 0n) ?? []
  return Effect.succeed<EvidenceRecord>({
    network: SOLANA_NETWORK,
    transaction,
    payer,
    amount: String(earned)
  })
}

const isMoney = ({ amount }: EvidenceRecord): boolean => BigInt(amount) > 0n

/** The day's successful transactions of an account, newest first. */
const signaturesIn = Effect.fnUntraced(function* (
  { call }: Pick<SolanaRpc, "call">,
  account: string,
  { from, to }: Period
) {
  const found: Array<string> = []
  const listed: Array<(typeof Signatures.Type)[number]> = []
  const pages = (limit: number, before: string | undefined) =>
    call(
      "getSignaturesForAddress",
      [account, { limit, commitment: "confirmed", ...(before === undefined ? {} : { before }) }],
      Signatures
    )
  while (true) {
    const before = listed.at(-1)?.signature
    const page = yield* pages(LONGEST_PAGE, before)
    listed.push(...page)
    for (const { blockTime, err, signature } of page) {
      if (blockTime === null) return yield* incomplete("solana-rpc", "a transaction without a time")
      if (blockTime < from) return found
      if (blockTime < to && err === null) found.push(signature)
    }
    const last = page.at(-1)?.signature
    if (last === undefined && (yield* isWholeList(pages, listed))) return found
    if (last === undefined) return yield* incomplete("solana-rpc", "a list without its end")
    if (last === before) return yield* incomplete("solana-rpc", "the same page again")
  }
})

/** Every transaction of a period that left a wallet with more USDC, by the changes of balances a node reports. */
export const inflowOnSolana = Effect.fnUntraced(function* (
  rpc: Pick<SolanaRpc, "call">,
  payTo: string,
  period: Period
) {
  if (!isSolanaAddress(payTo)) return yield* incomplete("solana-rpc", "payTo")
  const account = associatedTokenAccount(payTo, USDC)
  const signatures = yield* signaturesIn(rpc, account, period)
  const records = yield* Effect.forEach(
    signatures,
    (transaction) =>
      Effect.flatMap(askTransaction(rpc.call, transaction, "base64", Landed), (landed) =>
        broughtBy(payTo, transaction, landed)
      ),
    { concurrency: CONCURRENCY }
  )
  return records.filter(isMoney)
})

/** The same on Solana. A transaction that the node does not have brought nothing. */
export const broughtOnSolana = Effect.fnUntraced(function* (
  { call }: Pick<SolanaRpc, "call">,
  payTo: string,
  period: Period,
  transactions: ReadonlyArray<string>
) {
  const brought = Effect.fnUntraced(function* (transaction: string) {
    const landed = yield* askTransaction(call, transaction, "base64", Sought)
    if (landed === null || landed.meta.err !== null) return []
    const record = yield* broughtBy(payTo, transaction, landed)
    if (!isMoney(record)) return []
    const { blockTime } = landed
    return blockTime === null || isWithin(period, blockTime) ? yield* notListed("solana-rpc") : [record]
  })
  const found = yield* Effect.forEach(transactions, brought, { concurrency: CONCURRENCY })
  return found.flat()
})
