import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Hex } from "viem"
import { concatHex, createTestClient, http, numberToHex, pad, size } from "viem"
import { base } from "viem/chains"
import { startAnvil } from "../../scripts/sandbox/base/anvil.ts"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import { FOUND, SUBJECT, readsOf } from "../../src/chain/chain-rpc.ts"
import { decodeDeployless, packDeployless } from "../../src/chain/evm-batch.ts"
import { options } from "../support/chain/rpc-double.ts"

const echo = "0x00000000000000000000000000000000000e0001"
const reverter = "0x00000000000000000000000000000000000e0002"
const burner = "0x00000000000000000000000000000000000e0003"
const bomber = "0x00000000000000000000000000000000000e0004"
const multicall3 = "0xcA11bde05977b3631167028862bE2a173976CA11"

// Hand-made: give the call data back; revert with it; burn all gas; answer with a megabyte of zeros.
const codes: Record<Hex, Hex> = {
  [echo]: "0x366000600037366000f3",
  [reverter]: "0x366000600037366000fd",
  [burner]: "0x5b600056",
  [bomber]: "0x621000006000f3"
}

const reads = [
  { to: echo, data: "0x1234" },
  { to: reverter, data: "0xabcd" },
  { to: burner, data: "0x" },
  { to: echo, data: "0x" },
  { to: echo, data: pad("0x77", { size: 4000 }) }
] as const

/** @param changed what the node gets instead of a request's body */
const makeChainWhere = Effect.fnUntraced(function* (changed: (body: string) => string) {
  const { url } = yield* startAnvil({ blockTime: null })
  const client = createTestClient({ chain: base, mode: "anvil", transport: http(url) })
  yield* Effect.promise(async () => {
    for (const [address, bytecode] of Object.entries(codes)) {
      await client.setCode({ address: `0x${address.slice(2)}`, bytecode })
    }
    await client.mine({ blocks: 3 })
  })
  let requests = 0
  const rpc = yield* makeBaseRpcWith({
    ...options(url),
    timeout: "20 seconds",
    fetch: (input, init) => {
      requests += 1
      return globalThis.fetch(input, { ...init, body: changed(String(init?.body)) })
    }
  })
  const count = Effect.sync(() => requests)
  return { url, rpc, client, count }
})

const makeChain = makeChainWhere((body) => body)

const expected = [
  { ok: true, data: "0x1234" },
  { ok: false, data: "0xabcd" },
  { ok: false, data: "0x" },
  { ok: true, data: "0x" },
  { ok: true, data: reads[4].data }
]

describe("BaseRpc on a chain", () => {
  it.scopedLive("reads many contracts at one block where there is no Multicall3", () =>
    Effect.gen(function* () {
      const { rpc, count } = yield* makeChain
      const batch = yield* rpc.readAll(reads)
      expect(batch.results).toEqual(expected)
      expect(batch.blockNumber).toBe(yield* rpc.blockNumber)
      const before = yield* count
      yield* rpc.readAll(reads)
      expect((yield* count) - before).toBe(1)
    })
  )

  it.scopedLive("runs what writes as a transaction would, in order, and lets nothing else write", () =>
    Effect.gen(function* () {
      const { client, rpc } = yield* makeChain
      // Without call data it answers with slot 0, else it stores its first word there.
      const box = "0x00000000000000000000000000000000000e0005"
      yield* Effect.promise(() =>
        client.setCode({ address: box, bytecode: "0x36600c575f545f5260205ff35b5f355f5500" })
      )
      const look = { to: box, data: "0x" } as const
      const store = { to: box, data: pad("0x07", { size: 32 }) } as const
      const { results } = yield* rpc.readAll([
        store,
        look,
        { ...store, writes: true },
        look,
        { to: burner, data: "0x", writes: true },
        { codeOf: echo },
        look
      ])
      expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true, false, true, true])
      expect([results[1], results[3], results[6]].map((one) => Number(one?.data))).toEqual([0, 7, 7])
      expect(results[5]?.data).toBe(codes[echo])
      expect(Number((yield* rpc.readAll([look])).results[0]?.data)).toBe(0)
    })
  )

  it.scopedLive("asks of one account what is put together once for many, with its answers in one", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const names = concatHex(["0x70a08231", pad(SUBJECT, { size: 32 })])
      const words = [
        { to: echo, data: names },
        { to: SUBJECT, data: "0x12345678" },
        { to: reverter, data: names },
        { ofFound: [{ to: FOUND, data: "0x12345678" }] }
      ] as const
      const named = { to: echo, data: pad(SUBJECT, { size: 32 }) } as const
      const lists = [words, [...words, named, { ofFound: [words[0], words[1]] }]]
      for (const of of [echo, reverter, burner] as const)
        for (const one of lists) {
          const codesOf = (asked: Parameters<typeof packDeployless>[0]) =>
            packDeployless(asked).map(({ data }) => data)
          expect(codesOf([{ alike: one, of }])).toEqual(codesOf(readsOf({ alike: one, of })))
          const plain = yield* rpc.readAll(readsOf({ alike: one, of }))
          const { results } = yield* rpc.readAll([{ alike: one, of }, reads[0]])
          expect(results).toEqual([{ ok: true, data: "0x", found: plain.results }, expected[0]])
          // Behind other reads it is put together anew.
          const behind = yield* rpc.readAll([reads[0], { alike: one, of }])
          expect(behind.results).toEqual(results.toReversed())
        }
    })
  )

  it.scopedLive("reads of an address what the read before it named, and nothing of one that is none", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const names = (word: Hex) => ({ to: echo, data: word }) as const
      const ofIt = {
        ofFound: [
          { to: FOUND, data: "0x1234" },
          { to: echo, data: concatHex(["0x70a08231", pad(FOUND, { size: 32 })]) }
        ]
      } as const
      const unmade = { ok: false, data: "0x" }
      const { results } = yield* rpc.readAll([
        names(pad(echo, { size: 32 })),
        ofIt,
        names(pad("0x", { size: 32 })),
        ofIt,
        names(pad("0x01", { size: 32, dir: "right" })),
        ofIt,
        { to: reverter, data: pad(echo, { size: 32 }) },
        ofIt,
        names(pad(reverter, { size: 32 })),
        ofIt,
        reads[0]
      ])
      const after = (at: number) => results[2 * at + 1]
      expect(after(0)).toEqual({
        ok: true,
        data: "0x",
        found: [
          { ok: true, data: "0x1234" },
          { ok: true, data: concatHex(["0x70a08231", pad(echo, { size: 32 })]) }
        ]
      })
      for (const at of [1, 2, 3]) expect(after(at)).toEqual(unmade)
      expect(after(4)).toEqual({
        ok: true,
        data: "0x",
        found: [
          { ok: false, data: "0x1234" },
          { ok: true, data: concatHex(["0x70a08231", pad(reverter, { size: 32 })]) }
        ]
      })
      expect(results).toHaveLength(11)
      expect(results.at(-1)).toEqual(expected[0])
    })
  )

  it.scopedLive("keeps a read and what is read of its answer in one init code", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const long = pad("0x77", { size: 700 })
      const { results } = yield* rpc.readAll(
        Array.from({ length: 80 }, (_, at) => [
          { to: echo, data: pad(echo, { size: 32 }) } as const,
          {
            ofFound: [
              { to: FOUND, data: `${long}${at.toString(16).padStart(4, "0")}` },
              { to: FOUND, data: "0x1234" }
            ]
          } as const
        ]).flat()
      )
      const found = results.flatMap((result) => result.found ?? [])
      expect(results).toHaveLength(160)
      expect(found).toHaveLength(160)
      expect([...results, ...found].every(({ ok }) => ok)).toBe(true)
      expect(found.filter(({ data }) => data === "0x1234")).toHaveLength(80)
    })
  )

  it.scopedLive("splits reads that do not fit one init code and still reads one block", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const many = Array.from(
        { length: 60 },
        (_, at) => ({ to: echo, data: pad(numberToHex(at), { size: 2000 }) }) as const
      )
      const { results } = yield* rpc.readAll(many)
      expect(results.map(({ data }) => data)).toEqual(many.map(({ data }) => data))
    })
  )

  it.scopedLive("keeps a hostile answer out of the others", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const { results } = yield* rpc.readAll([{ to: bomber, data: "0x" }, reads[0]])
      expect(results).toEqual([{ ok: false, data: "0x" }, expected[0]])
    })
  )

  it.scopedLive("reads through Multicall3 in one request, at a given block too", () =>
    Effect.gen(function* () {
      const { rpc, client, count } = yield* makeChain
      const url = new URL("../../scripts/contracts/artifacts/Multicall.json", import.meta.url)
      const artifact: { readonly deployedBytecode: Hex } = JSON.parse(readFileSync(url, "utf8"))
      yield* Effect.promise(() =>
        client.setCode({ address: multicall3, bytecode: artifact.deployedBytecode })
      )
      const batch = yield* rpc.readAll([reads[0], reads[1], reads[4]])
      expect(batch.results).toEqual([expected[0], expected[1], expected[4]])
      expect(yield* count).toBe(1)
      expect((yield* rpc.readAll([], { blockNumber: batch.blockNumber })).blockNumber).toBe(batch.blockNumber)
    })
  )

  it.scopedLive(
    "takes what a node answers of its newest block for no answer of the one it was asked for",
    () =>
      Effect.gen(function* () {
        const { url, rpc, client } = yield* makeChain
        const old = yield* rpc.readAll(reads.slice(0, 1))
        yield* Effect.promise(() => client.mine({ blocks: 2 }))
        // A node that keeps no old states, and says the newest instead.
        const forgetful = yield* makeBaseRpcWith({
          ...options(url),
          timeout: "20 seconds",
          fetch: (input, init) => {
            const body = typeof init?.body === "string" ? init.body : ""
            const pinned = numberToHex(old.blockNumber)
            return globalThis.fetch(input, { ...init, body: body.replaceAll(`"${pinned}"`, '"latest"') })
          }
        })
        const at = { blockNumber: old.blockNumber }
        expect((yield* rpc.readAll(reads.slice(0, 1), at)).results).toEqual(old.results)
        expect(yield* Effect.flip(forgetful.readAll(reads.slice(0, 1), at))).toMatchObject({
          kind: "malformed"
        })
        const asked = [{ address: echo, slots: [pad("0x05", { size: 32 })] }] as const
        expect(yield* rpc.inspect(asked, at)).toHaveLength(1)
        expect(yield* Effect.flip(forgetful.inspect(asked, at))).toMatchObject({ kind: "malformed" })
        expect(yield* forgetful.readAll(reads.slice(0, 1))).toMatchObject({
          blockNumber: old.blockNumber + 2n
        })
      })
  )

  it.scopedLive("inspects code and slots in one request", () =>
    Effect.gen(function* () {
      const { rpc, client, count } = yield* makeChain
      const slot = pad("0x05", { size: 32 })
      const value = pad("0x2a", { size: 32 })
      yield* Effect.promise(() => client.setStorageAt({ address: echo, index: slot, value }))
      const nobody = "0x00000000000000000000000000000000000e00ff"
      const accounts = yield* rpc.inspect([
        { address: echo, slots: [slot] },
        { address: nobody },
        { address: burner }
      ])
      expect(yield* count).toBe(1)
      const at = accounts[0]?.at
      const { blockNumber, blockTime } = yield* rpc.readAll([], { blockNumber: at?.blockNumber ?? 0n })
      expect(at).toEqual({ blockNumber, blockTime })
      expect(accounts).toEqual([
        { code: codes[echo], slots: [value], at },
        { code: "0x", slots: [], at },
        { code: codes[burner], slots: [], at }
      ])
    })
  )

  it.scopedLive("takes no answer of another block than it asked for", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChainWhere((body) => body.replaceAll('"0x1"', '"latest"'))
      expect((yield* rpc.readAll(reads)).results).toEqual(expected)
      const long = Array.from(
        { length: 60 },
        () => ({ to: echo, data: pad("0x01", { size: 2000 }) }) as const
      )
      const asked = [
        Effect.asVoid(rpc.readAll(reads, { blockNumber: 1n })),
        Effect.asVoid(rpc.readAll(long, { blockNumber: 1n })),
        Effect.asVoid(rpc.inspect([{ address: echo }], { blockNumber: 1n })),
        Effect.asVoid(
          rpc.inspect([{ address: echo, slots: [pad("0x05", { size: 32 })] }], { blockNumber: 1n })
        )
      ]
      for (const one of asked)
        expect(yield* Effect.flip(one)).toMatchObject({
          kind: "malformed",
          detail: "eth_call: of another block"
        })
    })
  )

  it.scopedLive("asks once more where a node took its next block while it answered", () =>
    Effect.gen(function* () {
      let moved = false
      const { rpc } = yield* makeChainWhere((body) => {
        if (moved || !body.includes('"0x1"')) return body
        moved = true
        return body.replaceAll('"0x1"', '"latest"')
      })
      const at = { blockNumber: 1n }
      expect(yield* rpc.readAll(reads, at)).toMatchObject(at)
      expect(moved).toBe(true)
      moved = false
      const [account] = yield* rpc.inspect([{ address: echo }], at)
      expect([account?.at?.blockNumber, moved]).toEqual([1n, true])
    })
  )

  it.scopedLive("asks no further where a node never stays at one block", () =>
    Effect.gen(function* () {
      let asked = 0
      // Of every list of reads one is answered at an older block, whatever block was named.
      const { count, rpc } = yield* makeChainWhere((body) =>
        body.replaceAll(/"latest"|"0x\d"/g, () => (asked++ % 2 === 0 ? '"latest"' : '"0x1"'))
      )
      const long = Array.from(
        { length: 60 },
        () => ({ to: echo, data: pad("0x01", { size: 2000 }) }) as const
      )
      const account = { address: echo, slots: [pad("0x05", { size: 32 })] } as const
      for (const one of [Effect.asVoid(rpc.readAll(long)), Effect.asVoid(rpc.inspect([account]))])
        expect(yield* Effect.flip(one)).toMatchObject({ kind: "malformed" })
      expect(yield* count).toBe(4)
    })
  )

  it.scopedLive("replaces code, balance, storage, time, fee recipient and fees for one call", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const from = "0x00000000000000000000000000000000000e0005"
      // time, coinbase, base fee, gas price, storage slot 0, balance of the caller
      const code = "0x4260005241602052486040523a6060526000546080523331 60a05260c06000f3".replace(" ", "")
      const result = yield* rpc.call({
        from,
        to: echo,
        data: "0x",
        gas: 100_000n,
        gasPrice: 9_000_000n,
        stateOverride: [
          {
            address: echo,
            code: `0x${code.slice(2)}`,
            stateDiff: [{ slot: pad("0x", { size: 32 }), value: pad("0x07", { size: 32 }) }]
          },
          { address: from, balance: 10n ** 18n }
        ],
        blockOverride: { time: 2_000_000_000n, feeRecipient: reverter, baseFeePerGas: 8_000_000n }
      })
      const words = Array.from({ length: 5 }, (_, at) =>
        BigInt(`0x${result.data.slice(2 + 64 * at, 66 + 64 * at)}`)
      )
      expect(words).toEqual([2_000_000_000n, BigInt(reverter), 8_000_000n, 9_000_000n, 7n])
      expect(result.ok).toBe(true)
      expect((yield* rpc.inspect([{ address: echo }]))[0]?.code).toBe(codes[echo])
    })
  )
})

describe("deployless batches", () => {
  const read = fc.record({
    to: fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`),
    data: fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`)
  })

  it("never exceed the limit on init code and lose no read", () => {
    fc.assert(
      fc.property(fc.array(read, { maxLength: 400 }), (many) => {
        const chunks = packDeployless(many)
        expect(chunks.flatMap(({ items }) => items)).toEqual(many)
        expect(chunks.every(({ data }) => size(data) <= 49_152)).toBe(true)
      }),
      { numRuns: 20 }
    )
  })

  it("decode exactly what was answered and throw on less", () => {
    const answer = fc.record({ ok: fc.boolean(), data: read.map(({ data }) => data) })
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 1, maxLength: 20 }),
        fc.bigInt(0n, 2n ** 64n - 1n),
        fc.bigInt(0n, 2n ** 64n - 1n),
        (results, number, time) => {
          const parts = results.flatMap(({ ok, data }) => [
            numberToHex(ok ? 1 : 0, { size: 1 }),
            numberToHex(size(data), { size: 3 }),
            data
          ])
          const whole = concatHex([
            numberToHex(number, { size: 32 }),
            numberToHex(time, { size: 32 }),
            ...parts
          ])
          const asked = results.map(() => reads[0])
          expect(decodeDeployless(whole, asked)).toEqual({
            blockNumber: number,
            blockTime: time,
            results
          })
          expect(() => decodeDeployless(`0x${whole.slice(2, -2)}`, asked)).toThrow(/Slice|out of bounds/i)
        }
      )
    )
  })
})
