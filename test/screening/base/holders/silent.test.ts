import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Address } from "viem"
import { numberToHex } from "viem"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { BURN_ADDRESSES, ZERO_ADDRESS } from "../../../../src/screening/base/addresses.ts"
import { lockerList } from "../../../../src/screening/base/pools/lp-lock.ts"
import { findHolders } from "../../../../src/screening/base/holders/holders.ts"
import { POOL, TOKEN, clean, judge, NOTHING_LATER } from "../../../support/base/fixtures.ts"
import { rpcOf } from "../../../support/base/rpc-of.ts"

const [OWNER, BUYER]: ReadonlyArray<Address> = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`]
const SUPPLY = 10n ** 25n

/** A node that serves nothing but balances: a hundredth of the supply to everybody, most to one, and no answer for `silent`. */
const node = (silent: (account: string) => boolean, rich?: Address): BaseRpc =>
  rpcOf({
    readAll: (reads) =>
      Effect.succeed({
        blockNumber: 1n,
        blockTime: 1n,
        results: reads.map((read) => {
          const data = "data" in read ? read.data : "0x"
          const account = `0x${data.slice(-40)}`
          const held = account === rich?.toLowerCase() ? (SUPPLY * 4n) / 5n : SUPPLY / 100n
          return silent(account)
            ? { ok: false, data: "0x" as const }
            : { ok: true, data: numberToHex(held, { size: 32 }) }
        })
      })
  })

/** Holders of a token whose events name more transfers than were served. */
const found = (rpc: BaseRpc, lockers: ReturnType<typeof lockerList>) =>
  findHolders(rpc, {
    token: TOKEN,
    blockNumber: 1n,
    code: "0x",
    history: {
      words: [],
      pairs: [],
      naming: [],
      transfers: [{ from: ZERO_ADDRESS, to: BUYER ?? ZERO_ADDRESS }],
      birth: null,
      atBirth: new Map(),
      whole: false
    },
    spent: null,
    suspects: [OWNER, BUYER].filter((account) => account !== undefined),
    pools: [POOL],
    lockers,
    now: 1n,
    tell: () => Effect.void,
    later: Effect.succeed(NOTHING_LATER)
  })

const concentration = (rpc: BaseRpc, lockers: ReturnType<typeof lockerList> = []) =>
  Effect.map(found(rpc, lockers), (holders) => {
    const { state, verdict } = judge({ ...clean, holders })
    return { verdict, state: state("HOLDER_CONCENTRATION") }
  })

it.effect(
  "a market too large to be asked whole does not forbid a token that answers for whoever is asked",
  () =>
    Effect.gen(function* () {
      expect(yield* concentration(node(() => false))).toMatchObject({ verdict: "allow" })
      // Some tokens refuse to say what nobody holds.
      const ofNobody = node((account) => BURN_ADDRESSES.some((burned) => burned === account))
      expect(yield* concentration(ofNobody)).toMatchObject({ verdict: "allow" })
    })
)

it.effect("an account whose balance the token does not tell may hold all the rest", () =>
  Effect.gen(function* () {
    for (const one of [OWNER, BUYER]) {
      const outcome = yield* concentration(node((account) => account === one))
      expect(outcome).toEqual({ verdict: "caution", state: "unknown" })
    }
  })
)

it.effect("holders of whom no balance could be read are nobody's market", () =>
  Effect.gen(function* () {
    const outcome = yield* concentration(rpcOf({}))
    expect(outcome).toEqual({ verdict: "caution", state: "unknown" })
  })
)

it.effect("what the token's own contract holds may be somebody's where its storage was not read whole", () =>
  Effect.gen(function* () {
    const everybody = () => false
    expect(yield* concentration(node(everybody, TOKEN))).toEqual({ verdict: "caution", state: "unknown" })
    expect(yield* concentration(node(everybody, BURN_ADDRESSES[1]))).toMatchObject({ verdict: "allow" })
  })
)

it.effect(
  "what a locker holds and may let go counts as somebody's, also where the token does not tell it",
  () =>
    Effect.gen(function* () {
      const lockers = lockerList([])
      const [
        ,
        ,
        ,
        { address: dated } = { address: ZERO_ADDRESS },
        { address: undated } = { address: ZERO_ADDRESS }
      ] = lockers
      const everybody = () => false
      expect(yield* concentration(node(everybody), lockers)).toMatchObject({ verdict: "allow" })
      for (const locker of [dated, undated]) {
        const unknown = { verdict: "caution", state: "unknown" }
        expect(yield* concentration(node(everybody, locker), lockers)).toEqual(unknown)
        expect(
          yield* concentration(
            node((account) => account === locker, locker),
            lockers
          )
        ).toEqual(unknown)
      }
    })
)
