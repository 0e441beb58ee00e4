/**
 * What settling on Base costs and how much of it one key does: gas and fee per payment in batches of 1, 5 and 20; forty
 * payments at once over two processes' senders with 60 ms to the node; payments per second with 50 ms and blocks of two
 * seconds. `npx tsx scripts/bench/settlement.ts`
 */
import { Clock, Duration, Effect, Layer, Logger, LogLevel, Redacted, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import {
  journalAt,
  newPayer,
  settlingOn,
  settlingOver,
  signedPayment
} from "../../test/support/payment/base-settling.ts"
import type { SettlementOutcome } from "../../src/payment/outcome.ts"
import { feeMicros } from "../../src/payment/settler/evm/offers.ts"
import { evmAccount } from "../sandbox/accounts.ts"
import { type BaseChain, startBaseChain } from "../sandbox/base/base-chain.ts"

/** Base's usual fees: base fee 0.005 gwei, tip 0.001 gwei, ether at 3,000 USD. */
const PER_GAS = 6_000_000n
const ETHER = 3_000_000_000n
const begun = { transaction: null, since: 0 }
const settler = evmAccount("settler")

/** Our side over a line of this length to the node. */
const distant = (chain: BaseChain, millis: number) =>
  Effect.flatMap(
    makeBaseRpcWith({
      urls: [Redacted.make(chain.url)],
      timeout: "8 seconds",
      concurrency: 32,
      fetch: async (input, init) => {
        await new Promise((passed) => setTimeout(passed, millis))
        return fetch(input, init)
      }
    }),
    (rpc) => settlingOn(rpc, { accounts: [settler] })
  )

const sign = (chain: BaseChain, count: number) =>
  Effect.gen(function* () {
    const validBefore = Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 100
    const payTo = chain.accounts.merchant.address
    const payer = yield* newPayer(chain)
    return yield* Effect.all(
      Array.from({ length: count }, () => signedPayment({ payer, payTo, validBefore }))
    )
  })

const settled = (outcomes: ReadonlyArray<SettlementOutcome>) =>
  outcomes.flatMap((one) => (one.state === "settled" ? [one.evidence] : []))

const batch = (chain: BaseChain, size: number) =>
  Effect.gen(function* () {
    const { settle } = yield* settlingOver(chain.url, { accounts: [settler] })
    const [first, ...others] = yield* sign(chain, size + 1)
    if (first !== undefined) yield* settle(first, begun)
    // No block until all of the batch waits behind one that is on its way.
    yield* Effect.promise(() => chain.devnet.request("evm_setAutomine", [false]))
    const outcomes = yield* Effect.forEach(others, (payment) => settle(payment, begun), {
      concurrency: "unbounded"
    }).pipe(
      Effect.zipLeft(
        Effect.promise(() => chain.devnet.request("evm_mine", [])).pipe(Effect.delay("1500 millis")),
        {
          concurrent: true
        }
      )
    )
    const hashes = new Map<string, number>()
    for (const { transaction } of settled(outcomes)) {
      hashes.set(transaction, (hashes.get(transaction) ?? 0) + 1)
    }
    for (const [hash, count] of hashes) {
      const receipt = yield* Effect.promise(() =>
        chain.devnet.client.getTransactionReceipt({ hash: `0x${hash.slice(2)}` })
      )
      const each = receipt.gasUsed / BigInt(count)
      console.log(
        `batch of ${count}: ${each} gas and ${Number(feeMicros(each, PER_GAS, ETHER)) / 1e6} USD per payment`
      )
    }
    yield* Effect.promise(() => chain.devnet.request("evm_setAutomine", [true]))
  }).pipe(Effect.provide(journalAt(":memory:")), Effect.scoped)

const report = (name: string, millis: ReadonlyArray<number>, total: number, count: number, asked: number) => {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1_000).toFixed(1)} s`
  console.log(
    `${name}: ${count} of ${asked} settled in ${(total / 1_000).toFixed(1)} s` +
      ` (${((count * 1_000) / total).toFixed(1)} per second), p50 ${at(0.5)}, p99 ${at(0.99)}`
  )
}

type Settling = Effect.Effect.Success<ReturnType<typeof settlingOver>>

const run = (
  name: string,
  chain: BaseChain,
  sides: ReadonlyArray<Settling>,
  count: number,
  perSecond: number
) =>
  Effect.gen(function* () {
    const all = yield* sign(chain, count)
    const started = yield* Clock.currentTimeMillis
    const before = yield* sent(chain)
    const outcomes = yield* Effect.forEach(
      all,
      (payment, at) =>
        Effect.gen(function* () {
          const side = sides[at % sides.length]
          const from = yield* Clock.currentTimeMillis
          const outcome = yield* side === undefined ? Effect.never : side.settle(payment, begun)
          return { outcome, millis: (yield* Clock.currentTimeMillis) - from }
        }).pipe(Effect.delay(Duration.millis((at * 1_000) / perSecond))),
      { concurrency: "unbounded" }
    )
    const total = (yield* Clock.currentTimeMillis) - started
    const done = settled(outcomes.map(({ outcome }) => outcome))
    report(
      name,
      outcomes.map(({ millis }) => millis),
      total,
      new Set(done.map(({ transaction, index }) => `${transaction}${index}`)).size,
      count
    )
    console.log(`  in ${(yield* sent(chain)) - before} transactions`)
  })

const sent = (chain: BaseChain) =>
  Effect.promise(() => chain.devnet.client.getTransactionCount({ address: settler.address }))

const blocksOfTwoSeconds = (chain: BaseChain) =>
  Effect.promise(async () => {
    await chain.devnet.request("evm_setAutomine", [false])
    await chain.devnet.request("evm_setIntervalMining", [2])
  })

const twoProcesses = (chain: BaseChain): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = mkdtempSync(join(tmpdir(), "settlement-bench-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true, force: true })))
    const side = distant(chain, 60)
    const sides = yield* Effect.all(
      [1, 2].map(() =>
        Effect.flatMap(Layer.build(Layer.fresh(journalAt(join(directory, "bench.db")))), (journal) =>
          Effect.provide(side, journal)
        )
      )
    )
    yield* run("40 at once over two processes, 60 ms", chain, sides, 40, 1e6)
  })

const program = Effect.gen(function* () {
  const chain = yield* startBaseChain()
  for (const size of [1, 5, 20]) yield* batch(chain, size)
  yield* blocksOfTwoSeconds(chain)
  yield* Effect.scoped(twoProcesses(chain))
  yield* Effect.gen(function* () {
    const side = yield* distant(chain, 50)
    yield* run("60 per second for 10 s, one key, 50 ms, blocks of 2 s", chain, [side], 600, 60)
  }).pipe(Effect.provide(journalAt(":memory:")), Effect.scoped)
})

await Effect.runPromise(
  Effect.scoped(program).pipe(Effect.orDie, Logger.withMinimumLogLevel(LogLevel.Warning))
)
