import { Effect, Option } from "effect"
import { encodeFunctionData, getAddress, hexToBigInt, isHex } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { askBlock } from "../../chain/evm-blocks.ts"
import { BASE_NETWORK } from "../../domain/chain.ts"
import type { UnassignedReason } from "../../domain/merchant.ts"
import { UpstreamError } from "../../domain/errors.ts"
import type { Evidence } from "../../payment/outcome.ts"
import { fingerprintDigest } from "../../payment/fingerprint.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import { settlerConfig } from "../../payment/settler/settings.ts"
import { type Checkout, fingerprintOf } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { makeCredit, SLACK } from "../watch/credit.ts"
import type { ReceivingAccount } from "../watch/receiving-accounts.ts"
import type { Sight } from "../watch/round.ts"
import { makeRound } from "../watch/round.ts"
import { FRESH } from "../watch/scan.ts"
import { makeStanding, MOST_MOVED } from "../watch/standing.ts"
import { makeNoteStray } from "../watch/strays.ts"
import { amountReference } from "./plain-amount.ts"
import { USDC_ABI, usdc } from "./usdc.ts"
import { makeTrace } from "./trace.ts"
import type { Inflow, Inflows, Span } from "./usdc-inflow.ts"
import { makeReadInflows, SPAN } from "./usdc-inflow.ts"

/** A block takes two seconds; twice as many are looked through where an account's past begins. */
const BLOCK_MILLIS = 1_000

/** Balances of many accounts at one block. */
interface Balances extends Sight {
  readonly block: number
  /** Unix milliseconds. */
  readonly time: number
}

const noBalance = new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "no USDC balance" })

const makeBalances = ({ readAll }: BaseRpc) =>
  Effect.fnUntraced(function* (owners: ReadonlyArray<string>) {
    const reads = owners.map((owner) => ({
      to: usdc,
      data: encodeFunctionData({
        abi: USDC_ABI,
        functionName: "balanceOf",
        args: [getAddress(owner.toLowerCase())]
      })
    }))
    const { blockNumber, blockTime, results } = yield* readAll(reads)
    const amounts = yield* Effect.forEach(results, ({ data, ok }) =>
      ok && isHex(data) && data !== "0x" ? Effect.succeed(hexToBigInt(data)) : noBalance
    )
    return { block: Number(blockNumber), time: Number(blockTime) * 1000, amounts } satisfies Balances
  })

const placeOf = (
  { amount, blockHash, height, index, payer, transaction }: Inflow,
  payTo: string
): Evidence => ({
  network: BASE_NETWORK,
  transaction,
  index,
  height,
  blockHash,
  payer,
  payTo,
  amount: amount.toString()
})

/**
 * What the ledger says of the authorization a transfer belongs to. A payment that it took pays what it was presented for,
 * whatever its amount. One that was given back unsent, and that somebody else sent since, pays the order it was
 * presented for: that of its amount at once, and any other when it is presented there again. Until then it pays nothing,
 * like one that was refused, and its merchant is to see it. While a run works with it nothing is known yet.
 */
const makeTakenFor = Effect.map(Ledger, (ledger) =>
  Effect.fnUntraced(function* ({ authorizationKey }: Inflow, order: Checkout | undefined) {
    const known = authorizationKey === null ? Option.none() : yield* ledger.find(authorizationKey)
    if (Option.isNone(known)) return "nothing" as const
    const { fingerprint, ...entry } = known.value
    if (entry.state === "refused") return "unpaid" as const
    if (entry.state !== "claimed") return "another" as const
    if (!entry.lapsed) return "unknown" as const
    const isOurs = order !== undefined && fingerprint === fingerprintDigest(fingerprintOf(order.id))
    return isOurs ? ("nothing" as const) : ("unpaid" as const)
  })
)

/** Writes one transfer down: for the order its amount names, or as money without an order. False: it has to be seen again. */
const makeJournal = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const takenFor = yield* makeTakenFor
  const noteStray = yield* makeNoteStray
  const credit = yield* makeCredit

  const stray = (owner: string, inflow: Inflow, reason: UnassignedReason) => {
    const { amount, at, payer, position, transaction } = inflow
    const evidence = `${BASE_NETWORK}:${transaction}:${position}:${owner}`
    const account = `${BASE_NETWORK}:${owner}`
    const row = { evidence, account, transaction, payer, amount, at, reason }
    return noteStray(row, placeOf(inflow, owner))
  }

  return Effect.fnUntraced(function* (owner: string, inflow: Inflow) {
    const { at, authorizationKey, payer, position, transaction } = inflow
    const [checkout] = yield* repo.findByReferences([amountReference(owner, inflow.amount)])
    const taken = yield* takenFor(inflow, checkout)
    if (taken === "another" || taken === "unknown") return taken === "another"
    // A transfer from before the order cannot have been meant for it.
    if (checkout === undefined || taken === "unpaid" || at < checkout.createdAt - SLACK) {
      yield* stray(owner, inflow, "no-order")
      return true
    }
    const name = `${transaction}:${position}`
    const isCounted = yield* credit(checkout, {
      evidence: placeOf(inflow, checkout.terms.payTo),
      name,
      payer,
      at,
      paymentKey: authorizationKey ?? `usdc-transfer:${name}`,
      binding: "amount"
    })
    if (!isCounted) yield* stray(owner, inflow, "too-many")
    return true
  })
})

const firstBlock = ({ watchFrom }: ReceivingAccount, { block, time }: Balances): number =>
  Math.max(0, block - Math.ceil((time - watchFrom + SLACK) / BLOCK_MILLIS))

type ReadInflows = (span: Span) => Effect.Effect<Inflows, UpstreamError>

const makeSafeBlock = ({ client }: BaseRpc) =>
  Effect.tryPromise({
    try: async () => Number((await askBlock(client, "safe")).number),
    catch: () => new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "no safe block" })
  })

/**
 * Reads the next blocks of an account. What is large counts when Base calls its block safe, as in a sale. Blocks above
 * the safe one are read again at every look, for a reorganisation may put others in their place; but no more than it
 * may move, so that a chain whose safe block stands still is still read to its head.
 */
const makeLook = Effect.fnUntraced(function* (base: BaseRpc, readInflows: ReadInflows) {
  const { finalityFrom } = yield* settlerConfig
  const journal = yield* makeJournal
  const safeBlock = makeSafeBlock(base)

  return Effect.fnUntraced(function* (account: ReceivingAccount, balance: bigint, seen: Balances) {
    const { owner, scan } = account
    const from = scan.cursor === null ? firstBlock(account, seen) : Number(scan.cursor)
    const to = Math.min(seen.block, from + SPAN)
    // The final block is asked for first, so that what is listed below it stays.
    const safe = yield* safeBlock
    const { inflows } = from >= to ? { inflows: [] } : yield* readInflows({ owner, from, to })
    const isWaiting = ({ amount, height }: Inflow) => amount >= finalityFrom && height > safe
    const isDone = (inflow: Inflow) => (isWaiting(inflow) ? Effect.succeed(false) : journal(owner, inflow))
    const undone = yield* Effect.filter(inflows, isDone, { negate: true })
    const read = Math.min(to, ...undone.map(({ height }) => height - 1))
    const cursor = String(Math.max(from, Math.min(read, Math.max(safe, read - MOST_MOVED))))
    const isComplete = read === seen.block
    return {
      scan: { ...FRESH, cursor },
      knownFrom: account.knownFrom,
      ...(isComplete ? { balance, scannedTo: seen.time } : { balance: null, scannedTo: 0 })
    }
  })
})

/** Finds plain USDC transfers on Base that name an order by their amount. See `makeRound`. */
export const makeFindPlainTransfers = Effect.gen(function* () {
  const { base } = yield* ChainRpc
  const readInflows = makeReadInflows(base)
  return yield* makeRound({
    network: BASE_NETWORK,
    lease: { name: "checkout-base-accounts", millis: 60_000 },
    mostSeen: 200,
    mostLooks: 10,
    looksAtOnce: 1,
    see: makeBalances(base),
    look: yield* makeLook(base, readInflows),
    standing: yield* makeStanding(BASE_NETWORK, makeTrace(readInflows))
  })
})
