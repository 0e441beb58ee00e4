import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import type { Address, Hex } from "viem"
import { encodeAbiParameters, parseAbiParameters } from "viem"
import { BURN_ADDRESSES, ZERO_ADDRESS } from "../../../src/screening/base/addresses.ts"
import { LP_LOCKERS } from "../../../src/screening/base/pools/registry/lockers.ts"
import { lockedShareOf, lockerList, lpVerdict, readLp } from "../../../src/screening/base/pools/lp-lock.ts"
import type { PoolCandidate } from "../../../src/screening/base/pools/pool-search.ts"
import { callData } from "../../../src/screening/base/reads/query.ts"
import type { Answer } from "../../support/base/answers.ts"
import { answer, ask } from "../../support/base/answers.ts"
import { BLOCK_TIME, OWNER, POOL, TOKEN, pool } from "../../support/base/fixtures.ts"

const DAY = 86_400n
const SUPPLY = 10_000n
const candidate: PoolCandidate = { kind: "v2", dex: "uniswap-v2", address: POOL, quote: TOKEN, feePips: 3000 }
const lockerOf = (kind: string): Address =>
  LP_LOCKERS.find((locker) => locker.kind === kind)?.address ?? ZERO_ADDRESS
const UNCX = lockerOf("uncx-v2")
const PINK = lockerOf("pinklock-v2")
const UNDATED = lockerOf("undated")

const supply = answer(POOL, "0x18160ddd", [], SUPPLY)
const holds = (holder: Address, amount: bigint) => answer(POOL, "0x70a08231", [holder], amount)
const uncxLock = (index: number, amount: bigint, unlockDate: bigint) =>
  answer(UNCX, "0xccebfa3f", [POOL, index], 0, amount, amount, unlockDate, 1, OWNER)
const pinkLock = (amount: bigint, unlocked: bigint, date: bigint): Answer => ({
  to: PINK,
  data: callData("getLocksForToken(address,uint256,uint256)", POOL, 0, 4),
  returns: encodeAbiParameters(
    parseAbiParameters(
      "(uint256, address, address, uint256, uint256, uint256, uint256, uint256, uint256, uint256, string)[]"
    ),
    [[[1n, POOL, OWNER, amount, 0n, date, 0n, 0n, 0n, unlocked, "evil text"]]]
  )
})
const lpOf = (answers: ReadonlyArray<Answer>, extra: ReadonlyArray<Address> = []) =>
  ask(readLp(candidate, lockerList(extra), [TOKEN, OWNER], BLOCK_TIME), [supply, ...answers])

describe("the LP of a V2 pool", () => {
  it("at any burn address is out of reach", () => {
    const burned = BURN_ADDRESSES.map((address) => holds(address, 3000n))
    expect(lpOf(burned)).toMatchObject({ burned: 0.9, locked: 0 })
  })

  it("in a locker counts for what is locked at least 30 days more, never for more than the locker holds", () => {
    const long = uncxLock(0, 6000n, BLOCK_TIME + 400n * DAY)
    const short = uncxLock(1, 4000n, BLOCK_TIME + 29n * DAY)
    expect(lpOf([holds(UNCX, 10_000n), long, short])).toMatchObject({
      locked: 0.6,
      undated: 0,
      earliestUnlock: BLOCK_TIME + 400n * DAY
    })
    expect(lpOf([holds(UNCX, 100n), long])).toMatchObject({ locked: 0.01 })
  })

  it("in PinkLock counts without what was already released, and its text goes nowhere", () => {
    const lp = lpOf([holds(PINK, 9000n), pinkLock(9500n, 500n, BLOCK_TIME + 60n * DAY)])
    expect(lp).toMatchObject({ locked: 0.9 })
    expect(Object.values(lp ?? {}).some((value) => typeof value === "string" && value.includes("evil"))).toBe(
      false
    )
  })

  it("in a locker whose dates cannot be read is neither locked nor unlocked", () => {
    const lp = lpOf([holds(UNDATED, 9900n)])
    expect(lp).toMatchObject({ locked: 0, undated: 0.99 })
    expect(lp === undefined ? 0 : lockedShareOf(lp)).toBeNull()
  })

  it("in a look-alike locker counts only when the operator vouches for that very address", () => {
    const lookalike: Address = "0x9999999999999999999999999999999999999999"
    expect(lpOf([holds(lookalike, SUPPLY)])).toMatchObject({ locked: 0 })
    expect(lpOf([holds(lookalike, SUPPLY)], [lookalike])).toMatchObject({ locked: 1 })
  })

  it("in the owner's hands is told apart", () => {
    expect(lpOf([holds(OWNER, 9000n)])).toMatchObject({ controlled: 0.9 })
  })

  it("is unknown where the pair has no supply of LP tokens", () => {
    expect(ask(readLp(candidate, lockerList([]), [], BLOCK_TIME), [])).toBeUndefined()
  })

  it("survives locks that are garbage", () => {
    const garbage: Hex = `0x${"ff".repeat(96)}`
    expect(lpOf([holds(PINK, 9000n), { ...pinkLock(1n, 0n, 0n), returns: garbage }])).toMatchObject({
      locked: 0,
      undated: 0.9
    })
  })
})

describe("the lock of a token's liquidity", () => {
  it("is unknown where a V3 position decides, and unaffected where it is dust", () => {
    const locked = { ...pool({ quoteUsd: 90_000 }), lockedShare: 1 }
    const position = (quoteUsd: number) => ({ ...pool({ kind: "v3", quoteUsd }), lockedShare: null })
    expect(lpVerdict([locked, position(50_000)]).locked).toBeNull()
    expect(lpVerdict([locked, position(900)]).locked).toBe(true)
    expect(lpVerdict([position(50_000)]).locked).toBeNull()
  })

  it("ignores pools without trusted quotes and is unknown without any other", () => {
    expect(lpVerdict([{ ...pool({ quoteUsd: 0 }), lockedShare: 1 }]).locked).toBeNull()
  })

  it("never becomes true by unlocking part of any pool", () => {
    const lock = fc.record({
      quoteUsd: fc.integer({ min: 1, max: 1_000_000 }),
      lockedShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null })
    })
    const toLock = ({ quoteUsd, lockedShare }: { quoteUsd: number; lockedShare: number | null }) => ({
      ...pool({ quoteUsd }),
      lockedShare
    })
    fc.assert(
      fc.property(
        fc.array(lock, { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (locks, at, by) => {
          const less = locks.map((entry, index) =>
            index === at % locks.length && entry.lockedShare !== null
              ? { ...entry, lockedShare: entry.lockedShare * by }
              : entry
          )
          return lpVerdict(less.map(toLock)).locked !== true || lpVerdict(locks.map(toLock)).locked === true
        }
      )
    )
  })
})
