import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as at from "../../../src/screening/solana/addresses.ts"
import { DAY, DEPLOYER, pairOf, placeCleanToken, emptyReport } from "../../support/solana/clean-token.ts"
import {
  account,
  encodeMint,
  encodeTokenAccount,
  programAddress,
  wallet
} from "../../support/solana/encode.ts"
import { NOW_SLOT } from "../../support/solana/fake-node.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

describe("a clean Solana token", () => {
  it.effect("is allowed and safe", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const { coverage, safe, score, screening, verdict } = yield* screenIn(world, mint)
      expect(findings(screening)).toEqual([])
      expect({ coverage, safe, score, verdict }).toEqual({
        coverage: 1,
        safe: true,
        score: 0,
        verdict: "allow"
      })
      expect(screening).toMatchObject({
        pairs: 1,
        mintAuthorityOff: true,
        lpLocked: true,
        liquidityUsd: 100_000,
        anchor: { chain: "solana", slot: NOW_SLOT.toString() }
      })
      expect(screening.priceUsd).toBeCloseTo(0.0001, 8)
    })
  )

  it.effect("respects the node's 100 accounts a call with as many lockers as an operator may name", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      for (let index = 0; index < 64; index++) world.extraLockers.push(programAddress(`locker ${index}`))
      const { safe } = yield* screenIn(world, mint)
      expect(safe).toBe(true)
    })
  )
})

describe("a missing source", () => {
  for (const outage of ["dexscreener", "rugcheck"] as const) {
    it.effect(`costs certainty, not the answer, where the chain suffices: ${outage} away`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world)
        world.down.add(outage)
        const { coverage, safe, screening, verdict } = yield* screenIn(world, mint)
        expect({ safe, verdict }).toEqual({ safe: true, verdict: "allow" })
        expect(coverage).toBeLessThan(1)
        expect(screening.priceUsd).toBeCloseTo(0.0001, 8)
        expect(findings(screening)).toEqual(
          outage === "dexscreener"
            ? ["WORTHLESS_QUOTES:unknown", "NEW_POOL:unknown"]
            : ["RUGGED:unknown", "RUGCHECK_RISKS:unknown", "RUGCHECK_DISAGREES:unknown"]
        )
      })
    )
  }

  it.effect("both third parties away leave what the chain shows", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      world.down.add("dexscreener").add("rugcheck")
      const { safe, verdict } = yield* screenIn(world, mint)
      expect({ safe, verdict }).toEqual({ safe: true, verdict: "allow" })
    })
  )

  it.effect.each([
    ["is not made up for by a third party: RugCheck's holders prove nothing good", true],
    ["leaves holders unknown, never an outage, when neither lists them", false]
  ] as const)("%s", ([, isListedByRugCheck]) =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      world.down.add("largest")
      if (!isListedByRugCheck) world.reports.set(mint, { ...emptyReport })
      const { safe, screening, verdict } = yield* screenIn(world, mint)
      expect(findings(screening)).toContain("DOMINANT_HOLDER:unknown")
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
    })
  )

  it.effect("that is the Solana node itself is an outage", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      world.down.add("solana-rpc")
      const outcome = yield* Effect.either(screenIn(world, mint))
      expect(Either.isLeft(outcome) && outcome.left).toMatchObject({
        _tag: "ScreeningUnavailable",
        upstream: "solana-rpc"
      })
    })
  )
})

describe("a token without pools", () => {
  const bare = (label: string) => {
    const world = makeFakeWorld()
    const mint = wallet(label)
    world.accounts.set(mint, encodeMint())
    return { world, mint }
  }

  it.effect("is unknown when every place answered", () =>
    Effect.gen(function* () {
      const { mint, world } = bare("no pools")
      const outcome = yield* Effect.either(screenIn(world, mint))
      expect(Either.isLeft(outcome) && outcome.left._tag).toBe("UnknownToken")
    })
  )

  it.effect("is unknown too when no account exists", () =>
    Effect.gen(function* () {
      const outcome = yield* Effect.either(screenIn(makeFakeWorld(), wallet("nothing")))
      expect(Either.isLeft(outcome) && outcome.left._tag).toBe("UnknownToken")
    })
  )

  for (const outage of ["dexscreener", "rugcheck"] as const) {
    it.effect(`is not called unknown while ${outage} is silent`, () =>
      Effect.gen(function* () {
        const { mint, world } = bare("no pools")
        world.down.add(outage)
        const outcome = yield* Effect.either(screenIn(world, mint))
        expect(Either.isLeft(outcome) && outcome.left).toMatchObject({
          _tag: "ScreeningUnavailable",
          upstream: outage
        })
      })
    )
  }
})

describe("what is not a mint", () => {
  const cases = [
    ["a token account", encodeTokenAccount(at.USDC, wallet("somebody"), 5n)],
    ["a wallet", account(at.SYSTEM_PROGRAM, new Uint8Array())],
    ["an account of a foreign program", account(at.program.orcaWhirlpool, new Uint8Array(653))],
    ["an uninitialized mint", account(at.TOKEN_PROGRAM, new Uint8Array(82))],
    ["a mint-shaped account of a foreign program", account(at.METADATA_PROGRAM, encodeMint().data)]
  ] as const
  for (const [name, found] of cases) {
    it.effect(`is unknown, and costs nothing, where nobody lists a pool: ${name}`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const address = wallet("not a mint")
        world.accounts.set(address, found)
        const outcome = yield* Effect.either(screenIn(world, address))
        expect(Either.isLeft(outcome) && outcome.left._tag).toBe("UnknownToken")
      })
    )

    it.effect(`is avoided by a hard rule where market data lists it: ${name}`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const address = wallet("not a mint")
        world.accounts.set(address, found)
        world.pairs.set(address, [pairOf(wallet("its pool"), at.USDC)])
        const { reasons, safe, screening, verdict } = yield* screenIn(world, address)
        expect({ safe, verdict, first: reasons[0]?.code }).toEqual({
          safe: false,
          verdict: "avoid",
          first: "NOT_A_MINT"
        })
        expect(screening.mintAuthorityOff).toBe(null)
        expect(screening.lpLocked).toBe(null)
      })
    )
  }

  it.effect("is avoided, not an error, where market data lists pairs for an address that holds nothing", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const address = wallet("ghost")
      world.pairs.set(address, [pairOf(wallet("ghost pool"), at.USDC)])
      const { screening, verdict } = yield* screenIn(world, address)
      expect(verdict).toBe("avoid")
      expect(findings(screening)).toContain("NOT_A_MINT:fail")
      expect(screening).toMatchObject({ pairs: 1, liquidityUsd: 0, priceUsd: null, mintAuthorityOff: null })
    })
  )

  it.effect("names the mint of a token account, which the caller probably meant", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const address = wallet("balance")
      world.accounts.set(address, encodeTokenAccount(at.USDC, DEPLOYER, 5n))
      world.pairs.set(address, [pairOf(wallet("its pool"), at.USDC)])
      const { reasons } = yield* screenIn(world, address)
      expect(reasons[0]?.message).toContain(at.USDC)
    })
  )
})

describe("mintAuthorityOff", () => {
  it.effect("is false while the authority is live and fails the safe flag", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { mint: { mintAuthority: DEPLOYER } })
      const { safe, screening } = yield* screenIn(world, mint)
      expect({ safe, mintAuthorityOff: screening.mintAuthorityOff }).toEqual({
        safe: false,
        mintAuthorityOff: false
      })
    })
  )

  it.effect("is false for a listed issuer too, whose power is only not counted", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      yield* placeCleanToken(world, {
        address: at.USDT,
        mint: { mintAuthority: DEPLOYER, freezeAuthority: DEPLOYER },
        lpLeft: 1_000_000_000n,
        ageMs: 900 * DAY
      })
      const { safe, screening, verdict } = yield* screenIn(world, at.USDT)
      expect(screening.mintAuthorityOff).toBe(false)
      expect({ safe, verdict }).toEqual({ safe: true, verdict: "allow" })
    })
  )
})
