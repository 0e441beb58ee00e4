import { Effect } from "effect"
import { encodeFunctionData, getAddress, hexToBigInt, isHex } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { askBlock } from "../../chain/evm-blocks.ts"
import { BASE_NETWORK } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"
import type { Evidence } from "../../payment/outcome.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import { settlerConfig } from "../../payment/settler/settings.ts"
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
  { amount, blockHash, height, payer, position, transaction }: Inflow,
  payTo: string
): Evidence => ({
  network: BASE_NETWORK,
  transaction,
  index: position,
  height,
  blockHash,
  payer,
  payTo,
  amount: amount.toString()
})

/** Writes one transfer down: for the order its amount names, or as money without an order. */
const makeJournal = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const ledger = yield* Ledger
  const noteStray = yield* makeNoteStray
  const credit = yield* makeCredit

  const stray = (owner: string, inflow: Inflow) => {
    const { amount, at, payer, position, transaction } = inflow
    const evidence = `${BASE_NETWORK}:${transaction}:${position}:${owner}`
    const account = `${BASE_NETWORK}:${owner}`
    const row = { evidence, account, transaction, payer, amount, at, reason: "no-order" } as const
    return noteStray(row, placeOf(inflow, owner))
  }

  return Effect.fnUntraced(function* (owner: string, inflow: Inflow) {
    // A payment the ledger knows pays what it was presented for, whatever its amount.
    const { at, authorizationKey, payer, position, transaction } = inflow
    if (authorizationKey !== null && (yield* ledger.find(authorizationKey))._tag === "Some") return
    const [checkout] = yield* repo.findByReferences([amountReference(owner, inflow.amount)])
    // A transfer from before the order cannot have been meant for it.
    if (checkout === undefined || at < checkout.createdAt - SLACK) return yield* stray(owner, inflow)
    const name = `${transaction}:${position}`
    yield* credit(checkout, {
      evidence: placeOf(inflow, checkout.terms.payTo),
      name,
      payer,
      at,
      paymentKey: authorizationKey ?? `usdc-transfer:${name}`,
      binding: "amount"
    })
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
    const counted = inflows.filter((inflow) => !isWaiting(inflow))
    yield* Effect.forEach(counted, (inflow) => journal(owner, inflow), { discard: true })
    const read = Math.min(to, ...inflows.filter(isWaiting).map(({ height }) => height - 1))
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
