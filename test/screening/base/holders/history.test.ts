import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Hex } from "viem"
import { createPublicClient, custom, numberToHex, pad } from "viem"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { historyOf, readEvents } from "../../../../src/screening/base/holders/history.ts"
import { TOKEN } from "../../../support/base/fixtures.ts"

const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const NOW = 1_000_000n
/** Seconds. */
const AGE = 100_000n
/** The block of a day before that. */
const FIRST = NOW - AGE / 2n - 43_200n

const account = (index: number): Hex =>
  numberToHex(0xabcdef0123456789n * 2n ** 64n + BigInt(index), { size: 20 })

const transferAt = (block: bigint, index: number) => ({
  address: TOKEN,
  topics: [TRANSFER, pad("0x"), pad(account(index))],
  data: pad("0x01"),
  blockNumber: numberToHex(block),
  blockHash: pad("0x01"),
  transactionHash: pad(numberToHex(index + 1)),
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false
})

interface Asked {
  readonly params: ReadonlyArray<{ readonly fromBlock: Hex; readonly toBlock: Hex | "latest" }>
}

/** A node with these events, which serves all blocks at once or refuses that, and more than so many. */
const node = (logs: ReadonlyArray<{ readonly blockNumber: Hex }>, servesAll: boolean, most = NOW) => {
  const asked: Array<bigint> = []
  const request = ({ params }: Asked) => {
    const from = BigInt(params[0]?.fromBlock ?? "0x0")
    const end = params[0]?.toBlock ?? "latest"
    const to = end === "latest" ? NOW + 1n : BigInt(end)
    asked.push(from)
    return !servesAll && (from === 0n || to - from + 1n > most)
      ? Promise.reject(new Error("range too wide"))
      : Promise.resolve(
          logs.filter(({ blockNumber }) => BigInt(blockNumber) >= from && BigInt(blockNumber) <= to)
        )
  }
  const client: BaseRpc["client"] = createPublicClient({
    transport: custom({ request }, { retryCount: 0 })
  })
  return { asked, rpc: { client, nodes: [{ host: "one", client }] } }
}

const told = [transferAt(FIRST - 1n, 1), transferAt(FIRST, 2), transferAt(NOW, 3), transferAt(NOW + 1n, 4)]

const historyFrom = ({ rpc }: ReturnType<typeof node>) =>
  Effect.flatMap(Effect.fork(readEvents(rpc, TOKEN)), (events) => historyOf(rpc, TOKEN, NOW, AGE, events))

it.effect("is what a token told since a day before its first pool, taken from all it ever told", () =>
  Effect.gen(function* () {
    const all = node(told, true)
    const history = yield* historyFrom(all)
    expect(history.transfers.map(({ to }) => to)).toEqual([account(2), account(3)])
    expect(history).toMatchObject({ birth: told[1]?.transactionHash, whole: true })
    expect(all.asked).toEqual([0n])
  })
)

it.effect("is asked for by the token's age where the node does not serve all blocks", () =>
  Effect.gen(function* () {
    const bounded = node(told.slice(0, 3), false)
    expect(yield* historyFrom(bounded)).toEqual(yield* historyFrom(node(told, true)))
    expect(bounded.asked).toEqual([0n, FIRST])
  })
)

it.effect(
  "is whole where the node serves it in parts, and is not where it serves none as long as is needed",
  () =>
    Effect.gen(function* () {
      const parted = node(told.slice(0, 3), false, 10_000n)
      expect(yield* historyFrom(parted)).toEqual(yield* historyFrom(node(told, true)))
      const small = node(told.slice(0, 3), false, 2_000n)
      const history = yield* historyFrom(small)
      expect(history.whole).toBe(false)
      // The launch and now, in parts of their own.
      expect(history.transfers.map(({ to }) => to)).toEqual([account(3)])
    })
)

it.live("is asked for by the token's age where all its events take long", () =>
  Effect.gen(function* () {
    const { asked, rpc } = node(told.slice(0, 3), false)
    const { whole } = yield* historyOf(rpc, TOKEN, NOW, AGE, yield* Effect.fork(Effect.never))
    expect({ asked, whole }).toEqual({ asked: [FIRST], whole: true })
  })
)
