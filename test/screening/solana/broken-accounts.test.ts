/** Mainnet's own pools, cut or with other bytes in them: what does not fit is no pool, and no pool has impossible figures. */
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { decodePool, POOL_SLICE } from "../../../src/screening/solana/pools/decode.ts"
import type { DecodedPool } from "../../../src/screening/solana/pools/decoded-pool.ts"
import { depthOf } from "../../../src/screening/solana/pools/reserves.ts"
import { extraAt, feeAt } from "../../../src/screening/solana/pools/terms.ts"
import type { AccountBook } from "../../../src/screening/solana/reads/account-book.ts"
import { bytesOf } from "../../../src/screening/solana/reads/bytes.ts"
import { tried } from "../../support/properties.ts"
import { encodeTokenAccount, wallet } from "../../support/solana/encode.ts"
import { entry, files } from "../../support/solana/real-accounts.ts"

const NOW = { seconds: 1_790_000_000, slot: 400_000_000n }

/** Pools of the fixtures, and where each names one of its sides. */
const MINT_AT = {
  pumpswap: [43, 0],
  "raydium-amm-v4": [400, 0],
  "raydium-cpmm": [168, 0],
  "raydium-clmm": [73, 0],
  "raydium-launchlab": [205, 0],
  "meteora-damm-v2": [168, 0],
  "meteora-dbc": [136, 0],
  "meteora-dlmm": [88, 0],
  "orca-whirlpool": [101, 0],
  moonshot: [24, 0],
  fluxbeam: [131, 0]
} as const

const pools = Object.entries(MINT_AT).map(([file, [offset, index]]) => {
  const { account, address } = entry(file, index)
  return { file, account, address, token: bytesOf(account.data).address(offset) }
})

const book: AccountBook = new Map(
  Object.entries(files).flatMap(([file, entries]) =>
    entries.map((_, index) => {
      const { account, address } = entry(file, index)
      return [address, account] as const
    })
  )
)

type Pool = (typeof pools)[number]

const decodedAs = ({ address, token }: Pool, account: SolanaAccount): DecodedPool | null =>
  decodePool(address, account, token, book)

/** The book with something in both vaults. */
const filled = ({ quoteMint, quoteVault, tokenVault }: DecodedPool, token: SolanaAddress): AccountBook =>
  new Map([
    ...book,
    ...(tokenVault === null
      ? []
      : [[tokenVault, encodeTokenAccount(token, wallet("v"), 10n ** 15n)] as const]),
    ...(quoteVault === null || quoteMint === null
      ? []
      : [[quoteVault, encodeTokenAccount(quoteMint, wallet("v"), 10n ** 12n)] as const])
  ])

const isPart = (share: number): boolean => share >= 0 && share <= 1

/** Figures of a pool that no pool can have. */
const impossible = (pool: DecodedPool, token: SolanaAddress): ReadonlyArray<string> => {
  const depth = depthOf(pool, token, filled(pool, token), NOW.seconds)
  const fee = feeAt(pool.fee, NOW)
  const said = {
    depth: depth === null || Object.values(depth).every((amount) => Number.isFinite(amount) && amount >= 0),
    fee: fee === null || (isPart(fee.now) && isPart(fee.lasting)),
    extra: isPart(extraAt(pool, NOW)),
    peak: isPart(pool.peakFee),
    handedOut: isPart(pool.handedOut),
    promised: pool.promised === null || pool.promised.amount > 0,
    locked: pool.claim.kind !== "positions" || isPart(pool.claim.locked)
  }
  return Object.entries(said).flatMap(([name, isPossible]) => (isPossible ? [] : [name]))
}

describe("a real pool's account", () => {
  for (const pool of pools) {
    const whole = decodedAs(pool, pool.account)
    it(`that a node has cut is no pool, or the same one: ${pool.file}`, () => {
      expect(whole).not.toBeNull()
      const { data } = pool.account
      const lengths = Array.from({ length: Math.min(data.length, POOL_SLICE) }, (_, length) => length)
      const others = lengths.filter((length) => {
        const found = decodedAs(pool, { ...pool.account, data: data.subarray(0, length) })
        return found !== null && !isDeepStrictEqual(found, whole)
      })
      expect(others).toEqual([])
    })

    it(`is none under any other owner: ${pool.file}`, () => {
      const others = pools.filter(({ account }) => account.owner !== pool.account.owner)
      for (const { account } of others)
        expect(decodedAs(pool, { ...pool.account, owner: account.owner })).toBeNull()
      expect(decodedAs(pool, { ...pool.account, owner: wallet("nobody") })).toBeNull()
    })

    it(`has no impossible figures, whatever its bytes: ${pool.file}`, () => {
      const change = fc.tuple(
        fc.nat(pool.account.data.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 16 })
      )
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
          const data = Uint8Array.from(pool.account.data)
          for (const [offset, bytes] of changes) data.set(bytes.subarray(0, data.length - offset), offset)
          const found = decodedAs(pool, { ...pool.account, data })
          expect(found === null ? [] : impossible(found, pool.token)).toEqual([])
        }),
        tried(20_000, 300)
      )
    })
  }
})

describe("a pair's arrays of bins", () => {
  it.each([-600 * 70, 600 * 70])("beyond its own bitmap may hold something (bin %i)", (active) => {
    const pair = pools.find(({ file }) => file === "meteora-dlmm")
    if (pair === undefined) throw new Error("no pair of DLMM")
    const data = new Uint8Array(pair.account.data)
    // A step of one: prices as far from one as that are still numbers.
    new DataView(data.buffer).setInt32(76, active, true)
    new DataView(data.buffer).setUint16(80, 1, true)
    const reserves = decodedAs(pair, { ...pair.account, data })?.reserves
    if (reserves?.kind !== "bins") throw new Error("no bins")
    expect([...reserves.filled]).toEqual([...reserves.arrays, reserves.beyond])
  })
})
