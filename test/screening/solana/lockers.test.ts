/** Locks end: what a locker holds counts by the terms its own accounts name, and without terms it is not locked. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { uncxVault } from "../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER, SUPPLY, placeCleanToken } from "../../support/solana/clean-token.ts"
import { placeBins } from "../../support/solana/concentrated.ts"
import {
  account,
  anchored,
  anchorType,
  bytes,
  encodeMint,
  encodeTokenAccount,
  laidOut,
  programAddress,
  wallet
} from "../../support/solana/encode.ts"
import { NOW_SLOT } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { holdersOf, LP, withHolders, withLpHolders } from "../../support/solana/scenarios.ts"

const NOW = 1_790_000_000n
const YEAR = 31_536_000n
const DAY = 86_400n
/** Slots in a second since they take 200 milliseconds. */
const SHORTEST = 5n

describe("LP tokens at UNCX", () => {
  const uncxLock = (pool: SolanaAddress, lpMint: SolanaAddress, amount: bigint, until: bigint) =>
    anchored(at.TIME_LOCKERS.uncxCpmm, "TokenLock", 180, [
      [9, pool],
      [41, lpMint],
      [89, until],
      [98, amount],
      [106, amount],
      [114, DEPLOYER]
    ])

  const locked = (locks: ReadonlyArray<readonly [amount: bigint, until: bigint]>, outage?: "programs") =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const placed = yield* placeCleanToken(world, { lpLeft: LP })
      withLpHolders(world, placed, [])
      const vault = uncxVault(at.TIME_LOCKERS.uncxCpmm, placed.pool)
      world.accounts.set(placed.lpMint, encodeMint({ supply: LP, decimals: 9 }))
      world.accounts.set(vault, encodeTokenAccount(placed.lpMint, programAddress("uncx authority"), LP))
      world.largest.set(placed.lpMint, [{ address: vault, amount: LP }])
      locks.forEach(([amount, until], index) =>
        world.accounts.set(wallet(`lock ${index}`), uncxLock(placed.pool, placed.lpMint, amount, until))
      )
      if (outage !== undefined) world.down.add(outage)
      return yield* screenIn(world, placed.mint)
    })

  it.effect("are locked for a year, by one lock or several", () =>
    Effect.gen(function* () {
      for (const locks of [
        [[LP, NOW + YEAR]],
        [
          [LP / 2n, NOW + YEAR],
          [LP / 2n, NOW + 2n * YEAR]
        ]
      ] as const) {
        const { safe, screening } = yield* locked(locks)
        expect(screening.lpLocked).toBe(true)
        expect({ safe, findings: findings(screening) }).toEqual({ safe: true, findings: [] })
      }
    })
  )

  it.effect("are their owner's where the lock ends within a month", () =>
    Effect.gen(function* () {
      const { safe, screening, verdict } = yield* locked([[LP, NOW + 10n * DAY]])
      expect(screening.lpLocked).toBe(false)
      expect(findings(screening)).toContain("LP_UNLOCKED:fail")
      expect({ safe, verdict }).toEqual({ safe: false, verdict: "caution" })
    })
  )

  const untold = [
    ["no lock is found", []],
    ["locks claim more than there is", [[2n * LP, NOW + YEAR]]]
  ] as const
  for (const [name, locks] of untold) {
    it.effect(`are not locked where ${name}`, () =>
      Effect.gen(function* () {
        const { safe, screening, verdict } = yield* locked(locks)
        expect(screening.lpLocked).toBe(null)
        expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
      })
    )
  }

  it.effect("are not locked where the node lists no accounts of the locker", () =>
    Effect.gen(function* () {
      const { screening } = yield* locked([[LP, NOW + YEAR]], "programs")
      expect(screening.lpLocked).toBe(null)
    })
  )
})

/** A third of the supply with Jupiter Lock. */
const jupiter = (
  terms: { readonly cliff: bigint; readonly cancelMode?: number; readonly length?: number },
  screenedAt: (world: FakeWorld) => void = () => undefined
) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const placed = yield* placeCleanToken(world)
    const escrow = programAddress("jupiter escrow")
    withHolders(world, placed, [[escrow, 400], ...holdersOf(15, (index) => 10 - index * 0.4)])
    world.accounts.set(
      escrow,
      account(
        at.TIME_LOCKERS.jupiterLock,
        bytes(terms.length ?? 296, [
          [0, anchorType("VestingEscrow")],
          [8, wallet("team")],
          [40, placed.mint],
          [72, DEPLOYER],
          [138, terms.cancelMode ?? 0],
          [144, terms.cliff],
          [152, DAY],
          [160, (SUPPLY * 4n) / 10n],
          [176, 0n]
        ]).subarray(0, terms.length ?? 296)
      )
    )
    screenedAt(world)
    return yield* screenIn(world, placed.mint)
  })

/** Six contracts, each for somebody else, that let go of more than a third of the supply within a week. */
const sixRecipients = (
  write: (recipient: SolanaAddress, mint: SolanaAddress, amount: bigint) => SolanaAccount
) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const placed = yield* placeCleanToken(world)
    const shares = [70, 66, 63, 60, 57, 54]
    const escrows = shares.map((perMille, index) => [programAddress(`contract ${index}`), perMille] as const)
    withHolders(world, placed, [...escrows, ...holdersOf(12, (index) => 10 - index * 0.4)])
    escrows.forEach(([escrow, perMille], index) => {
      const amount = (SUPPLY * BigInt(perMille)) / 1000n
      world.accounts.set(escrow, write(wallet(`recipient ${index}`), placed.mint, amount))
    })
    return yield* screenIn(world, placed.mint)
  })

describe("what six contracts for six recipients let go of within a week", () => {
  const jupiters = (mode: number) =>
    sixRecipients((recipient, mint, amount) =>
      anchored(at.TIME_LOCKERS.jupiterLock, "VestingEscrow", 296, [
        [8, recipient],
        [40, mint],
        [72, DEPLOYER],
        [137, mode],
        [144, NOW + 5n * DAY],
        [152, DAY],
        [160, amount]
      ])
    )
  const streamflows = (bySender: number) =>
    sixRecipients((recipient, mint, amount) =>
      laidOut(at.TIME_LOCKERS.streamflow, 1104, [
        [33, NOW + 5n * DAY],
        [49, DEPLOYER],
        [113, recipient],
        [177, mint],
        [417, amount],
        [460, bySender]
      ])
    )
  const rows = [
    ["is the six recipients' at Jupiter Lock", jupiters(0), true],
    ["is the six recipients' where each of them may name another", jupiters(2), true],
    ["is their creator's who may name others", jupiters(1), false],
    ["is their creator's where both may", jupiters(3), false],
    ["is the six recipients' at Streamflow", streamflows(0), true],
    ["is their sender's who may name others", streamflows(1), false]
  ] as const
  for (const [name, screened, isSpread] of rows)
    it.effect(name, () =>
      Effect.gen(function* () {
        const { safe, screening } = yield* screened
        expect({ safe, isOnes: findings(screening).includes("DOMINANT_HOLDER:fail") }).toEqual({
          safe: isSpread,
          isOnes: !isSpread
        })
      })
    )
})

describe("supply with Jupiter Lock", () => {
  it.effect("is nobody's for years", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* jupiter({ cliff: NOW + 3n * YEAR })
      expect({ safe, findings: findings(screening) }).toEqual({ safe: true, findings: [] })
    })
  )
  it.effect("is its recipient's where it vests within a month", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* jupiter({ cliff: NOW + 5n * DAY })
      expect(findings(screening)).toContain("DOMINANT_HOLDER:fail")
      expect(safe).toBe(false)
    })
  )
  for (const cancelMode of [1, 2, 3]) {
    it.effect(`is its creator's where it can be cancelled (mode ${cancelMode})`, () =>
      Effect.gen(function* () {
        const { safe, screening } = yield* jupiter({ cliff: NOW + 3n * YEAR, cancelMode })
        expect(findings(screening)).toEqual(
          expect.arrayContaining(["DOMINANT_HOLDER:fail", "INSIDER_GROUP:fail"])
        )
        expect(safe).toBe(false)
      })
    )
  }
})

/** A DLMM pair whose one position is locked until a point in time or a slot. */
const pairWithOne = (release: bigint, unit: 0 | 1) => {
  const world = makeFakeWorld()
  const providers = [{ owner: DEPLOYER, sol: 200, from: -60, count: 61 }]
  const { mint } = placeBins(world, { label: `locked pair ${unit}`, providers, unit, release })
  return screenIn(world, mint)
}

describe("a DLMM position's release point", () => {
  const rows = [
    ["a year from now, in seconds", NOW + YEAR, 1, true],
    ["next week, in seconds", NOW + 7n * DAY, 1, false],
    ["never set", 0n, 1, false],
    ["a hundred million slots from now", NOW_SLOT + 100_000_000n, 0, true],
    ["an hour of slots from now", NOW_SLOT + 9000n, 0, false],
    ["29 days of the shortest slots from now", NOW_SLOT + 29n * DAY * SHORTEST, 0, false],
    ["31 days of the shortest slots from now", NOW_SLOT + 31n * DAY * SHORTEST, 0, true]
  ] as const
  for (const [name, release, unit, lpLocked] of rows) {
    it.effect(`${name}: ${lpLocked ? "locked" : "not locked"}`, () =>
      Effect.gen(function* () {
        const { screening } = yield* pairWithOne(release, unit)
        expect(screening.lpLocked).toBe(lpLocked)
      })
    )
  }
})
