/** Whose trials stand for all holders: not those of whoever cannot sell for reasons of his own. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAccount, SolanaBalances } from "../../../src/chain/chain-rpc.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { DAY, emptyReport, SUPPLY, placeCleanToken } from "../../support/solana/clean-token.ts"
import { encodeMint, encodeTokenAccount, extended, wallet } from "../../support/solana/encode.ts"
import type { Refusal } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { fakeRpc, findings, makeFakeWorld, screenBy, screenIn } from "../../support/solana/fake-world.ts"
import { holdersOf, patch, withHolders } from "../../support/solana/scenarios.ts"

const LARGEST = wallet("party 0")
const EURC = SolanaAddress.make("HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr")
const STATE_AT = 108
const FROZEN = 2

interface Holder {
  readonly tokens: SolanaAddress
  readonly dollars: SolanaAddress
}

/** A clean token of fifteen holders, of whom the largest has done something to itself, or somebody to it. */
const screenedWith = Effect.fnUntraced(function* (
  change: (world: FakeWorld, holder: Holder) => Omit<Refusal, "leg" | "whom">,
  address = wallet("a mint")
) {
  const world = makeFakeWorld()
  const placed = yield* placeCleanToken(world, { address })
  world.accounts.set(placed.mint, encodeMint({ supply: SUPPLY, extensions: [] }))
  withHolders(
    world,
    placed,
    holdersOf(15, (index) => 20 - index)
  )
  const tokens = associatedTokenAccount(LARGEST, placed.mint, at.TOKEN_PROGRAM)
  const dollars = associatedTokenAccount(LARGEST, at.USDC, at.TOKEN_PROGRAM)
  world.accounts.set(dollars, encodeTokenAccount(at.USDC, LARGEST, 5n))
  world.behaviour = { refusal: { leg: "sell", whom: "holders", ...change(world, { tokens, dollars }) } }
  const found = yield* screenIn(world, placed.mint)
  return { ...found, holders: found.screening.signals.find(({ id }) => id === "HOLDER_SALE_FAILS")?.message }
})

/** Token-2022's error where programs may not move what an owner has guarded. */
const GUARDED = { Custom: 41 }
const ACCOUNT_FROZEN = { Custom: 17 }
const TOO_LITTLE = { Custom: 1 }
const NO_MEMO = { Custom: 36 }

/** A young token of ten holders, to one more of whom somebody has sent so much that no pool sells for him. */
const besideCrumbs = (amount: bigint) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const placed = yield* placeCleanToken(world, { ageMs: DAY / 48 })
    withHolders(
      world,
      placed,
      holdersOf(10, (index) => 8 - index * 0.3)
    )
    const stranger = wallet("stranger")
    const crumbs = associatedTokenAccount(stranger, placed.mint, at.TOKEN_PROGRAM)
    world.accounts.set(crumbs, encodeTokenAccount(placed.mint, stranger, amount))
    world.largest.set(placed.mint, [...(world.largest.get(placed.mint) ?? []), { address: crumbs, amount }])
    world.behaviour = {
      refusal: { leg: "sell", whom: "holders", naming: crumbs, error: { Custom: 6005 } }
    }
    return yield* screenIn(world, placed.mint)
  })

describe("a holder who cannot sell", () => {
  it.effect(
    "stands for nobody where it has so little that no pool gives anything for it: a stranger's gift",
    () =>
      Effect.gen(function* () {
        const { screening, verdict } = yield* besideCrumbs(1n)
        expect(findings(screening)).toEqual(["NEW_POOL:fail"])
        expect(verdict).toBe("allow")
        const holders = screening.signals.find(({ id }) => id === "HOLDER_SALE_FAILS")?.message
        expect(holders).toContain("all succeeded (3)")
      })
  )

  it.effect("stands for all where it has as little as a pool takes from anybody", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* besideCrumbs(2_000_000n)
      expect(findings(screening)).toEqual(["NEW_POOL:fail", "HOLDER_SALE_FAILS:fail"])
      expect(safe).toBe(false)
    })
  )

  it.effect("stands for nobody where it has forbidden programs to move what it holds: others are tried", () =>
    Effect.gen(function* () {
      const { holders, screening, verdict } = yield* screenedWith((world, { tokens }) => {
        const found = world.accounts.get(tokens)
        if (found !== undefined) world.accounts.set(tokens, extended(found, [[11, Uint8Array.of(1)]]))
        return { by: at.TOKEN_2022_PROGRAM, error: GUARDED, naming: tokens }
      })
      expect(findings(screening)).toEqual([])
      expect(verdict).toBe("allow")
      expect(holders).toContain("all succeeded (3)")
    })
  )

  it.effect("stands for nobody where its dollars' issuer has frozen what it would be paid into", () =>
    Effect.gen(function* () {
      const { holders, screening, verdict } = yield* screenedWith((world, { dollars }) => {
        patch(world, dollars, [[STATE_AT, FROZEN]])
        return { by: at.TOKEN_PROGRAM, error: ACCOUNT_FROZEN, naming: dollars }
      })
      expect(findings(screening)).toEqual([])
      expect(verdict).toBe("allow")
      expect(holders).toContain("all succeeded (2)")
    })
  )

  it.effect(
    "stands for nobody where it lets nobody pay dollars in without a memo, which no swap writes",
    () =>
      Effect.gen(function* () {
        const { holders, screening, verdict } = yield* screenedWith((world, { dollars }) => {
          const found = world.accounts.get(dollars)
          if (found !== undefined) world.accounts.set(dollars, extended(found, [[8, Uint8Array.of(1)]]))
          return { by: at.TOKEN_2022_PROGRAM, error: NO_MEMO, naming: dollars }
        })
        expect(findings(screening)).toEqual([])
        expect(verdict).toBe("allow")
        expect(holders).toContain("all succeeded (2)")
      })
  )

  /** What becomes of a token whose largest holder is refused, once its account has been read and is another since. */
  const screenedOnce = Effect.fnUntraced(function* (
    since: (mint: SolanaAddress) => SolanaAccount | null,
    newer: (list: SolanaBalances["balances"], tokens: SolanaAddress) => SolanaBalances["balances"] = (list) =>
      list
  ) {
    const world = makeFakeWorld()
    const placed = yield* placeCleanToken(world)
    withHolders(
      world,
      placed,
      holdersOf(15, (index) => 20 - index)
    )
    const tokens = associatedTokenAccount(LARGEST, placed.mint, at.TOKEN_PROGRAM)
    const { getAccounts, ...rpc } = fakeRpc(world)
    const then = since(placed.mint)
    const once: typeof getAccounts = (addresses, options) =>
      Effect.tap(getAccounts(addresses, options), () => {
        if (!addresses.includes(tokens)) return
        if (then === null) world.accounts.delete(tokens)
        else world.accounts.set(tokens, then)
        world.largest.set(placed.mint, newer(world.largest.get(placed.mint) ?? [], tokens))
      })
    // Nobody tells owners before.
    world.reports.set(placed.mint, emptyReport)
    world.behaviour = {
      refusal: { leg: "sell", whom: "holders", by: at.TOKEN_PROGRAM, error: TOO_LITTLE, naming: tokens }
    }
    return yield* screenBy({ ...rpc, getAccounts: once }, world, placed.mint)
  })

  it.effect("stands for nobody where it has moved its tokens since they were listed", () =>
    Effect.gen(function* () {
      const { screening, verdict } = yield* screenedOnce((mint) => encodeTokenAccount(mint, LARGEST, 0n))
      expect(findings(screening)).toEqual([])
      expect(verdict).toBe("allow")
    })
  )

  it.effect("is no holder who has moved his tokens where the node shows no account any more", () =>
    Effect.gen(function* () {
      const { screening, verdict } = yield* screenedOnce(() => null)
      expect(findings(screening)).toContain("HOLDER_SALE_FAILS:fail")
      expect(verdict).not.toBe("allow")
    })
  )

  const withoutHim = (list: SolanaBalances["balances"], tokens: SolanaAddress) =>
    list.filter(({ address }) => address !== tokens)

  it.effect(
    "stands for nobody where it has closed its account since it was listed, as a newer list says",
    () =>
      Effect.gen(function* () {
        const { screening, verdict } = yield* screenedOnce(() => null, withoutHim)
        expect(findings(screening)).toEqual([])
        expect(verdict).toBe("allow")
      })
  )

  it.effect("has not left where the newer list leaves out others, too, or the node shows what it has", () =>
    Effect.gen(function* () {
      const short = yield* screenedOnce(
        () => null,
        (list, tokens) => withoutHim(list, tokens).slice(0, 10)
      )
      expect(findings(short.screening)).toContain("HOLDER_SALE_FAILS:fail")
      const shown = yield* screenedOnce((mint) => encodeTokenAccount(mint, LARGEST, SUPPLY / 50n), withoutHim)
      expect(findings(shown.screening)).toContain("HOLDER_SALE_FAILS:fail")
    })
  )

  const frozen = (world: FakeWorld, { tokens }: Holder) => {
    patch(world, tokens, [[STATE_AT, FROZEN]])
    return { by: at.TOKEN_2022_PROGRAM, error: ACCOUNT_FROZEN, naming: tokens }
  }

  it.effect("stands for nobody where an established issuer has frozen what it holds", () =>
    Effect.gen(function* () {
      const { holders, screening, verdict } = yield* screenedWith(frozen, EURC)
      expect(findings(screening)).toEqual([])
      expect(verdict).toBe("allow")
      expect(holders).toContain("all succeeded (3)")
    })
  )

  it.effect("stands for all where anybody else has", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* screenedWith(frozen)
      expect(findings(screening)).toEqual(["HOLDER_SALE_FAILS:fail", "FROZEN_HOLDERS:fail"])
      expect(safe).toBe(false)
    })
  )

  it.effect("stands for all where nothing of its own keeps it from selling", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* screenedWith((_world, { dollars }) => ({
        by: at.TOKEN_PROGRAM,
        error: ACCOUNT_FROZEN,
        naming: dollars
      }))
      expect(findings(screening)).toEqual(["HOLDER_SALE_FAILS:fail"])
      expect(safe).toBe(false)
    })
  )

  it.effect("stands for all where the node does not show what it would be paid into", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* screenedWith((world, { dollars }) => {
        world.accounts.delete(dollars)
        return { by: at.TOKEN_PROGRAM, error: ACCOUNT_FROZEN, naming: dollars }
      })
      expect(findings(screening)).toEqual(["HOLDER_SALE_FAILS:fail"])
      expect(safe).toBe(false)
    })
  )
})
