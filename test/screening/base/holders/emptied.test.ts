import { describe, expect, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import { type Address, type Hex, concat, createPublicClient, custom, keccak256, numberToHex, pad } from "viem"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { lower } from "../../../../src/screening/base/addresses.ts"
import { foretellEmptied, keepsEmptied, readEmptied } from "../../../../src/screening/base/holders/emptied.ts"
import { placesOf } from "../../../../src/screening/base/holders/storage-places.ts"
import { completeness, readRoot, readWords } from "../../../../src/screening/base/holders/storage-proof.ts"
import { storageRoot } from "../../../../src/screening/base/holders/storage-root.ts"
import { balancesTold } from "../../../../src/screening/base/holders/told-balances.ts"
import { TestChain } from "../../../support/base/simulation/chain.ts"

const FRIEND: Address = `0x${"f1".repeat(20)}`
const TOKEN: Address = `0x${"70".repeat(20)}`
const SPENDER: Address = `0x${"5e".repeat(20)}`

class Chain extends Context.Tag("test/Emptied")<Chain, TestChain>() {
  static readonly layer = Layer.scoped(Chain, TestChain.start)
}

/** A token whose maker gave all to a friend, and took back what it had allowed somebody; with what is known of it. */
const givenAway = Effect.gen(function* () {
  const chain = yield* Chain
  const token = lower(yield* Effect.promise(() => chain.deploy(chain.tokens("NoReturnToken"))))
  const { account, client, rpc } = chain
  const all = yield* Effect.promise(() =>
    client.readContract({
      address: token,
      abi: chain.tokens("NoReturnToken").abi,
      functionName: "balanceOf",
      args: [account]
    })
  )
  yield* Effect.promise(async () => {
    for (const amount of [7n, 0n]) await chain.send(token, "approve(address,uint256)", [SPENDER, amount])
    await chain.send(token, "transfer(address,uint256)", [FRIEND, all])
  })
  const blockNumber = yield* rpc.blockNumber
  const word = (of: Address) => pad(of, { size: 32 })
  const pairs = [[word(lower(account)), word(SPENDER)]] as const
  const code = yield* Effect.promise(() => client.getCode({ address: token }))
  const places = placesOf(code ?? "0x", [word(lower(account)), word(FRIEND)], pairs, [token])
  const words = yield* readWords(rpc, token, blockNumber, places)
  return { rpc, token, blockNumber, words, spent: [lower(account)], pairs }
})

layer(Chain.layer, { excludeTestServices: true, timeout: "1 minute" })(
  "a node that keeps emptied words",
  (it) => {
    it.effect("says what it is", () =>
      Effect.gen(function* () {
        expect(yield* keepsEmptied((yield* Chain).rpc)).toBe(true)
      })
    )

    it.effect(
      "proves a storage with its root where what was emptied is foretold, and not where it is not",
      () =>
        Effect.gen(function* () {
          const { blockNumber, pairs, rpc, spent, token, words } = yield* givenAway
          const proven = (slots: ReadonlyArray<bigint>) =>
            Effect.flatMap(readRoot(rpc, token, blockNumber, slots), (root) => completeness(words, root))
          expect((yield* proven(foretellEmptied(spent, pairs))).known).toBe(true)
          expect((yield* proven([])).known).toBe(false)
          expect((yield* proven(foretellEmptied([], pairs))).known).toBe(false)
          expect((yield* proven(foretellEmptied([FRIEND], []))).known).toBe(false)
        })
    )

    it.effect("proves a storage by its newest block alone, as long as the storage is what was read", () =>
      Effect.gen(function* () {
        const { blockNumber, pairs, rpc, spent, token, words } = yield* givenAway
        const chain = yield* Chain
        const fetch: typeof globalThis.fetch = (input, init) => {
          const asked = String(init?.body)
          return asked.includes("eth_getProof") && !asked.includes('"latest"')
            ? Promise.resolve(
                Response.json({ id: 0, error: { code: -32602, message: "beyond the proof window" } })
              )
            : globalThis.fetch(input, init)
        }
        const { client } = yield* makeBaseRpcWith({
          urls: [Redacted.make(chain.url)],
          timeout: "1 minute",
          concurrency: 4,
          fetch
        })
        const proven = Effect.flatMap(
          readRoot({ ...rpc, client }, token, blockNumber, foretellEmptied(spent, pairs)),
          (root) => completeness(words, root)
        )
        // A later block that leaves the token alone.
        yield* Effect.promise(() => chain.send(SPENDER, "anything()", []))
        expect((yield* proven).known).toBe(true)
        yield* Effect.promise(() => chain.send(token, "approve(address,uint256)", [SPENDER, 9n]))
        expect((yield* proven).known).toBe(false)
      })
    )
  }
)

describe("what may have been emptied", () => {
  const slot = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const word = fc.record({ slot, value: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }) })

  it("proves nothing of a storage of which a word is not known, whatever is foretold", async () => {
    const some = fc.uniqueArray(word, { minLength: 1, maxLength: 20, selector: (one) => one.slot })
    await fc.assert(
      fc.asyncProperty(some, fc.array(slot, { maxLength: 9 }), fc.nat(), async (words, foretold, drawn) => {
        const at = drawn % words.length
        const hidden = words[at]?.slot ?? 0n
        const root = await Effect.runPromise(storageRoot(words))
        for (const emptied of [[], foretold, [...foretold, hidden]])
          expect(await Effect.runPromise(storageRoot(words.toSpliced(at, 1), emptied))).not.toBe(root)
      })
    )
  })

  /** A node that gives no proofs, and the slots it was asked to prove. */
  const deaf = () => {
    const asked: Array<string> = []
    const request = ({ params }: { readonly params?: unknown }) => {
      if (Array.isArray(params) && Array.isArray(params[1])) asked.push(...params[1].map(String))
      return Promise.reject(new Error("no proofs here"))
    }
    return { asked, client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) }
  }

  it("is looked for where Solady keeps an allowance, a balance and the owner, where the code names its seeds", async () => {
    const { asked, client } = deaf()
    const [owner, spender] = [pad(FRIEND, { size: 32 }), pad(SPENDER, { size: 32 })] as const
    // Balances and allowances, as the code pushes their seeds.
    const code = "0x6387a211a2637f5e9f2000"
    const places = placesOf(code, [owner], [[owner, spender]], [])
    await Effect.runPromise(readEmptied({ client }, TOKEN, 1n, [], places, { code, lists: [], tables: [] }))
    const gap = "0x0000000000000000" as const
    expect(asked).toEqual(
      expect.arrayContaining([
        keccak256(concat([FRIEND, gap, "0x7f5e9f20", SPENDER])),
        keccak256(concat([FRIEND, gap, "0x87a211a2"])),
        numberToHex(BigInt.asUintN(256, ~0x8b78c6d8n))
      ])
    )
  })

  it("is looked for in the lists of roles' members behind the roles, and in no other", async () => {
    const [role, member] = [keccak256("0x01"), pad(FRIEND, { size: 32 })] as const
    const places = placesOf("0x", [member], [[role, member]], [])
    const word = (value: bigint) => numberToHex(value, { size: 32 })
    const members = keccak256(concat([role, word(7n)]))
    const listed = [
      members,
      keccak256(members),
      keccak256(concat([member, word(BigInt.asUintN(256, BigInt(members) + 1n))]))
    ]
    const askedOver = async (slot: bigint) => {
      const { asked, client } = deaf()
      const tables = [{ slot: word(slot), keys: [role, null], field: 0 }] as const
      await Effect.runPromise(
        readEmptied({ client }, TOKEN, 1n, [], places, { code: "0x", lists: [], tables })
      )
      return asked
    }
    expect(await askedOver(6n)).toEqual(expect.arrayContaining(listed))
    expect((await askedOver(5n)).filter((slot) => listed.map(String).includes(slot))).toEqual([])
  })

  it("is looked for where an account's delegate would stand, however many texts the code holds", async () => {
    const { asked, client } = deaf()
    const holder = pad(FRIEND, { size: 32 })
    const texts = Array.from({ length: 60 }, (_, index) => keccak256(numberToHex(index)))
    const places = { ...placesOf("0x", [], [], []), keys: [...texts, holder] }
    await Effect.runPromise(
      readEmptied({ client }, TOKEN, 1n, [], places, { code: "0x", lists: [10n], tables: [] })
    )
    expect(asked).toContain(keccak256(concat([holder, numberToHex(9n, { size: 32 })])))
  })

  it("is looked for where an account would stand beside one that stands there, however many texts the code holds", async () => {
    const { asked, client } = deaf()
    const [holder, other] = [pad(FRIEND, { size: 32 }), pad(SPENDER, { size: 32 })] as const
    const texts = Array.from({ length: 60 }, (_, index) => keccak256(numberToHex(index)))
    const entry = (key: Hex, slot: bigint) => keccak256(concat([key, numberToHex(slot, { size: 32 })]))
    // Four tables in which somebody stands: with their neighbours too many for every text to be looked up in each.
    const words = [0n, 3n, 6n, 9n].map((slot) => ({ slot: BigInt(entry(holder, slot)), value: 1n }))
    const places = { ...placesOf("0x", [], [], []), keys: [...texts, holder, other] }
    const known = { code: "0x", lists: [], tables: [] } as const
    await Effect.runPromise(readEmptied({ client }, TOKEN, 1n, words, places, known))
    expect(asked).toEqual(expect.arrayContaining([0n, 3n, 6n, 9n].map((slot) => entry(other, slot))))
    expect(new Set(asked).size).toBeLessThan(500)
  })

  it("is looked for in the tables on which something hangs, though nobody is in one", async () => {
    const { asked, client } = deaf()
    const [holder, slot] = [pad(FRIEND, { size: 32 }), numberToHex(6n, { size: 32 })] as const
    const tables = [{ slot, keys: [null], field: 1 }] as const
    await Effect.runPromise(
      readEmptied({ client }, TOKEN, 1n, [], placesOf("0x", [holder], [], []), {
        code: "0x",
        lists: [],
        tables
      })
    )
    expect(asked).toContain(numberToHex(BigInt(keccak256(concat([holder, slot]))) + 1n))
    const crowd = Array.from({ length: 40 }, (_, at) => pad(numberToHex(0xacc000 + at), { size: 32 }))
    const many = Array.from({ length: 40 }, (_, at) => ({
      slot: numberToHex(at + 6, { size: 32 }),
      keys: [null] as const,
      field: 0
    }))
    const busy = deaf()
    const known = { code: "0x", lists: [], tables: many } as const
    await Effect.runPromise(
      readEmptied({ client: busy.client }, TOKEN, 1n, [], placesOf("0x", crowd, [], []), known)
    )
    expect(new Set(busy.asked).size).toBeLessThan(500)
  })

  it("is looked for in a bounded number of slots", () => {
    const many = Array.from({ length: 500 }, (_, index) => pad(`0x${(index + 1).toString(16)}`, { size: 32 }))
    const accounts = many.map((one): Address => `0x${one.slice(26)}`)
    const pairs = many.map((one) => [one, one] as const)
    expect(foretellEmptied(accounts, pairs).length).toBeLessThanOrEqual(160)
  })

  it("is told by sums that come to nothing", () => {
    const move = (from: Address, to: Address, amount: bigint) => ({
      from,
      to,
      amount,
      blockNumber: 1n,
      transactionHash: pad("0x1", { size: 32 })
    })
    const told = balancesTold([
      move(SPENDER, FRIEND, 5n),
      move(FRIEND, SPENDER, 5n),
      move(FRIEND, FRIEND, 3n)
    ])
    expect([...told]).toEqual([
      [SPENDER, 0n],
      [FRIEND, 0n]
    ])
  })
})

describe("a node", () => {
  const named = (name: Promise<unknown>): Pick<BaseRpc, "client"> => ({
    client: createPublicClient({ transport: custom({ request: () => name }, { retryCount: 0 }) })
  })

  it.effect("is not taken for one that keeps them by any other name, nor without one", () =>
    Effect.gen(function* () {
      for (const name of ["Geth/v1.15", "reth/v1.2", "not an anvil", "", null, 7, {}])
        expect(yield* keepsEmptied(named(Promise.resolve(name)))).toBe(false)
      expect(yield* keepsEmptied(named(Promise.reject(new Error("method not found"))))).toBe(false)
    })
  )
})
