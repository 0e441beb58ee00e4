import { Clock, Effect } from "effect"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import { Ledger } from "../payment/ledger/ledger.ts"
import { makeLease } from "../storage/lease.ts"
import type { AccountChange, Balances } from "./account-history.ts"
import { AccountHistory } from "./account-history.ts"
import type { Checkout } from "./checkout.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import type { Transfer } from "./journal.ts"
import { evidenceOf, makeRecordTransfer } from "./paid-record.ts"
import type { ReceivingAccount } from "./receiving-accounts.ts"
import { ReceivingAccounts } from "./receiving-accounts.ts"
import { advance } from "./scan.ts"
import { UnassignedTransfers } from "./unassigned-transfers.ts"

/** Accounts whose balance one round reads, in one call: one less than a call takes, for the clock. */
const ACCOUNTS_A_ROUND = 99
/** Accounts one round reads through. */
const LOOKS_A_ROUND = 20
const LEASE_MILLIS = 30_000
/** The chain's clock and ours may differ; a transfer can be this much older than its checkout. Milliseconds. */
const SLACK = 60_000

const transferOf = (checkout: Checkout, change: AccountChange): Transfer => ({
  evidence: evidenceOf(SOLANA_NETWORK, change.transaction, ""),
  checkoutId: checkout.id,
  via: change.change > 0n ? "wallet" : "refund",
  transaction: change.transaction,
  payer: change.counterparty,
  amount: change.change > 0n ? change.change : -change.change,
  at: change.at
})

/**
 * Finds what wallets paid by themselves. One process does it for all. A round reads the balances of many merchants in
 * one call, reads through only the accounts whose balance moved or whose checkouts wait to be ended, and writes every
 * transfer that names an order into the journal. How many accounts it read through.
 */
export const makeFindTransfers = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const accounts = yield* ReceivingAccounts
  const history = yield* AccountHistory
  const ledger = yield* Ledger
  const unassigned = yield* UnassignedTransfers
  const lease = yield* makeLease("checkout-accounts", LEASE_MILLIS)
  const record = makeRecordTransfer(repo)

  /** A transfer that names two orders, or an order of another merchant, pays none. */
  const orderOf = Effect.fnUntraced(function* ({ owner }: ReceivingAccount, { references }: AccountChange) {
    const named = yield* repo.findByReferences(references)
    const [checkout] = named
    if (checkout === undefined) return "no-order" as const
    if (named.length > 1) return "several-orders" as const
    return checkout.terms.payTo === owner ? checkout : ("other-merchant" as const)
  })

  /** One transfer pays once, over every channel: the ledger knows what it paid for already. */
  const isUnused = (checkout: Checkout, change: AccountChange) =>
    ledger.claimEvidence(
      {
        network: SOLANA_NETWORK,
        transaction: change.transaction,
        index: change.index,
        height: change.slot,
        payer: change.counterparty ?? "",
        payTo: checkout.terms.payTo,
        amount: change.change.toString()
      },
      // One claimant a transfer: an order may be paid in parts.
      `checkout ${checkout.id} ${change.transaction}`
    )

  /** False: it may be a payment through verify on its way into the ledger, which has to speak first. */
  const journal = Effect.fnUntraced(function* (account: ReceivingAccount, change: AccountChange) {
    if (change.change === 0n) return true
    const checkout = yield* orderOf(account, change)
    if (typeof checkout === "string") {
      yield* unassigned.note(account.owner, change, checkout)
      return true
    }
    const isOurs = checkout.terms.extra["feePayer"] === change.feePayer
    if (isOurs && checkout.status === "processing") return false
    const transfer = transferOf(checkout, change)
    if (transfer.via === "wallet" && !(yield* isUnused(checkout, change))) return true
    const settlement = {
      success: true,
      transaction: change.transaction,
      network: checkout.terms.network,
      amount: checkout.terms.amount,
      ...(change.counterparty === null ? {} : { payer: change.counterparty })
    }
    const paymentKey = `solana-pay:${change.transaction}`
    yield* record(transfer, { paymentKey, settlement, binding: "memo" })
    return true
  })

  const look = Effect.fnUntraced(function* (account: ReceivingAccount, balance: bigint, seen: Balances) {
    const { owner, scan } = account
    const read = yield* history.page({ ...scan, owner, from: account.watchFrom - SLACK, slot: seen.slot })
    const done = yield* Effect.forEach(read.changes, (change) => journal(account, change))
    const next = advance(scan, { ...read, isDone: read.isWhole && done.every(Boolean) })
    // Without a balance the account is looked at again whatever moves meanwhile.
    const result = next.isComplete ? { balance, scannedTo: seen.time } : { balance: null, scannedTo: 0 }
    yield* accounts.looked({ owner, scan: next.scan, ...result }, yield* Clock.currentTimeMillis)
  })

  /** An account that cannot be looked at keeps its scan and goes to the end of the queue: it holds up nobody else. */
  const lookAlone = (account: ReceivingAccount, balance: bigint, seen: Balances) =>
    look(account, balance, seen).pipe(
      Effect.catchTag("UpstreamError", ({ detail, kind }) =>
        Effect.logWarning("a receiving account was not looked at").pipe(
          Effect.annotateLogs({ owner: account.owner, kind, detail }),
          Effect.zipRight(Clock.currentTimeMillis),
          Effect.flatMap((now) => accounts.unchanged([account.owner], now))
        )
      )
    )

  return Effect.gen(function* () {
    if (!(yield* lease.hold)) return 0
    const now = yield* Clock.currentTimeMillis
    const next = yield* accounts.next(now, ACCOUNTS_A_ROUND)
    if (next.length === 0) return 0
    const seen = yield* history.balances(next.map(({ owner }) => owner))
    const paired = next.map((account, index) => ({ account, balance: seen.amounts[index] ?? 0n }))
    const isOfInterest = ({ account, balance }: (typeof paired)[number]) =>
      account.isDue || account.balance !== balance
    const changed = paired.filter(isOfInterest).slice(0, LOOKS_A_ROUND)
    const quiet = paired.filter((pair) => !isOfInterest(pair)).map(({ account }) => account.owner)
    yield* accounts.unchanged(quiet, now)
    yield* Effect.forEach(changed, ({ account, balance }) => lookAlone(account, balance, seen), {
      concurrency: 4,
      discard: true
    })
    return changed.length
  }).pipe(Effect.withSpan("Checkouts.findTransfers"))
})
