import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Address, type Hex, numberToHex, pad } from "viem"
import { TRANSFER } from "../../../../src/chain/evm-events.ts"
import { ZERO_ADDRESS, lower } from "../../../../src/screening/base/addresses.ts"
import { findHolders } from "../../../../src/screening/base/holders/holders.ts"
import { historyIn } from "../../../../src/screening/base/holders/history.ts"
import { NOTHING_LATER, POOL, TOKEN, clean, judge } from "../../../support/base/fixtures.ts"
import { rpcOf } from "../../../support/base/rpc-of.ts"

const SUPPLY = clean.shape.supply ?? 0n
const FACTORY: Address = `0x${"fa".repeat(20)}`
const VAULT: Address = `0x${"aa".repeat(20)}`
const SIDE_POOL: Address = `0x${"5d".repeat(20)}`
const HOOK: Address = `0x${"cc".repeat(20)}`
const LAUNCH = pad("0x01")
const CROWD = Array.from({ length: 100 }, (_, index) => lower(numberToHex((index + 7) << 20, { size: 20 })))

type Move = readonly [from: Address, to: Address, amount: bigint, transaction?: Hex]

const percent = (part: number): bigint => (SUPPLY * BigInt(part)) / 100n

const logOf = ([from, to, amount, transactionHash = pad("0x02")]: Move) => ({
  address: TOKEN,
  topics: [TRANSFER, pad(from), pad(to)] as const,
  data: numberToHex(amount, { size: 32 }),
  blockNumber: 5n,
  blockHash: pad("0x03"),
  logIndex: 0n,
  transactionHash
})

/** The verdict on a coin that a launchpad made in one transaction, after whatever its events tell. */
const verdictOf = (moves: ReadonlyArray<Move>) => {
  const held = new Map<string, bigint>()
  for (const [from, to, amount] of moves) {
    held.set(from, (held.get(from) ?? 0n) - amount)
    held.set(to, (held.get(to) ?? 0n) + amount)
  }
  const rpc = rpcOf({
    readAll: (reads) =>
      Effect.succeed({
        blockNumber: 9n,
        blockTime: 1n,
        results: reads.map((read) => {
          const account = `0x${("data" in read ? read.data : "0x").slice(-40)}`
          const balance = account === ZERO_ADDRESS ? 0n : (held.get(account) ?? 0n)
          return { ok: true, data: numberToHex(balance, { size: 32 }) }
        })
      })
  })
  const found = findHolders(rpc, {
    token: TOKEN,
    blockNumber: 9n,
    code: "0x",
    history: historyIn(moves.map(logOf), 9n, 3600n),
    spent: null,
    suspects: [],
    pools: [POOL, SIDE_POOL],
    lockers: [],
    now: 1n,
    tell: () => Effect.void,
    later: Effect.succeed({ ...NOTHING_LATER, launched: new Set([HOOK]) })
  })
  return Effect.map(found, (holders) => judge({ ...clean, holders }).verdict)
}

const launch = (pooled: number, to: Address = POOL): ReadonlyArray<Move> => [
  [ZERO_ADDRESS, FACTORY, SUPPLY, LAUNCH],
  [FACTORY, to, percent(pooled), LAUNCH],
  ...(pooled === 100 ? [] : ([[FACTORY, VAULT, percent(100 - pooled), LAUNCH]] as const))
]
const toCrowd = (from: Address, part: number): ReadonlyArray<Move> =>
  CROWD.map((one) => [from, one, percent(part) / BigInt(CROWD.length)])

describe("a launchpad's coin", () => {
  it.effect("is a market's where all of it lay in its pool, or with the launchpad's hook, at first", () =>
    Effect.gen(function* () {
      expect(yield* verdictOf([...launch(100), ...toCrowd(POOL, 80)])).toBe("allow")
      const hooked: ReadonlyArray<Move> = [...launch(100, HOOK), [HOOK, POOL, SUPPLY]]
      expect(yield* verdictOf([...hooked, ...toCrowd(POOL, 80)])).toBe("allow")
    })
  )

  it.effect(
    "may be one hand's where what its launch set aside went through a side pool to many wallets",
    () =>
      Effect.gen(function* () {
        const skimmed: ReadonlyArray<Move> = [[VAULT, SIDE_POOL, percent(80)], ...toCrowd(SIDE_POOL, 80)]
        expect(yield* verdictOf([...launch(20), ...skimmed])).toBe("caution")
      })
  )

  it.effect("is a market's but for the little that was set aside", () =>
    Effect.gen(function* () {
      expect(yield* verdictOf([...launch(98), ...toCrowd(POOL, 70)])).toBe("allow")
    })
  )

  it.effect("may be one hand's where most of it was not made at its launch", () =>
    Effect.gen(function* () {
      const first: ReadonlyArray<Move> = [[ZERO_ADDRESS, POOL, percent(10), LAUNCH]]
      const later: ReadonlyArray<Move> = [[ZERO_ADDRESS, SIDE_POOL, percent(90)]]
      expect(yield* verdictOf([...first, ...later, ...toCrowd(SIDE_POOL, 80)])).toBe("caution")
    })
  )
})
