/** A node that shows a past: what it says of a token was true once. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema, TestClock } from "effect"
import type { SolanaAccount, SolanaRpc } from "../../../src/chain/chain-rpc.ts"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { ScreeningUnavailable, UpstreamError } from "../../../src/domain/errors.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { placeCleanToken } from "../../support/solana/clean-token.ts"
import { placeDammPositions } from "../../support/solana/concentrated.ts"
import { account, wallet } from "../../support/solana/encode.ts"
import { NOW_SLOT } from "../../support/solana/fake-node.ts"
import { fakeRpc, makeFakeWorld, screenBy, screenIn } from "../../support/solana/fake-world.ts"

/** The time on the clock of these worlds, Unix milliseconds. */
const CHAIN_TIME = 1_790_000_000_000
const unavailable = new ScreeningUnavailable({ upstream: "solana-rpc" })

const screened = (change: (world: ReturnType<typeof makeFakeWorld>, mint: SolanaAddress) => void) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const { mint } = yield* placeCleanToken(world)
    change(world, mint)
    return yield* Effect.either(screenIn(world, mint))
  })

describe("a node that shows the past", () => {
  it.effect("by its clock, or shows no clock, is no source: nothing is said, and nothing is charged", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(CHAIN_TIME + 60_000)
      expect(yield* screened(() => undefined)).toMatchObject({ right: { safe: true } })
      expect(yield* screened((world) => void world.accounts.delete(at.CLOCK_SYSVAR))).toMatchObject({
        left: unavailable
      })
      const cut = account(at.SYSTEM_PROGRAM, new Uint8Array(39))
      expect(yield* screened((world) => void world.accounts.set(at.CLOCK_SYSVAR, cut))).toMatchObject({
        left: unavailable
      })
      yield* TestClock.setTime(CHAIN_TIME + 3_600_000)
      expect(yield* screened(() => undefined)).toMatchObject({ left: unavailable })
    })
  )

  it.effect("is not one whose clock says that its chain began at nought, as development servers' do", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(CHAIN_TIME)
      const nought = account(at.SYSTEM_PROGRAM, new Uint8Array(40))
      expect(yield* screened((world) => void world.accounts.set(at.CLOCK_SYSVAR, nought))).toMatchObject({
        right: { safe: true }
      })
    })
  )

  it.effect("in which there is no token yet, while others list a pool of it, proves no token missing", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(CHAIN_TIME + 60_000)
      const since = (opened: number | null, found?: SolanaAccount) =>
        screened((world, mint) => {
          const pairs = (world.pairs.get(mint) ?? []).map((pair) => ({ ...pair, createdAt: opened }))
          world.pairs.set(mint, pairs)
          if (found === undefined) world.accounts.delete(mint)
          else world.accounts.set(mint, found)
        })
      expect(yield* since(CHAIN_TIME + 30_000)).toMatchObject({ left: unavailable })
      // Where somebody had sent SOL before a token was made there.
      const lamports = account(at.SYSTEM_PROGRAM, new Uint8Array())
      expect(yield* since(CHAIN_TIME + 30_000, lamports)).toMatchObject({ left: unavailable })
      expect(yield* since(CHAIN_TIME - 30_000)).toMatchObject({ right: { safe: false, verdict: "avoid" } })
      expect(yield* since(null)).toMatchObject({ right: { safe: false, verdict: "avoid" } })
    })
  )

  it.effect("in its list of holders has told nothing of who holds the token today", () =>
    Effect.gen(function* () {
      expect(yield* screened((world) => void (world.listedAt = NOW_SLOT - 100n))).toMatchObject({
        right: { safe: true }
      })
      expect(yield* screened((world) => void (world.listedAt = NOW_SLOT - 200n))).toMatchObject({
        right: { safe: null }
      })
    })
  )

  it.effect("in its list of positions has told nothing of whose the liquidity is today", () =>
    Effect.gen(function* () {
      const lockedAt = (slot: bigint | null) => {
        const world = makeFakeWorld()
        const until = BigInt(CHAIN_TIME / 1000) + 31_536_000n
        const { mint } = placeDammPositions(world, "listed", [
          { owner: wallet("owner"), share: 1, until, schedule: "elsewhere" }
        ])
        world.searchedAt = slot
        return Effect.map(screenIn(world, mint), ({ screening }) => screening.lpLocked)
      }
      expect(yield* lockedAt(NOW_SLOT - 100n)).toBe(true)
      expect(yield* lockedAt(NOW_SLOT - 200n)).toBe(null)
      // A development server's, which knows no slot of a list.
      expect(yield* lockedAt(null)).toBe(true)
    })
  )

  it.effect("in a later wave, or in one part of a wave, is none beside one that shows today", () =>
    Effect.gen(function* () {
      const behind = (slot: bigint) =>
        screened((world) => {
          world.slotOf = (addresses) => (addresses.includes(at.CLOCK_SYSVAR) ? NOW_SLOT : slot)
        })
      expect(yield* behind(NOW_SLOT - 100n)).toMatchObject({ right: { safe: true } })
      expect(yield* behind(NOW_SLOT - 200n)).toMatchObject({ left: unavailable })
    })
  )
})

describe("one of two nodes", () => {
  /** The preferred node is ten minutes late; the other one is at this slot, and knows a freeze authority. */
  const besideSlot = (other: bigint | null) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(CHAIN_TIME + 600_000)
      const [late, today] = [makeFakeWorld(), makeFakeWorld()]
      const { mint } = yield* placeCleanToken(late)
      yield* placeCleanToken(today, { mint: { freezeAuthority: wallet("freezer") } })
      today.slotOf = () => other ?? 0n
      today.listedAt = today.searchedAt = other ?? 0n
      const [first, second] = [fakeRpc(late), fakeRpc(today)]
      const down = new UpstreamError({ upstream: "solana-rpc", kind: "timeout", detail: "down" })
      const node = (slot: bigint | null) => {
        const call: RpcCall = (_method, _params, schema) =>
          slot === null ? down : Effect.mapError(Schema.decodeUnknown(schema)(Number(slot)), () => down)
        return { host: "node", call }
      }
      const rpc: SolanaRpc = {
        ...first,
        // As nodes do: the one that has not come so far refuses, and the next is asked.
        getAccounts: (addresses, options) =>
          (options?.notBefore ?? 0n) > NOW_SLOT
            ? second.getAccounts(addresses, options)
            : first.getAccounts(addresses, options),
        nodes: [node(NOW_SLOT), node(other)]
      }
      return yield* Effect.either(screenBy(rpc, late, mint))
    })
  it.effect("that is behind the other is asked for nothing that the other can tell", () =>
    Effect.gen(function* () {
      expect(yield* besideSlot(NOW_SLOT + 1500n)).toMatchObject({ right: { safe: false } })
    })
  )
  it.effect("that is late as the other is shows a chain that stands still", () =>
    Effect.gen(function* () {
      expect(yield* besideSlot(NOW_SLOT + 10n)).toMatchObject({ right: { safe: true } })
      expect(yield* besideSlot(null)).toMatchObject({ right: { safe: true } })
    })
  )
})
