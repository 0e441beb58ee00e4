import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Address, Hex } from "viem"
import { concat, numberToHex, pad } from "viem"
import type { BaseRpc, EvmCall, Inspected } from "../../../../src/chain/chain-rpc.ts"
import { TRANSFER } from "../../../../src/chain/evm-events.ts"
import type { EvmLog } from "../../../../src/chain/evm-logs.ts"
import { keccakHex } from "../../../../src/chain/keccak.ts"
import { type Fact, known, missing } from "../../../../src/domain/fact.ts"
import type { MarketPair } from "../../../../src/market/market-data.ts"
import { undecidedFindings } from "../../../../src/screening/base/power/analyse.ts"
import { beginEarly, readsAfter } from "../../../../src/screening/base/holders/early-look.ts"
import { type Places, placesOf } from "../../../../src/screening/base/holders/storage-places.ts"
import { POOL, TOKEN, pair } from "../../../support/base/fixtures.ts"
import { rpcOf } from "../../../support/base/rpc-of.ts"

const BLOCK = 70n
const CODE: Hex = "0x6001600255"
const BIRTH: Hex = `0x${"b1".repeat(32)}`
const [HOLDER, STRANGER]: readonly [Address, Address] = [`0x${"a1".repeat(20)}`, `0x${"57".repeat(20)}`]
const word = (address: Address): Hex => pad(address, { size: 32 })

const born: EvmLog = {
  address: TOKEN,
  topics: [TRANSFER, pad("0x", { size: 32 }), word(HOLDER)],
  data: pad("0x01", { size: 32 }),
  blockNumber: 5n,
  transactionHash: BIRTH,
  logIndex: 0n,
  blockHash: BIRTH
}

/** A node in whose storage one word answers each call, told by the call; it keeps what it was asked. */
const node = () => {
  const calls: Array<EvmCall> = []
  const methods: Array<string> = []
  const rpc = rpcOf(
    {
      callAll: (asked) =>
        Effect.sync(() => {
          calls.push(...asked)
          return asked.map(({ data }) => ({ ok: true, data: concat([keccakHex(data), word(HOLDER)]) }))
        }),
      blockNumber: Effect.succeed(BLOCK)
    },
    ({ method }) => {
      methods.push(method)
      return method === "eth_getTransactionByHash"
        ? Promise.resolve({ hash: BIRTH, from: HOLDER, input: "0x" })
        : Promise.resolve({ address: TOKEN, storageHash: BIRTH, storageProof: [] })
    }
  )
  return { calls, methods, rpc }
}

interface Known {
  readonly account?: Inspected
  readonly market?: Fact<ReadonlyArray<MarketPair>>
  readonly events?: ReadonlyArray<EvmLog> | null
}

const plain: Inspected = { code: CODE, slots: [], at: { blockNumber: BLOCK, blockTime: 1_000n } }
const listed = (pool: Address) => known([pair({ pairAddress: pool, createdAt: 1_000 })])

/** How the token's storage is read at a block, once what is known early was told; with the codes that were analysed. */
const told = (rpc: BaseRpc, { account = plain, events = [born], market = listed(POOL) }: Known, at = BLOCK) =>
  Effect.gen(function* () {
    const analysed: Array<Hex> = []
    const begun = yield* beginEarly(
      {
        rpc,
        analyser: {
          findings: (code) =>
            Effect.sync(() => {
              analysed.push(code)
              return undecidedFindings("not analysed")
            })
        }
      },
      TOKEN,
      {
        inspected: Effect.succeed(account),
        market: Effect.succeed(market),
        events: Fiber.succeed(events),
        keepsEmptied: Effect.succeed(false)
      }
    )
    if (begun !== null) yield* Fiber.join(begun.look)
    return { analysed, begun, reads: yield* readsAfter(rpc, TOKEN, at, Effect.succeed(begun)) }
  })

/** The places of the token, as they are once its pools are known. */
const placesWith = (...accounts: ReadonlyArray<Address>): Places =>
  placesOf(CODE, born.topics.slice(1), [], [TOKEN, ...accounts])

const isReadFor =
  (account: Address) =>
  ({ data }: EvmCall) =>
    data.includes(word(account).slice(2))

describe("a look at a token's storage before its pools are known", () => {
  it.scoped("is asked once, and analyses the code meanwhile", () =>
    Effect.gen(function* () {
      const { calls, methods, rpc } = node()
      const { analysed, begun, reads } = yield* told(rpc, {})
      expect(begun).not.toBeNull()
      const words = yield* reads.words(placesWith(POOL))
      expect(yield* reads.root([])).toEqual(known({ hash: BIRTH, inTree: [] }))
      expect(yield* reads.birth(BIRTH)).toEqual({ from: HOLDER, to: null, input: "0x" })
      expect(words.known && words.value).toHaveLength(calls.length)
      expect(new Set(calls.map(({ data }) => data)).size).toBe(calls.length)
      expect(calls.every(({ blockNumber }) => blockNumber === BLOCK)).toBe(true)
      expect(methods.toSorted()).toEqual(["eth_getProof", "eth_getTransactionByHash"])
      expect(analysed).toEqual([CODE])
    })
  )

  it.scoped("is completed by what turns out to be missing", () =>
    Effect.gen(function* () {
      const { calls, rpc } = node()
      const { reads } = yield* told(rpc, {})
      const [alone, whole] = [yield* reads.words(placesWith(POOL)), calls.length]
      const words = yield* reads.words(placesWith(POOL, STRANGER))
      const rest = calls.slice(whole)
      expect(rest.length).toBeGreaterThan(0)
      expect(rest.every(isReadFor(STRANGER))).toBe(true)
      expect(rest.some(isReadFor(HOLDER))).toBe(false)
      expect(words.known && alone.known && words.value.length).toBe(calls.length)
    })
  )

  it.scoped("counts for nothing where a market named somebody for a pool whom nobody looks at", () =>
    Effect.gen(function* () {
      const { calls, rpc } = node()
      const { begun, reads } = yield* told(rpc, { market: listed(STRANGER) })
      expect(begun?.plan.places.keys).toContain(word(STRANGER))
      const early = calls.length
      const words = yield* reads.words(placesWith(POOL))
      const again = calls.slice(early)
      expect(again.some(isReadFor(STRANGER))).toBe(false)
      expect(words).toEqual(
        known(again.map(({ data }) => ({ slot: BigInt(keccakHex(data)), value: BigInt(HOLDER) })))
      )
    })
  )

  it.scoped("counts for nothing at another block", () =>
    Effect.gen(function* () {
      const { calls, methods, rpc } = node()
      const { reads } = yield* told(rpc, {}, BLOCK + 1n)
      const early = calls.length
      yield* reads.words(placesWith(POOL))
      yield* reads.root([])
      const again = calls.slice(early)
      const asked = (some: ReadonlyArray<EvmCall>) => some.map(({ data }) => keccakHex(data))
      expect(asked(again)).toEqual(asked(calls.slice(0, early)))
      expect(again.every(({ blockNumber }) => blockNumber === BLOCK + 1n)).toBe(true)
      expect(methods.filter((method) => method === "eth_getProof")).toHaveLength(2)
    })
  )

  const proxied: Inspected = { ...plain, slots: [numberToHex(BigInt(STRANGER), { size: 32 })] }
  const cases: ReadonlyArray<readonly [string, Known]> = [
    ["a token that no market lists", { market: known([]) }],
    ["a token of which the market says nothing", { market: missing("no answer") }],
    ["a token without code", { account: { ...plain, code: "0x" } }],
    ["a token behind a proxy", { account: proxied }],
    ["a token whose block the node did not tell", { account: { code: CODE, slots: [] } }],
    ["a token whose events are not served", { events: null }]
  ]
  for (const [name, given] of cases)
    it.scoped(`is not taken of ${name}`, () =>
      Effect.gen(function* () {
        const { calls, methods, rpc } = node()
        const { analysed, begun } = yield* told(rpc, given)
        expect(begun).toBeNull()
        expect([calls, methods, analysed].flat()).toEqual([])
      })
    )
})
