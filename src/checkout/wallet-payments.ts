import { Clock, Effect } from "effect"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { UnassignedReason } from "../domain/merchant.ts"
import { Ledger } from "../payment/ledger/ledger.ts"
import type { Evidence } from "../payment/outcome.ts"
import { settlerConfig } from "../payment/settler/settings.ts"
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

const asEvidence = ({ terms }: Checkout, change: AccountChange): Evidence => ({
  network: SOLANA_NETWORK,
  transaction: change.transaction,
  index: change.index,
  height: change.slot,
  payer: change.counterparty ?? "",
  payTo: terms.payTo,
  amount: change.change.toString()
})

/** The order a transfer names. One that names two orders, or an order of another merchant, pays none. */
const makeOrderOf = (repo: CheckoutRepo["Type"]) =>
  Effect.fnUntraced(function* ({ owner }: ReceivingAccount, { references }: AccountChange) {
    const named = yield* repo.findByReferences(references)
    const [checkout] = named
    if (checkout === undefined) return "no-order" as const
    if (named.length > 1) return "several-orders" as const
    return checkout.terms.payTo === owner ? checkout : ("other-merchant" as const)
  })

const strayOf = ({ owner }: ReceivingAccount, change: AccountChange, reason: UnassignedReason) => {
  const account = `${SOLANA_NETWORK}:${owner}`
  const { at, change: amount, counterparty: payer, transaction } = change
  const evidence = evidenceOf(SOLANA_NETWORK, transaction, account)
  return { evidence, account, transaction, payer, amount, at, reason }
}

/** Writes one change of an account down. False: it has to be seen again. */
const makeJournal = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const ledger = yield* Ledger
  const unassigned = yield* UnassignedTransfers
  const { finalityFrom } = yield* settlerConfig
  const record = makeRecordTransfer(repo)
  const orderOf = makeOrderOf(repo)

  /** It may be a payment through verify on its way into the ledger, which has to speak first. */
  const isUnderWay = ({ status, terms }: Checkout, { feePayer }: AccountChange) =>
    terms.extra["feePayer"] === feePayer && status === "processing"

  return Effect.fnUntraced(function* (account: ReceivingAccount, change: AccountChange, final: bigint) {
    if (change.change === 0n) return true
    const checkout = yield* orderOf(account, change)
    if (typeof checkout === "string") {
      if (change.change > 0n) yield* unassigned.note(strayOf(account, change, checkout))
      return true
    }
    if (isUnderWay(checkout, change)) return false
    // As in a sale: what is large counts when no reorganisation takes it back any more.
    if (change.change >= finalityFrom && BigInt(change.slot) > final) return false
    const transfer = transferOf(checkout, change)
    // One transfer pays once, over every channel; an order may be paid in parts, so each has a claimant of its own.
    const claimant = `checkout ${checkout.id} ${change.transaction}`
    if (transfer.via === "wallet" && !(yield* ledger.claimEvidence(asEvidence(checkout, change), claimant)))
      return true
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
})

/** Reads an account through, page by page. One that cannot be looked at keeps its scan and goes to the end of the queue. */
const makeLook = Effect.gen(function* () {
  const accounts = yield* ReceivingAccounts
  const history = yield* AccountHistory
  const journal = yield* makeJournal

  const look = Effect.fnUntraced(function* (account: ReceivingAccount, balance: bigint, seen: Balances) {
    const { owner, scan } = account
    const read = yield* history.page({ ...scan, owner, from: account.watchFrom - SLACK, slot: seen.slot })
    const final = read.changes.length === 0 ? 0n : yield* history.finalSlot
    const done = yield* Effect.forEach(read.changes, (change) => journal(account, change, final))
    const next = advance(scan, { ...read, isDone: read.isWhole && done.every(Boolean) })
    // Without a balance the account is looked at again whatever moves meanwhile.
    const result = next.isComplete ? { balance, scannedTo: seen.time } : { balance: null, scannedTo: 0 }
    const now = yield* Clock.currentTimeMillis
    yield* accounts.looked(SOLANA_NETWORK, { owner, scan: next.scan, ...result }, now)
  })

  return (account: ReceivingAccount, balance: bigint, seen: Balances) =>
    look(account, balance, seen).pipe(
      Effect.catchTag("UpstreamError", ({ detail, kind }) =>
        Effect.logWarning("a receiving account was not looked at").pipe(
          Effect.annotateLogs({ owner: account.owner, kind, detail }),
          Effect.zipRight(Clock.currentTimeMillis),
          Effect.flatMap((now) => accounts.unchanged(SOLANA_NETWORK, [account.owner], now))
        )
      )
    )
})

/**
 * Finds what wallets paid by themselves on Solana. One process does it for all. A round reads the balances of many
 * merchants in one call, reads through only the accounts whose balance moved or whose checkouts wait to be ended, and
 * writes every transfer that names an order into the journal. How many accounts it read through.
 */
export const makeFindTransfers = Effect.gen(function* () {
  const accounts = yield* ReceivingAccounts
  const history = yield* AccountHistory
  const lease = yield* makeLease("checkout-accounts", LEASE_MILLIS)
  const look = yield* makeLook

  return Effect.gen(function* () {
    if (!(yield* lease.hold)) return 0
    const now = yield* Clock.currentTimeMillis
    const next = yield* accounts.next(SOLANA_NETWORK, now, ACCOUNTS_A_ROUND)
    if (next.length === 0) return 0
    const seen = yield* history.balances(next.map(({ owner }) => owner))
    const paired = next.map((account, index) => ({ account, balance: seen.amounts[index] ?? 0n }))
    const isOfInterest = ({ account, balance }: (typeof paired)[number]) =>
      account.isDue || account.balance !== balance
    const changed = paired.filter(isOfInterest).slice(0, LOOKS_A_ROUND)
    const quiet = paired.filter((pair) => !isOfInterest(pair)).map(({ account }) => account.owner)
    yield* accounts.unchanged(SOLANA_NETWORK, quiet, now)
    yield* Effect.forEach(changed, ({ account, balance }) => look(account, balance, seen), {
      concurrency: 4,
      discard: true
    })
    return changed.length
  }).pipe(Effect.withSpan("Checkouts.findTransfers"))
})
