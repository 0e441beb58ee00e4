import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { encodeAbiParameters, encodeEventTopics, type Hex, pad, type TransactionReceipt } from "viem"
import { BASE_USDC } from "../../../../src/domain/chain.ts"
import type { Job } from "../../../../src/payment/settler/evm/job.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import type { EvmNode, Receipt } from "../../../../src/payment/settler/evm/node.ts"
import { makeRecorder } from "../../../../src/payment/settler/evm/recorder.ts"
import { asHex, usdcAbi } from "../../../../src/payment/verifier/evm/usdc.ts"
import { ETHER_PRICE, journalAt, settings } from "../../../support/payment/base-settling.ts"

const KEY: Hex = `0x${"11".repeat(20)}`
const SHOP: Hex = `0x${"77".repeat(20)}`
const HASH: Hex = `0x${"aa".repeat(32)}`
const ASSET = asHex(BASE_USDC.toLowerCase())
const [PING, LARGE] = [5_000n, settings.finalityFrom]
const HEIGHT = 100

const jobOf = (amount: bigint): Job => ({
  authorizationKey: `payment of ${amount}`,
  asset: ASSET,
  data: "0x",
  gas: 90_000n,
  payer: `0x${String(amount).padStart(40, "0")}`,
  nonce: `0x${String(amount).padStart(64, "0")}`,
  payTo: SHOP,
  amount,
  validBefore: 2_000_000_000,
  alone: false
})

const topic = (eventName: "AuthorizationUsed" | "Transfer") =>
  asHex(encodeEventTopics({ abi: usdcAbi, eventName })[0])

/** The logs FiatToken emits for one authorization. */
const logsOf = ({ amount, nonce, payer, payTo }: Job): TransactionReceipt["logs"] => {
  const place = {
    address: ASSET,
    blockHash: HASH,
    blockNumber: BigInt(HEIGHT),
    blockTimestamp: 0n,
    logIndex: 0,
    transactionHash: HASH,
    transactionIndex: 0,
    removed: false
  }
  return [
    { ...place, topics: [topic("AuthorizationUsed"), pad(payer), nonce], data: "0x" },
    {
      ...place,
      topics: [topic("Transfer"), pad(payer), pad(payTo)],
      data: encodeAbiParameters([{ type: "uint256" }], [amount])
    }
  ]
}

const unused = Effect.dieMessage("not asked here")

describe("a payment in a block of Base", () => {
  it.effect("counts at once when it is small, and from SETTLEMENT_FINALITY_USD on in a safe block", () =>
    Effect.gen(function* () {
      const jobs = [jobOf(PING), jobOf(LARGE)]
      const receipt: Receipt = {
        hash: HASH,
        succeeded: true,
        height: HEIGHT,
        blockHash: HASH,
        gasUsed: 150_000n,
        gasPrice: 6_000_000n,
        dataFee: 0n,
        logs: jobs.flatMap(logsOf)
      }
      let safe = HEIGHT - 1
      const node: EvmNode = {
        market: unused,
        balance: () => unused,
        safeHeight: Effect.sync(() => safe),
        used: () => unused,
        blockHash: () => unused,
        receipt: () => Effect.succeed(receipt),
        estimate: () => unused,
        hasCode: () => unused,
        send: () => unused,
        sendToAll: () => unused
      }
      const journal = yield* SettlementJournal
      yield* journal.hold(KEY)
      yield* journal.adoptNonce(KEY, 0)
      const attempt = { hash: HASH, raw: HASH, kind: "payment", maxFee: 10n, tip: 1n } as const
      const entries = jobs.map((job) => ({ job, stored: false }))
      const windowEnd = 2_000_000_000_000
      yield* journal.prepare({
        address: KEY,
        nonce: 0,
        gas: 200_000n,
        bound: 20n,
        windowEnd,
        entries,
        attempt,
        mostFee: 0n
      })
      const { finalityFrom } = settings
      const recorder = makeRecorder({
        node,
        journal,
        address: KEY,
        finalityFrom,
        taken: new Set(),
        announce: () => Effect.void
      })
      const results = (found: ReadonlyArray<{ readonly authorizationKey: string }> | undefined) =>
        (found ?? []).map(({ authorizationKey }) => authorizationKey)
      const [slot] = yield* journal.slots(KEY, 0)
      if (slot === undefined) return yield* Effect.dieMessage("the nonce is taken")

      expect(results(yield* recorder.find(slot, ETHER_PRICE))).toEqual([`payment of ${PING}`])
      expect(Option.getOrThrow(yield* journal.find(`payment of ${LARGE}`)).result.state).toBe("pending")
      expect(results(yield* recorder.finish(ETHER_PRICE))).toEqual([])
      safe = HEIGHT
      expect(results(yield* recorder.finish(ETHER_PRICE))).toContain(`payment of ${LARGE}`)
      expect(Option.getOrThrow(yield* journal.find(`payment of ${LARGE}`)).result.state).toBe("landed")
    }).pipe(Effect.provide(journalAt(":memory:")))
  )
})
