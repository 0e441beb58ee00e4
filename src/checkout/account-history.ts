import { Clock, Context, Effect, Layer } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import type { SolanaSignature, SolanaTransaction } from "../chain/solana-history.ts"
import { makeSolanaHistory } from "../chain/solana-history.ts"
import { isSolanaAddress } from "../domain/address.ts"
import type { SolanaAddress } from "../domain/address.ts"
import { SOLANA_USDC } from "../domain/chain.ts"
import { UpstreamError } from "../domain/errors.ts"
import { decodeTransaction } from "../payment/verifier/svm/transaction.ts"
import { usdcAccountOf } from "./merchant-account.ts"

/** What one transaction did to a merchant's USDC. */
export interface AccountChange {
  readonly transaction: string
  /** Unix milliseconds, by the block. */
  readonly at: number
  /** Smallest units; negative when the merchant paid. */
  readonly change: bigint
  /** Owner of the tokens on the other side; null where there is none, or several of equal weight. */
  readonly counterparty: string | null
  /** Memos and account keys, by which an order may be named. */
  readonly references: ReadonlyArray<string>
  readonly slot: number
  /** Position of the instruction that touched the merchant's token account among the message's own. */
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

export interface Range {
  readonly owner: string
  readonly cursor: string | null
  /** Unix milliseconds; older transactions are of no interest. */
  readonly from: number
  /** The node must have seen this slot. */
  readonly slot: bigint
}

export interface Changes {
  readonly changes: ReadonlyArray<AccountChange>
  /** Newest transaction that was read. */
  readonly cursor: string | null
  /** Nothing up to the range's slot is unread. */
  readonly isComplete: boolean
}

/** Solana as the checkout reads it: what wallets moved without us. */
export class AccountHistory extends Context.Tag("token-risk/AccountHistory")<
  AccountHistory,
  {
    /** One call for up to 99 merchants. */
    readonly balances: (owners: ReadonlyArray<string>) => Effect.Effect<Balances, UpstreamError>
    /** What changed an account since the cursor, oldest first. */
    readonly since: (range: Range) => Effect.Effect<Changes, UpstreamError>
  }
>() {}

/** The account every node keeps its slot and time in. Source: Solana sysvars. */
const CLOCK = "SysvarC1ock11111111111111111111111111111111"
/** `Clock.unix_timestamp` is an i64 at 32; an SPL token account's amount is a u64 at 64. One slice holds both. */
const SLICE = { offset: 32, length: 40 }
const AMOUNT_IN_SLICE = 32
/** A clock account this far behind is not kept up by the node, which is then asked for the slot's own time. */
const STALE_MILLIS = 90_000

const PAGE = 1_000
const MAX_PAGES = 5
/** Transactions read in one look; the next look goes on. */
const MAX_READ = 200

const MEMO_PROGRAMS = new Set([
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"
])
/** More than any memo of ours has. */
const MAX_MEMO_BYTES = 64

type Message = NonNullable<ReturnType<typeof decodeTransaction>>["message"]

const indexOf = (message: Message, account: string): number =>
  Math.max(
    0,
    message.instructions.findIndex(({ accountIndices }) =>
      accountIndices?.some((index) => message.staticAccounts[index] === account)
    )
  )

const referencesOf = (message: Message): ReadonlyArray<string> => {
  const memos = message.instructions
    .filter(({ programAddressIndex }) => MEMO_PROGRAMS.has(message.staticAccounts[programAddressIndex] ?? ""))
    .map(({ data }) => Buffer.from(data ?? []))
    .filter(({ length }) => length <= MAX_MEMO_BYTES)
    .map((data) => data.toString("utf8"))
  return [...new Set([...memos, ...message.staticAccounts])]
}

const movedBy = (transaction: SolanaTransaction, owner: string): bigint =>
  transaction.changes
    .filter((change) => change.owner === owner && change.mint === SOLANA_USDC)
    .reduce((sum, { after, before }) => sum + after - before, 0n)

/** Whoever's USDC moved most the other way. */
const counterpartyOf = (transaction: SolanaTransaction, owner: string, change: bigint): string | null => {
  const others = new Set(transaction.changes.map((entry) => entry.owner).filter((other) => other !== owner))
  const against = [...others]
    .map((other) => ({ other, moved: movedBy(transaction, other) }))
    .filter(({ moved }) => (change > 0n ? moved < 0n : moved > 0n))
    .toSorted((a, b) => (a.moved * a.moved > b.moved * b.moved ? -1 : 1))
  return against[0]?.other ?? null
}

const changeOf = (
  signature: string,
  transaction: SolanaTransaction,
  blockTime: number,
  { account, owner }: { readonly account: string; readonly owner: string }
): AccountChange => {
  const change = movedBy(transaction, owner)
  const message = decodeTransaction(transaction.wire)?.message
  return {
    transaction: signature,
    at: blockTime * 1000,
    change,
    counterparty: counterpartyOf(transaction, owner, change),
    references: message === undefined ? [] : referencesOf(message),
    slot: transaction.slot,
    index: message === undefined ? 0 : indexOf(message, account),
    feePayer: message?.staticAccounts[0] ?? ""
  }
}

const rejected = (detail: string) => new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail })

const usdcAccount = (owner: string): Effect.Effect<SolanaAddress, UpstreamError> =>
  Effect.flatMap(
    Effect.promise(() => usdcAccountOf(owner)),
    (account) => (account === undefined ? rejected("not a wallet's address") : Effect.succeed(account))
  )

const make = Effect.map(ChainRpc, ({ solana }) => {
  const history = makeSolanaHistory(solana.call)

  /** The clock account's time, or where a node does not keep it, the slot's own. */
  const timeAt = Effect.fnUntraced(function* (slot: bigint, clock: Uint8Array | undefined) {
    const view = Buffer.from(clock ?? [])
    const kept = view.length < 8 ? 0 : Number(view.readBigInt64LE(0)) * 1000
    if ((yield* Clock.currentTimeMillis) - kept < STALE_MILLIS) return kept
    return ((yield* history.getBlockTime(slot)) ?? 0) * 1000
  })

  const balances = Effect.fn("AccountHistory.balances")(function* (owners: ReadonlyArray<string>) {
    const accounts = yield* Effect.forEach(owners, usdcAccount)
    if (!isSolanaAddress(CLOCK)) return yield* rejected("no clock")
    const read = yield* solana.getAccounts([CLOCK, ...accounts], { slice: SLICE })
    const [clock, ...tokens] = read.accounts
    const amounts = tokens.map((account) => {
      const data = Buffer.from(account?.data ?? [])
      return data.length < AMOUNT_IN_SLICE + 8 ? 0n : data.readBigUInt64LE(AMOUNT_IN_SLICE)
    })
    return { slot: read.slot, time: yield* timeAt(read.slot, clock?.data), amounts }
  })

  /** Newest first, back to the cursor, or without one to the first that is too old. Undefined: further than we go. */
  const signaturesSince = Effect.fnUntraced(function* (account: SolanaAddress, range: Range) {
    const found: Array<SolanaSignature> = []
    for (let page = 0; page < MAX_PAGES; page++) {
      const batch = yield* history.getSignatures(account, {
        limit: PAGE,
        before: found.at(-1)?.signature,
        until: range.cursor ?? undefined,
        minContextSlot: range.slot
      })
      const recent = batch.filter(({ blockTime }) => blockTime === null || blockTime * 1000 >= range.from)
      found.push(...recent)
      if (batch.length < PAGE || recent.length < batch.length) return found
    }
    return undefined
  })

  const since = Effect.fn("AccountHistory.since")(function* (range: Range) {
    const account = yield* usdcAccount(range.owner)
    const newestFirst = yield* signaturesSince(account, range)
    if (newestFirst === undefined) return yield* rejected("more transactions than one look reads")
    const changes: Array<AccountChange> = []
    let { cursor } = range
    for (const { failed, signature } of newestFirst.toReversed().slice(0, MAX_READ)) {
      if (!failed) {
        const transaction = yield* history.getTransaction(signature)
        // Listed and not readable yet: it is looked at again before anything after it.
        if (transaction === null || transaction.blockTime === null)
          return { changes, cursor, isComplete: false }
        changes.push(changeOf(signature, transaction, transaction.blockTime, { account, owner: range.owner }))
      }
      cursor = signature
    }
    return { changes, cursor, isComplete: newestFirst.length <= MAX_READ }
  })

  return AccountHistory.of({ balances, since })
})

/** Account histories on the chain of `SOLANA_RPC_URL`. */
export const AccountHistoryLive = Layer.effect(AccountHistory, make)
