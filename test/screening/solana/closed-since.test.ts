/** Holders who sell all and close their accounts after the node has listed them, before these are read. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaBalances, SolanaTokenBalance } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { known } from "../../../src/domain/fact.ts"
import { TOKEN_PROGRAM } from "../../../src/screening/solana/addresses.ts"
import { listedAgain } from "../../../src/screening/solana/reads/closed-since.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import { placeCleanToken, SUPPLY } from "../../support/solana/clean-token.ts"
import { encodeMint, encodeTokenAccount, wallet } from "../../support/solana/encode.ts"
import { NOW_SLOT } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { fakeRpc, findings, makeFakeWorld, screenBy } from "../../support/solana/fake-world.ts"

type List = ReadonlyArray<SolanaTokenBalance>

const held = (owner: string, mint: SolanaAddress) =>
  associatedTokenAccount(wallet(owner), mint, TOKEN_PROGRAM)

const tenth = (owner: string, mint: SolanaAddress) => ({ address: held(owner, mint), amount: SUPPLY / 100n })

/** The list after the first holder has left: the one behind all others stands there now. */
const moved = (list: List, mint: SolanaAddress): List => [
  ...list.filter(({ address }) => address !== held("holder 0", mint)),
  tenth("holder 19", mint)
]

/**
 * A clean token whose first holder's account is gone when it is read. `again`: what the node lists when it is asked once more;
 * null where it does not answer.
 */
const afterLeaving = (
  again: (list: List, mint: SolanaAddress) => Partial<SolanaBalances> | null,
  change: (world: FakeWorld, mint: SolanaAddress) => void = () => undefined
) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const { mint } = yield* placeCleanToken(world)
    world.accounts.delete(held("holder 0", mint))
    change(world, mint)
    const rpc = fakeRpc(world)
    let asked = 0
    const getLargestTokenAccounts: typeof rpc.getLargestTokenAccounts = (of) => {
      const first = rpc.getLargestTokenAccounts(of)
      if (of !== mint || (asked += 1) === 1) return first
      return Effect.flatMap(first, (told) => {
        const newer = again(told.balances, mint)
        return newer === null
          ? new UpstreamError({ upstream: "solana-rpc", kind: "timeout", detail: "down" })
          : Effect.succeed({ ...told, ...newer })
      })
    }
    const { screening, verdict } = yield* screenBy({ ...rpc, getLargestTokenAccounts }, world, mint)
    return { asked, verdict, found: findings(screening) }
  })

describe("a holder whose account is not shown any more", () => {
  it.effect("has left where a newer list does not name it, and the token is judged by that", () =>
    Effect.gen(function* () {
      const left = yield* afterLeaving((list, mint) => ({ balances: moved(list, mint) }))
      expect(left).toEqual({ asked: 2, verdict: "allow", found: [] })
    })
  )

  it.effect("may be frozen where the newer list names it still", () =>
    Effect.gen(function* () {
      const { found } = yield* afterLeaving((list) => ({ balances: list }))
      expect(found).toEqual(["FROZEN_HOLDERS:unknown"])
    })
  )

  const silent = [
    [
      "of an earlier slot",
      (list: List, mint: SolanaAddress) => ({ slot: NOW_SLOT - 1n, balances: moved(list, mint) })
    ],
    ["that is shorter", (list: List, mint: SolanaAddress) => ({ balances: moved(list, mint).slice(0, 18) })],
    ["of nobody", () => ({ balances: [] })],
    ["that never comes", () => null]
  ] as const
  for (const [name, again] of silent)
    it.effect(`may be frozen beside a list ${name}`, () =>
      Effect.gen(function* () {
        expect((yield* afterLeaving(again)).found).toEqual(["FROZEN_HOLDERS:unknown"])
      })
    )

  it.effect("may have sold to somebody whom the newer list names alone", () =>
    Effect.gen(function* () {
      const whale = SUPPLY / 3n
      const bought = yield* afterLeaving(
        (list, mint) => ({
          balances: [{ address: held("whale", mint), amount: whale }, ...moved(list, mint).slice(0, 19)]
        }),
        (world, mint) => {
          world.accounts.set(held("whale", mint), encodeTokenAccount(mint, wallet("whale"), whale))
        }
      )
      expect(bought.found).toContain("DOMINANT_HOLDER:fail")
    })
  )

  it.effect("takes nobody along who is shown, though the newer list does not name him", () =>
    Effect.gen(function* () {
      const whale = SUPPLY / 3n
      const { found } = yield* afterLeaving(
        (list, mint) => ({ balances: moved(list, mint).filter(({ amount }) => amount !== whale) }),
        (world, mint) => {
          const listed = world.largest.get(mint) ?? []
          world.largest.set(mint, [{ address: held("whale", mint), amount: whale }, ...listed])
          world.accounts.set(held("whale", mint), encodeTokenAccount(mint, wallet("whale"), whale))
        }
      )
      expect(found).toContain("DOMINANT_HOLDER:fail")
    })
  )
})

describe("what a holder has sold who left a token of few", () => {
  it.effect("lies where the newer list says", () =>
    Effect.gen(function* () {
      const few = (list: List, mint: SolanaAddress) =>
        list.slice(0, 8).filter(({ address }) => address !== held("holder 0", mint))
      const left = yield* afterLeaving(
        (list, mint) => ({
          balances: few(list, mint).map((one, index) =>
            index === 0 ? { ...one, amount: one.amount + SUPPLY / 100n } : one
          )
        }),
        (world, mint) => {
          const listed = (world.largest.get(mint) ?? []).slice(0, 8)
          world.largest.set(mint, listed)
          const all = listed.reduce((sum, { amount }) => sum + amount, 0n)
          world.accounts.set(mint, encodeMint({ supply: all }))
        }
      )
      expect(left).toEqual({ asked: 2, verdict: "allow", found: [] })
    })
  )
})

describe("a newer list", () => {
  const again = (balances: List, leaving: number) => {
    const [first, slot] = [wallet("the only holder listed"), NOW_SLOT]
    const rpc = {
      ...fakeRpc(makeFakeWorld()),
      getLargestTokenAccounts: () => Effect.succeed({ slot, balances })
    }
    const before = { largest: known([{ address: first, amount: SUPPLY }]), listedAt: slot }
    return listedAgain({ rpc }, wallet("a mint"), before, leaving)
  }

  it.effect("of nobody has told nothing, though everybody listed before may have left", () =>
    Effect.gen(function* () {
      const other = [{ address: wallet("who has bought it all"), amount: SUPPLY }]
      expect(yield* again(other, 1)).toEqual(other)
      expect(yield* again([], 1)).toBe(null)
    })
  )
})

describe("a list of holders", () => {
  it.effect("is asked for once where all are shown", () =>
    Effect.gen(function* () {
      const { asked } = yield* afterLeaving(
        () => null,
        (world, mint) => {
          world.accounts.set(
            held("holder 0", mint),
            encodeTokenAccount(mint, wallet("holder 0"), SUPPLY / 100n)
          )
        }
      )
      expect(asked).toBe(1)
    })
  )
})
