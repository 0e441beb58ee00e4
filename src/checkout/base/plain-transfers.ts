import { Clock, Effect } from "effect"
import { encodeFunctionData, getAddress, hexToBigInt, isHex, parseAbiItem } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { BASE_NETWORK, BASE_USDC } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import type { Evidence } from "../../payment/outcome.ts"
import { settlerConfig } from "../../payment/settler/settings.ts"
import { makeLease } from "../../storage/lease.ts"
import type { Checkout } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { makeRecordTransfer } from "../paid-record.ts"
import type { ReceivingAccount } from "../receiving-accounts.ts"
import { ReceivingAccounts } from "../receiving-accounts.ts"
import { FRESH } from "../scan.ts"
import { UnassignedTransfers } from "../unassigned-transfers.ts"
import { amountReference } from "./plain-amount.ts"
import type { Inflow } from "./usdc-inflow.ts"
import { readInflows } from "./usdc-inflow.ts"

/** Accounts whose balance one round reads, in one call. */
const ACCOUNTS_A_ROUND = 200
/** Accounts one round reads through. */
const LOOKS_A_ROUND = 10
const LEASE_MILLIS = 60_000
/** Blocks one look reads through; public nodes list no more at once. */
const SPAN = 2_000
/** A block takes two seconds; twice as many are looked through where an account's past begins. */
const BLOCK_MILLIS = 1_000
/** The chain's clock and ours may differ. Milliseconds. */
const SLACK = 60_000

const BALANCE_OF = parseAbiItem("function balanceOf(address) view returns (uint256)")
const usdc = getAddress(BASE_USDC)

/** Balances of many accounts at one block, in one call. */
const makeBalances = ({ readAll }: BaseRpc) =>
  Effect.fnUntraced(function* (owners: ReadonlyArray<string>) {
    const reads = owners.map((owner) => ({
      to: usdc,
      data: encodeFunctionData({
        abi: [BALANCE_OF],
        functionName: "balanceOf",
        args: [getAddress(owner.toLowerCase())]
      })
    }))
    const { blockNumber, blockTime, results } = yield* readAll(reads)
    const amounts = results.map(({ data, ok }) =>
      ok && isHex(data) && data !== "0x" ? hexToBigInt(data) : null
    )
    if (amounts.includes(null))
      return yield* new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "no USDC balance" })
    return { block: Number(blockNumber), time: Number(blockTime) * 1000, amounts }
  })

const asEvidence = ({ terms }: Checkout, inflow: Inflow): Evidence => ({
  network: BASE_NETWORK,
  transaction: inflow.transaction,
  index: inflow.position,
  height: inflow.height,
  blockHash: inflow.blockHash,
  payer: inflow.payer,
  payTo: terms.payTo,
  amount: inflow.amount.toString()
})

/** Writes one transfer down: for the order its amount names, or as money that names none. */
const makeJournal = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const ledger = yield* Ledger
  const unassigned = yield* UnassignedTransfers
  const record = makeRecordTransfer(repo)

  const stray = (owner: string, { amount, at, payer, position, transaction }: Inflow) =>
    unassigned.note({
      evidence: `${BASE_NETWORK}:${transaction}:${position}:${owner}`,
      account: `${BASE_NETWORK}:${owner}`,
      transaction,
      payer,
      amount,
      at,
      reason: "no-order"
    })

  return Effect.fnUntraced(function* (owner: string, inflow: Inflow) {
    // A payment the ledger knows pays what it was presented for, whatever its amount.
    const { authorizationKey } = inflow
    if (authorizationKey !== null && (yield* ledger.find(authorizationKey))._tag === "Some") return
    const [checkout] = yield* repo.findByReferences([amountReference(owner, inflow.amount)])
    // What was there before the order cannot have been meant for it.
    if (checkout === undefined || inflow.at < checkout.createdAt - SLACK) return yield* stray(owner, inflow)
    const { payer, position, transaction } = inflow
    const claimant = `checkout ${checkout.id} ${transaction}:${position}`
    if (!(yield* ledger.claimEvidence(asEvidence(checkout, inflow), claimant))) return
    const settlement = {
      success: true,
      transaction,
      network: BASE_NETWORK,
      amount: inflow.amount.toString(),
      payer
    }
    const paymentKey = authorizationKey ?? `usdc-transfer:${transaction}:${position}`
    yield* record(
      {
        evidence: `${BASE_NETWORK}:${transaction}:${position}`,
        checkoutId: checkout.id,
        via: "wallet",
        transaction,
        payer,
        amount: inflow.amount,
        at: inflow.at
      },
      { paymentKey, settlement, binding: "amount" }
    )
  })
})

/** What one round saw of all its accounts. */
interface Seen {
  readonly block: number
  readonly time: number
}

/** Reads the next blocks of an account. What is large counts when Base calls its block safe, as in a sale. */
const makeLook = Effect.gen(function* () {
  const { base } = yield* ChainRpc
  const accounts = yield* ReceivingAccounts
  const { finalityFrom } = yield* settlerConfig
  const journal = yield* makeJournal

  const safeBlock = Effect.tryPromise({
    try: async () => Number((await base.client.getBlock({ blockTag: "safe" })).number),
    catch: () => new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "no safe block" })
  })

  const firstBlock = ({ watchFrom }: ReceivingAccount, { block, time }: Seen) =>
    Math.max(0, block - Math.ceil((time - watchFrom + SLACK) / BLOCK_MILLIS))

  return Effect.fnUntraced(function* (account: ReceivingAccount, balance: bigint, seen: Seen) {
    const { owner, scan } = account
    const from = scan.cursor === null ? firstBlock(account, seen) : Number(scan.cursor)
    const to = Math.min(seen.block, from + SPAN)
    const inflows = from >= to ? [] : yield* readInflows(base, { owner, from, to })
    const large = inflows.filter(({ amount }) => amount >= finalityFrom)
    const safe = large.length === 0 ? to : yield* safeBlock
    const waiting = large.filter(({ height }) => height > safe)
    yield* Effect.forEach(
      inflows.filter((inflow) => !waiting.includes(inflow)),
      (inflow) => journal(owner, inflow),
      { discard: true }
    )
    const read = Math.min(to, ...waiting.map(({ height }) => height - 1))
    const isComplete = read === seen.block
    const result = isComplete ? { balance, scannedTo: seen.time } : { balance: null, scannedTo: 0 }
    const cursor = String(Math.max(from, read))
    const now = yield* Clock.currentTimeMillis
    yield* accounts.looked(BASE_NETWORK, { owner, scan: { ...FRESH, cursor }, ...result }, now)
  })
})

/**
 * Finds plain USDC transfers on Base that name an order by their amount. One process does it for all. A round reads the
 * balances of many merchants in one call, and reads through only the accounts whose balance moved or whose checkouts
 * wait to be ended. How many accounts it read through.
 */
export const makeFindPlainTransfers = Effect.gen(function* () {
  const accounts = yield* ReceivingAccounts
  const balances = makeBalances((yield* ChainRpc).base)
  const lease = yield* makeLease("checkout-base-accounts", LEASE_MILLIS)
  const look = yield* makeLook

  /** An account that cannot be read goes to the end of the queue: it holds up nobody else. */
  const lookAlone = (account: ReceivingAccount, balance: bigint, seen: Seen) =>
    look(account, balance, seen).pipe(
      Effect.catchTag("UpstreamError", ({ detail, kind }) =>
        Effect.logWarning("a receiving account was not looked at").pipe(
          Effect.annotateLogs({ owner: account.owner, kind, detail }),
          Effect.zipRight(Clock.currentTimeMillis),
          Effect.flatMap((now) => accounts.unchanged(BASE_NETWORK, [account.owner], now))
        )
      )
    )

  return Effect.gen(function* () {
    if (!(yield* lease.hold)) return 0
    const now = yield* Clock.currentTimeMillis
    const next = yield* accounts.next(BASE_NETWORK, now, ACCOUNTS_A_ROUND)
    if (next.length === 0) return 0
    const seen = yield* balances(next.map(({ owner }) => owner))
    const paired = next.map((account, index) => ({ account, balance: seen.amounts[index] ?? 0n }))
    const isOfInterest = ({ account, balance }: (typeof paired)[number]) =>
      account.isDue || account.balance !== balance
    const changed = paired.filter(isOfInterest).slice(0, LOOKS_A_ROUND)
    const quiet = paired.filter((pair) => !isOfInterest(pair)).map(({ account }) => account.owner)
    yield* accounts.unchanged(BASE_NETWORK, quiet, now)
    yield* Effect.forEach(changed, ({ account, balance }) => lookAlone(account, balance, seen), {
      discard: true
    })
    return changed.length
  }).pipe(Effect.withSpan("Checkouts.findPlainTransfers"))
})
