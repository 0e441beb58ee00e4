import { Effect } from "effect"
import { SOLANA_NETWORK } from "../../domain/chain.ts"
import type { UnassignedReason } from "../../domain/merchant.ts"
import type { Evidence } from "../../payment/outcome.ts"
import { settlerConfig } from "../../payment/settler/settings.ts"
import type { Checkout } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import type { Transfer } from "../journal.ts"
import { evidenceOf, makeRecordRefund } from "../paid-record.ts"
import { hasRoom, makeCredit, SLACK } from "../watch/credit.ts"
import type { ReceivingAccount } from "../watch/receiving-accounts.ts"
import { makeRound } from "../watch/round.ts"
import { advance, FRESH } from "../watch/scan.ts"
import { makeStanding } from "../watch/standing.ts"
import { makeNoteStray } from "../watch/strays.ts"
import type { AccountChange, Balances, HistoryPage } from "./account-history.ts"
import { AccountHistory } from "./account-history.ts"

/** The one of the orders a transfer names that it pays. One that names two, or an order of another merchant, pays none. */
const orderOf = ({ owner }: ReceivingAccount, [checkout, another]: ReadonlyArray<Checkout>) => {
  if (checkout === undefined) return "no-order" as const
  if (another !== undefined) return "several-orders" as const
  return checkout.terms.payTo === owner ? checkout : ("other-merchant" as const)
}

const strayOf = ({ owner }: ReceivingAccount, change: AccountChange, reason: UnassignedReason) => {
  const account = `${SOLANA_NETWORK}:${owner}`
  const { at, change: amount, counterparty: payer, transaction } = change
  // One transaction may move money to several merchants.
  const evidence = `${SOLANA_NETWORK}:${transaction}:${owner}`
  return { evidence, account, transaction, payer, amount, at, reason }
}

/** Where a change that pays for nothing was seen: it is looked for in the merchant's own list. */
const placeOf = (
  { owner }: ReceivingAccount,
  { change, index, slot, transaction }: AccountChange
): Evidence => ({
  network: SOLANA_NETWORK,
  transaction,
  index,
  height: slot,
  payer: owner,
  payTo: owner,
  amount: (change < 0n ? -change : change).toString()
})

const refundOf = (
  checkout: Checkout,
  { at, change, counterparty, transaction }: AccountChange
): Transfer => ({
  evidence: evidenceOf(SOLANA_NETWORK, transaction, ""),
  checkoutId: checkout.id,
  via: "refund",
  transaction,
  payer: counterparty,
  amount: -change,
  at
})

const paymentOf = ({ terms }: Checkout, change: AccountChange) => {
  const { at, change: amount, counterparty: payer, index, slot, transaction } = change
  return {
    evidence: {
      network: SOLANA_NETWORK,
      transaction,
      index,
      height: slot,
      payer: payer ?? "",
      payTo: terms.payTo,
      amount: amount.toString()
    },
    name: transaction,
    payer,
    at,
    paymentKey: `solana-pay:${transaction}`,
    binding: "memo"
  } as const
}

/** It may be a payment through verify that is on its way into the ledger: the ledger decides first. */
const makeIsUnderWay =
  (repo: CheckoutRepo["Type"]) =>
  ({ id, status, terms }: Checkout, { feePayer }: AccountChange) =>
    terms.extra["feePayer"] !== feePayer
      ? Effect.succeed(false)
      : status === "processing"
        ? Effect.succeed(true)
        : repo.isOvertaking(id)

/**
 * Whether a transfer is a payment through verify, which pays the order it was presented for: whoever signs one can have
 * it name others beside it.
 */
const makeThroughVerify = (repo: CheckoutRepo["Type"]) => {
  const isUnderWay = makeIsUnderWay(repo)
  const paysFor = ({ id }: Checkout, evidence: string) =>
    Effect.map(repo.transfers(id), (rows) =>
      rows.some((row) => row.via === "verify" && row.evidence === evidence)
    )
  return Effect.fnUntraced(function* (named: ReadonlyArray<Checkout>, change: AccountChange) {
    const evidence = evidenceOf(SOLANA_NETWORK, change.transaction, "")
    if (yield* Effect.exists(named, (checkout) => isUnderWay(checkout, change))) return "under-way" as const
    const isCounted = yield* Effect.exists(named, (checkout) => paysFor(checkout, evidence))
    return isCounted ? ("counted" as const) : ("no" as const)
  })
}

/** Writes one change of an account down. False: it has to be seen again. */
const makeJournal = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const noteStray = yield* makeNoteStray
  const { finalityFrom } = yield* settlerConfig
  const credit = yield* makeCredit
  const recordRefund = yield* makeRecordRefund
  const isUnderWay = makeIsUnderWay(repo)
  const throughVerify = makeThroughVerify(repo)

  return Effect.fnUntraced(function* (account: ReceivingAccount, change: AccountChange, final: bigint) {
    if (change.change === 0n) return true
    const named = yield* repo.findByReferences(change.references)
    const checkout = orderOf(account, named)
    if (typeof checkout === "string") {
      if (change.change < 0n) return true
      const through = yield* throughVerify(named, change)
      if (through === "no") yield* noteStray(strayOf(account, change, checkout), placeOf(account, change))
      return through !== "under-way"
    }
    if (yield* isUnderWay(checkout, change)) return false
    // As in a sale: what is large counts when no reorganisation takes it back any more.
    if (change.change >= finalityFrom && BigInt(change.slot) > final) return false
    const place = placeOf(account, change)
    if (change.change < 0n) {
      const transfer = refundOf(checkout, change)
      if (hasRoom(yield* repo.transfers(checkout.id), transfer)) yield* recordRefund({ transfer, place })
    } else if (!(yield* credit(checkout, paymentOf(checkout, change))))
      yield* noteStray(strayOf(account, change, "too-many"), place)
    return true
  })
})

/** A list by account is written after the blocks, and no node's is further behind than this. Milliseconds. */
const LIST_LAG = 600_000

/**
 * Whether a list makes up the balance that was seen before it was asked for: the newest of its transactions that leaves
 * the account a balance leaves just that, or there is none and the balance has not moved either; where no balance is
 * known from before, what the newest below the page left. A transaction that only names the account explains nothing.
 */
const isExplained = (
  { balance: before }: ReceivingAccount,
  { changes, left }: Pick<HistoryPage, "changes" | "left">,
  balance: bigint,
  slot: bigint
): boolean => {
  const newest = changes.findLast((one) => BigInt(one.slot) <= slot && one.leaves !== null)
  return (newest?.leaves ?? before ?? left) === balance
}

/** Everything before this is in the journal, or cannot pay anything. */
const sinceOf = ({ scannedTo, watchFrom }: ReceivingAccount): number => Math.max(watchFrom, scannedTo) - SLACK

/** From when on an account is known without a gap, once its last page was read. */
const knownFromOf = (account: ReceivingAccount, knownSince: number) =>
  knownSince <= sinceOf(account)
    ? Effect.succeed(account.knownFrom)
    : Effect.as(
        Effect.logError("no node has kept an account's past: what came meanwhile is not known").pipe(
          Effect.annotateLogs({ owner: account.owner, until: new Date(knownSince).toISOString() })
        ),
        knownSince + SLACK
      )

/** Reads the next page of an account. */
const makeLook = Effect.gen(function* () {
  const history = yield* AccountHistory
  const journal = yield* makeJournal

  return Effect.fnUntraced(function* (account: ReceivingAccount, balance: bigint, seen: Balances) {
    const { knownFrom, owner, scan, scannedTo, watchFrom } = account
    // The final slot is asked for first, so that what is listed below it stays.
    const final = yield* history.finalSlot
    const read = yield* history.page({
      ...scan,
      owner,
      from: watchFrom - SLACK,
      since: sinceOf(account),
      slot: seen.slot,
      final,
      wantsLeft: account.balance === null
    })
    const done = yield* Effect.forEach(read.changes, (change) => journal(account, change, final))
    const explained = isExplained(account, read, balance, seen.slot)
    // Nothing is concluded where no node says how far back it goes: the next look begins at the top.
    if (read.isLast && read.knownSince === null)
      return {
        scan: { ...FRESH, cursor: scan.cursor },
        balance: explained ? balance : account.balance,
        scannedTo,
        knownFrom
      }
    const next = advance(scan, { ...read, isDone: read.isWhole && done.every(Boolean) })
    // Without a balance the account is looked at again whatever moves meanwhile.
    if (!next.isComplete) return { scan: next.scan, balance: null, scannedTo: 0, knownFrom }
    const known = yield* knownFromOf(account, read.knownSince ?? 0)
    if (explained) return { scan: next.scan, balance, scannedTo: seen.time, knownFrom: known }
    // The balance that was explained last stays, so that the next look asks for the same.
    const late = Math.max(scannedTo, seen.time - LIST_LAG)
    return { scan: next.scan, balance: account.balance, scannedTo: late, knownFrom: known }
  })
})

/** Finds what wallets paid by themselves on Solana, by the order that a memo or a key names. See `makeRound`. */
export const makeFindWalletTransfers = Effect.gen(function* () {
  const history = yield* AccountHistory
  return yield* makeRound({
    network: SOLANA_NETWORK,
    lease: { name: "checkout-accounts", millis: 30_000 },
    // One less than a call takes, for the clock.
    mostSeen: 99,
    mostLooks: 20,
    looksAtOnce: 4,
    see: history.balances,
    look: yield* makeLook,
    standing: yield* makeStanding(SOLANA_NETWORK, history.trace)
  })
})
