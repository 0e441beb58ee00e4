/** The exit, proven: what a node's simulation of trades says decides, and what it cannot say never does. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { known } from "../../../src/domain/fact.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { outcomeOf } from "../../../src/screening/solana/simulation/outcome.ts"
import type { Trial } from "../../../src/screening/solana/simulation/trial.ts"
import { pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { placeRange, tickOf } from "../../support/solana/concentrated.ts"
import { account, programAddress, wallet } from "../../support/solana/encode.ts"
import type { Behaviour, Refusal } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { placeGraduate, placePumpCurve } from "../../support/solana/launches.ts"
import { holdersOf, patch, withHolders } from "../../support/solana/scenarios.ts"

const HOOK = programAddress("somebody's hook")

const screened = (behaviour: Behaviour, place?: (world: FakeWorld) => SolanaAddress) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    world.behaviour = behaviour
    const placed = place === undefined ? yield* placeCleanToken(world) : null
    const mint = placed?.mint ?? place?.(world)
    if (mint === undefined) return yield* Effect.dieMessage("no token")
    return yield* screenIn(world, mint)
  })

const refusal = (
  leg: Refusal["leg"],
  whom: Refusal["whom"],
  rest: Omit<Refusal, "leg" | "whom">
): Behaviour => ({
  refusal: { leg, whom, ...rest }
})

describe("a sale that a program refuses", () => {
  const certain: Readonly<Record<string, Behaviour>> = {
    "the token program, to a new wallet": refusal("sell", "fresh", {
      by: at.TOKEN_2022_PROGRAM,
      error: { Custom: 17 }
    }),
    "the token's hook": refusal("sell", "fresh", { by: HOOK, error: { Custom: 1 } }),
    "a hook with an error of the runtime's own": refusal("sell", "fresh", {
      by: HOOK,
      error: "InvalidAccountData"
    }),
    "a hook that calls a program that does not exist": refusal("sell", "fresh", {
      by: HOOK,
      error: "UnsupportedProgramId"
    }),
    "a hook that burns all compute": refusal("sell", "fresh", {
      by: HOOK,
      error: "ComputationalBudgetExceeded"
    }),
    "the pool's program, with an error of its own": refusal("sell", "fresh", { error: { Custom: 6001 } }),
    "the pool's program, out of compute, with logs cut off": refusal("sell", "fresh", {
      error: "ProgramFailedToComplete",
      silent: true
    }),
    "what was bought, when it is passed on": refusal("transfer", "fresh", {
      by: at.TOKEN_2022_PROGRAM,
      error: { Custom: 37 }
    }),
    "everybody, new or not": refusal("sell", "all", { error: { Custom: 6001 } })
  }
  for (const [name, behaviour] of Object.entries(certain)) {
    it.effect(`is avoided: ${name}`, () =>
      Effect.gen(function* () {
        const { safe, screening, verdict } = yield* screened(behaviour)
        expect({ safe, verdict }).toEqual({ safe: false, verdict: "avoid" })
        expect(findings(screening)).toContain("SALE_FAILS:fail")
      })
    )
  }

  it.effect("to real holders alone is not safe, whatever a new wallet can do", () =>
    Effect.gen(function* () {
      const behaviour = refusal("sell", "holders", { by: at.TOKEN_PROGRAM, error: { Custom: 17 } })
      const { safe, screening, verdict } = yield* screened(behaviour)
      expect(findings(screening)).toEqual(["HOLDER_SALE_FAILS:fail"])
      expect({ safe, verdict }).toEqual({ safe: false, verdict: "caution" })
    })
  )

  it.effect("a purchase that fails is no proof that holders cannot sell, and nobody is told it is safe", () =>
    Effect.gen(function* () {
      const { safe, verdict } = yield* screened(refusal("buy", "fresh", { error: { Custom: 6001 } }))
      expect({ safe, verdict }).toEqual({ safe: false, verdict: "caution" })
    })
  )
})

describe("a refusal that our own instruction may have caused", () => {
  const doubtful = { error: { Custom: 3012 } } as const
  it.effect("stays open and forbids trust while nothing shows that the instruction works", () =>
    Effect.gen(function* () {
      const { safe, screening, verdict } = yield* screened(refusal("sell", "all", doubtful))
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
      expect(findings(screening)).toEqual([
        "SALE_FAILS:unknown",
        "HOLDER_SALE_FAILS:unknown",
        "ROUND_TRIP_LOSS:unknown"
      ])
    })
  )

  it.effect("is the token's where the same instruction has just sold for somebody else", () =>
    Effect.gen(function* () {
      const { safe, screening, verdict } = yield* screened(refusal("sell", "fresh", doubtful))
      expect({ safe, verdict }).toEqual({ safe: false, verdict: "caution" })
      expect(findings(screening)).toContain("SALE_FAILS:fail")
    })
  )
})

describe("a node that cannot simulate", () => {
  const unknowns = ["SALE_FAILS:unknown", "HOLDER_SALE_FAILS:unknown", "ROUND_TRIP_LOSS:unknown"]
  it.effect("costs points, and what is read from state decides", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      world.down.add("simulation")
      const { safe, score, screening, verdict } = yield* screenIn(world, mint)
      expect(findings(screening)).toEqual(unknowns)
      expect({ safe, verdict }).toEqual({ safe: true, verdict: "allow" })
      expect(score).toBeGreaterThan(0)
    })
  )

  for (const error of ["UnsupportedProgramId", "InvalidProgramForExecution"] as const) {
    it.effect(`lacks a program: ${error} says nothing about the token`, () =>
      Effect.gen(function* () {
        const behaviour = refusal("buy", "fresh", { error, silent: true })
        const { safe, screening, verdict } = yield* screened(behaviour)
        expect(findings(screening)).toEqual(["SALE_FAILS:unknown", "ROUND_TRIP_LOSS:unknown"])
        expect({ safe, verdict }).toEqual({ safe: true, verdict: "allow" })
      })
    )
  }

  it.effect("has nobody rich enough to pay for a trial", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      for (const [address, { lamports }] of world.accounts)
        if (lamports > 10n ** 12n) world.accounts.delete(address)
      const { safe, screening } = yield* screenIn(world, mint)
      expect(findings(screening)).toEqual(unknowns)
      expect(safe).toBe(true)
    })
  )

  it.effect("has accounts gone poor that are named for it: a holder it shows pays instead", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const mint = placeGraduate(world, { label: "paid for", sol: 85 })
      world.accounts.delete(wallet("payer of trials"))
      const poor = yield* screenIn(world, mint)
      expect(findings(poor.screening)).toContain("SALE_FAILS:unknown")
      const holder = account(at.SYSTEM_PROGRAM, new Uint8Array())
      world.accounts.set(wallet("party 0"), { ...holder, lamports: 10_000_000_000n })
      const rich = yield* screenIn(world, mint)
      expect(findings(rich.screening)).toEqual([])
    })
  )
})

describe("an error that names an absent program", () => {
  const trial: Trial = {
    kind: "round-trip",
    pool: null,
    wire: "",
    legs: ["funds", "buy", "sell"],
    programs: [at.SYSTEM_PROGRAM, at.program.raydiumCpmm, at.program.raydiumCpmm],
    watch: [],
    opened: [],
    holder: null
  }
  const ended = (logs: ReadonlyArray<string>) =>
    outcomeOf(
      trial,
      known({ slot: 1n, failure: { instruction: 2, code: "UnsupportedProgramId" }, logs, accounts: [] })
    ).kind
  const rows = [
    ["the node's, where no program is said to have failed", [], "unrun"],
    ["a program's, where one is said to have failed", [`Program ${HOOK} failed: Unsupported`], "refused"],
    ["a program's, where it filled the logs until they were cut", ["Log truncated"], "refused"]
  ] as const
  for (const [name, logs, kind] of rows) it(`is ${name}`, () => expect(ended(logs)).toBe(kind))

  it("is the node's where it ran no instruction at all", () => {
    for (const code of ["BlockhashNotFound", "AccountNotFound", "ProgramAccountNotFound"]) {
      const failure = { instruction: null, code }
      expect(outcomeOf(trial, known({ slot: 1n, failure, logs: [], accounts: [] })).kind).toBe("unrun")
    }
  })
})

describe("what a round trip costs", () => {
  const rows = [
    [0.02, "allow", []],
    [0.08, "allow", ["ROUND_TRIP_LOSS:fail"]],
    [0.2, "caution", ["ROUND_TRIP_LOSS:fail"]],
    [0.6, "avoid", ["ROUND_TRIP_LOSS:fail"]]
  ] as const
  for (const [loss, verdict, expected] of rows) {
    it.effect(`is measured: ${loss * 100} % in a pool against dollars`, () =>
      Effect.gen(function* () {
        const { screening, verdict: found } = yield* screened({ loss })
        expect(findings(screening)).toEqual(expected)
        expect(found).toBe(verdict)
        const signal = screening.signals.find(({ id }) => id === "ROUND_TRIP_LOSS")
        expect(signal?.message).toContain(`${loss * 100} %`)
      })
    )
  }

  it.effect("is measured in SOL wrapped and unwrapped", () =>
    Effect.gen(function* () {
      for (const place of [
        (world: FakeWorld) => placeGraduate(world, { label: "lossy", sol: 85 }),
        (world: FakeWorld) => placePumpCurve(world, { label: "lossy", sol: 30 })
      ]) {
        const { screening, verdict } = yield* screened({ loss: 0.6 }, place)
        expect(findings(screening)).toContain("ROUND_TRIP_LOSS:fail")
        expect(verdict).toBe("avoid")
      }
    })
  )
})

/** A Whirlpool beside a token's pool, at its price: little in a narrow range there, and much more far below. */
const placeBeside = (world: FakeWorld, mint: SolanaAddress) => {
  const near = tickOf(200)
  const { pool, tokenVault } = placeRange(world, {
    label: "far bids",
    sol: 200,
    providers: [
      { owner: wallet("somebody"), sol: 5, ticks: [near - 8, near + 8] },
      { owner: wallet("somebody"), sol: 3000, ticks: [near - 40_000, near - 20_000] }
    ]
  })
  patch(world, pool, [[101, mint]])
  patch(world, tokenVault, [
    [0, mint],
    [64, 1_000_000_000_000n]
  ])
  const pair = pairOf(pool, at.WSOL, { dexId: "orca", labels: ["wp"], priceUsd: null, liquidityQuote: 3005 })
  world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pair])
}

describe("where a trial is made", () => {
  const verdictBeside = Effect.fnUntraced(function* (leg?: Refusal["leg"]) {
    const world = makeFakeWorld()
    const { mint, pool } = yield* placeCleanToken(world, { dollars: 75_000n })
    placeBeside(world, mint)
    if (leg !== undefined) world.behaviour = refusal(leg, "fresh", { naming: pool, error: { Custom: 6001 } })
    return (yield* screenIn(world, mint)).verdict
  })

  it.effect("is the market's own pool, whatever bids lie far below the price of another", () =>
    Effect.gen(function* () {
      expect(yield* verdictBeside()).toBe("allow")
      expect(yield* verdictBeside("sell")).toBe("avoid")
    })
  )
})

describe("whom a trial stands for", () => {
  it.effect("two real holders at most, and never a creator or a pool", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const placed = yield* placeCleanToken(world)
      withHolders(
        world,
        placed,
        holdersOf(15, (index) => 20 - index)
      )
      yield* screenIn(world, placed.mint)
      // A round trip, the same passed on, two holders' sales and one transfer.
      expect(world.calls.filter((call) => call === "simulate").length).toBe(5)
    })
  )
})
