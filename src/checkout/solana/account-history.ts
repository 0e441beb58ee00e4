import { Clock, Context, Effect, Layer, Option } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import type { SolanaHistory, SolanaSignature, SolanaTransaction } from "../../chain/solana-history.ts"
import { makeSolanaHistory } from "../../chain/solana-history.ts"
import { Whole } from "../../chain/solana-wire.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { SOLANA_PROGRAMS } from "../../domain/solana-programs.ts"
import { knownUsdcAccount } from "../../chain/usdc-account.ts"
import type { Trace } from "../watch/standing.ts"
import { type ListPage, makeAccountList, type Range } from "./account-list.ts"
import { makeTrace } from "./trace.ts"
import type { UsdcMoves } from "./usdc-moves.ts"
import { makeUsdcMoves } from "./usdc-moves.ts"

/** What one transaction did to a merchant's USDC. */
export interface AccountChange {
  readonly transaction: string
  /** Unix milliseconds, by the block. */
  readonly at: number
  /** Smallest units; negative when the merchant paid. */
  readonly change: bigint
  /** The account's balance after it, smallest units; null where the node does not say. */
  readonly leaves: bigint | null
  /** Owner of the tokens on the other side; null where there is none, and where several paid. */
  readonly counterparty: string | null
  /** Memos and account keys, by which an order may be named. */
  readonly references: ReadonlyArray<string>
  readonly slot: number
  /** Position of the instruction that moved the merchant's tokens among the message's own, as a sale knows it. */
  readonly index: number
  /** Who paid the network's fee: for a payment through verify, the settler. */
  readonly feePayer: string
}

/** Balances of several merchants at one slot. */
export interface Balances {
  readonly slot: bigint
  /** The chain's time at that slot, Unix milliseconds. */
  readonly time: number
  /** USDC in smallest units, in the order asked for; zero where there is no account. */
  readonly amounts: ReadonlyArray<bigint>
}

export interface HistoryPage {
  /** What changed the account, oldest first. */
  readonly changes: ReadonlyArray<AccountChange>
  /** Newest transaction that stays in the chain, and oldest of all; null where there is none. */
  readonly newest: string | null
  readonly oldest: string | null
  /** The list ends here, or nothing lies between this page and the cursor. */
  readonly isLast: boolean
  /**
   * Unix milliseconds: nothing is missing below a last page that came since then. 0 where the list itself shows it, by
   * the cursor or by something older than `from`; else what the node has kept. Null where that is not known.
   */
  readonly knownSince: number | null
  /** What the newest transaction below the page left on the account, where it was asked for and the node says. */
  readonly left: bigint | null
  /** Every transaction of the page was read. */
  readonly isWhole: boolean
}

/** Solana as the checkout reads it: what wallets moved without us. */
export class AccountHistory extends Context.Tag("token-risk/AccountHistory")<
  AccountHistory,
  {
    /** One call for up to 99 merchants. */
    readonly balances: (owners: ReadonlyArray<string>) => Effect.Effect<Balances, UpstreamError>
    /** The newest slot that no reorganisation takes away. */
    readonly finalSlot: Effect.Effect<bigint, UpstreamError>
    /** The newest page of the range. A transaction that the node lists but does not give leaves the page incomplete. */
    readonly page: (range: Range) => Effect.Effect<HistoryPage, UpstreamError>
    readonly trace: Trace
  }
>() {}

/** The account every node keeps its slot and time in. Source: Solana sysvars. */
const CLOCK = "SysvarC1ock11111111111111111111111111111111"
/** `Clock.unix_timestamp` is an i64 at 32; an SPL token account's amount is a u64 at 64. One slice holds both. */
const SLICE = { offset: 32, length: 40 }
const AMOUNT_IN_SLICE = 32
/** A clock account this far behind is not kept up by the node, which is then asked for the slot's own time. */
const STALE_MILLIS = 90_000

/**
 * Transactions that are read at once, of all accounts together: anybody can have accounts looked at in which a lot happens,
 * and sales ask the same nodes.
 */
const READS_AT_ONCE = 8

const MEMO_PROGRAMS: ReadonlySet<string> = new Set([SOLANA_PROGRAMS.memo, SOLANA_PROGRAMS.oldMemo])
/** More than any memo of ours has. */
const MAX_MEMO_BYTES = 64

/** Every instruction may name the account, also one before the transfer and that moves nothing: tokens move by their program. */
const indexOf = ({ instructions }: SolanaTransaction, account: string): number => {
  const naming = instructions.filter(({ accounts }) => accounts.includes(account))
  const moving = naming.find(({ program }) => program === SOLANA_PROGRAMS.token)
  return (moving ?? naming[0])?.position ?? 0
}

/** What may name an order. Whoever wrote the memo, the transaction's signer or a program it called: both were signed for by the payer. */
export const referencesOf = ({ accounts, instructions }: SolanaTransaction): ReadonlyArray<string> => {
  const memos = instructions
    .filter(({ data, program }) => MEMO_PROGRAMS.has(program) && data.length <= MAX_MEMO_BYTES)
    .map(({ data }) => Buffer.from(data).toString("utf8"))
  return [...new Set([...memos, ...accounts])]
}

/** A merchant's wallet and the token account that receives its USDC. */
interface Place {
  readonly account: SolanaAddress
  readonly owner: string
}

/**
 * Who paid is known where one owner alone did: of several, one may have paid somebody else, and what goes back must go to
 * none but whom it came from. What the merchant pays counts as sent to whoever gained most.
 */
const counterpartyOf = (moves: UsdcMoves, owner: string, change: bigint): string | null => {
  const against = [...moves].filter(
    ([other, moved]) => other !== owner && (change > 0n ? moved < 0n : moved > 0n)
  )
  if (change > 0n && against.length > 1) return null
  return against.toSorted(([, a], [, b]) => (a > b ? -1 : 1))[0]?.[0] ?? null
}

/** A landed transaction with what it moved. */
interface Landed {
  readonly signature: string
  readonly transaction: SolanaTransaction
  readonly blockTime: number
  readonly moves: UsdcMoves
}

const changeOf = (
  { blockTime, moves, signature, transaction }: Landed,
  { account, owner }: Place
): AccountChange => {
  const change = moves.get(owner) ?? 0n
  return {
    transaction: signature,
    at: blockTime * 1000,
    change,
    leaves: transaction.changes.find((one) => one.account === account)?.after ?? null,
    counterparty: counterpartyOf(moves, owner, change),
    references: referencesOf(transaction),
    slot: transaction.slot,
    index: indexOf(transaction, account),
    feePayer: transaction.accounts[0] ?? ""
  }
}

const rejected = (detail: string) => new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail })

/** Builds `AccountHistory.balances`. */
const makeBalances = ({ getAccounts }: SolanaRpc, history: SolanaHistory) => {
  /** The clock account's time, or where a node does not keep it, the slot's own. */
  const timeAt = Effect.fnUntraced(function* (slot: bigint, clock: Uint8Array | undefined) {
    const view = Buffer.from(clock ?? [])
    const kept = view.length < 8 ? 0 : Number(view.readBigInt64LE(0)) * 1000
    if ((yield* Clock.currentTimeMillis) - kept < STALE_MILLIS) return kept
    return ((yield* history.getBlockTime(slot)) ?? 0) * 1000
  })

  return Effect.fn("AccountHistory.balances")(function* (owners: ReadonlyArray<string>) {
    const accounts = yield* Effect.forEach(owners, knownUsdcAccount)
    if (!isSolanaAddress(CLOCK)) return yield* rejected("no clock")
    const read = yield* getAccounts([CLOCK, ...accounts], { slice: SLICE })
    const [clock, ...tokens] = read.accounts
    const amounts = tokens.map((account) => {
      const data = Buffer.from(account?.data ?? [])
      return data.length < AMOUNT_IN_SLICE + 8 ? 0n : data.readBigUInt64LE(AMOUNT_IN_SLICE)
    })
    return { slot: read.slot, time: yield* timeAt(read.slot, clock?.data), amounts }
  })
}

/**
 * What one transaction changed: `none` when it failed, undefined when the node does not give it (yet). One that cannot
 * be read hides none of the others.
 */
const makeRead = (solana: SolanaRpc, history: SolanaHistory) => {
  const movesOf = makeUsdcMoves(solana)
  const read = Effect.fnUntraced(function* ({ failed, signature }: SolanaSignature, place: Place) {
    if (failed) return Option.none<AccountChange>()
    const transaction = yield* history.getTransaction(signature)
    if (transaction === null || transaction.blockTime === null) return undefined
    const { blockTime } = transaction
    const moves = yield* movesOf(transaction)
    return Option.some(changeOf({ signature, transaction, blockTime, moves }, place))
  })
  return (entry: SolanaSignature, place: Place) =>
    read(entry, place).pipe(
      Effect.catchTag("UpstreamError", ({ detail, kind }) =>
        Effect.logWarning("a transaction was not read").pipe(
          Effect.annotateLogs({ transaction: entry.signature, kind, detail }),
          Effect.as(undefined)
        )
      )
    )
}

/** Builds `AccountHistory.page`. */
const makePage = (solana: SolanaRpc, history: SolanaHistory, room: Effect.Semaphore) => {
  const list = makeAccountList(solana)
  const readAlone = makeRead(solana, history)
  const read = (entry: SolanaSignature, place: Place) => room.withPermits(1)(readAlone(entry, place))

  const leftBelow = ({ below }: ListPage, place: Place) => {
    if (below === undefined) return Effect.succeed(null)
    if (below === null) return Effect.succeed(0n)
    return Effect.map(
      read(below, place),
      (change) => Option.getOrUndefined(change ?? Option.none())?.leaves ?? null
    )
  }

  return Effect.fn("AccountHistory.page")(function* (range: Range) {
    const { final, owner, wantsLeft } = range
    const place = { account: yield* knownUsdcAccount(owner), owner }
    const listed = yield* list(place.account, range)
    const { entries, isLast, knownSince } = listed
    const results = yield* Effect.forEach(entries.toReversed(), (entry) => read(entry, place), {
      concurrency: READS_AT_ONCE
    })
    const known = results.filter((result) => result !== undefined)
    return {
      changes: known.flatMap(Option.toArray),
      newest: entries.find((entry) => BigInt(entry.slot) <= final)?.signature ?? null,
      oldest: entries.at(-1)?.signature ?? null,
      isLast,
      knownSince,
      left: wantsLeft ? yield* leftBelow(listed, place) : null,
      isWhole: known.length === results.length
    }
  })
}

const make = Effect.gen(function* () {
  const { solana } = yield* ChainRpc
  const room = yield* Effect.makeSemaphore(READS_AT_ONCE)
  const history = makeSolanaHistory(solana.call)
  const finalSlot = Effect.map(solana.call("getSlot", [{ commitment: "finalized" }], Whole), BigInt)

  return AccountHistory.of({
    balances: makeBalances(solana, history),
    finalSlot,
    page: makePage(solana, history, room),
    trace: makeTrace(solana)
  })
})

/** Account histories on the chain of `SOLANA_RPC_URL`. */
export const AccountHistoryLive = Layer.effect(AccountHistory, make)
