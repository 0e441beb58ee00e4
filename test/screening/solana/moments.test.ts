/** Moments of the past: found by the blocks' own times, whatever slots take, and known to nobody before. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Schema, TestClock } from "effect"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import { makeSolanaHistory } from "../../../src/chain/solana-history.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { HALF_YEAR, makeMoments, MONTH } from "../../../src/screening/solana/reads/moments.ts"
import { makePast } from "../../../src/screening/solana/reads/past.ts"
import { placeCleanToken } from "../../support/solana/clean-token.ts"
import { wallet } from "../../support/solana/encode.ts"
import { fakeRpc, makeFakeWorld } from "../../support/solana/fake-world.ts"
import { NOW_SECONDS, NOW_SLOT } from "../../support/solana/fake-node.ts"

const NOW = { seconds: Number(NOW_SECONDS), slot: NOW_SLOT }
const DAY = 86_400
const refused = new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail: "no block" })

/** How long ago a slot was, where all take equally long. */
const evenly =
  (slotSeconds: number) =>
  (slots: number): number =>
    slots * slotSeconds

/** The same where they have become shorter step by step, as mainnet's have: days, and seconds that a slot took then. */
const STEPS = [
  [49, 0.2],
  [21, 0.25],
  [21, 0.3],
  [7, 0.35],
  [1000, 0.4]
] as const
const shortening = (slots: number): number => {
  let [left, passed] = [slots, 0]
  for (const [days, slotSeconds] of STEPS) {
    const here = Math.min(left, (days * DAY) / slotSeconds)
    left -= here
    passed += here * slotSeconds
  }
  return passed
}

/** A chain whose slots take so long; `block`: what a node tells of one beside its time. */
const chainOf = (
  slotSeconds: number | ((slots: number) => number),
  block: (slot: number, time: number) => unknown
) => {
  const asked: Array<number> = []
  const ago = typeof slotSeconds === "number" ? evenly(slotSeconds) : slotSeconds
  const call: RpcCall = (_method, [slot], schema) => {
    const at = Number(slot)
    asked.push(at)
    const told = block(at, Math.round(NOW.seconds - ago(Number(NOW_SLOT) - at)))
    return Effect.mapError(Schema.decodeUnknown(schema)(told), () => refused)
  }
  return { asked, history: makeSolanaHistory(call) }
}

const whole = (slot: number, blockTime: number) => ({
  blockTime,
  signatures: [`${slot}`.padStart(64, "A").replaceAll("0", "B")]
})

const daysOf = (moments: ReadonlyArray<{ readonly time: number }>) =>
  moments.map(({ time }) => (NOW.seconds - time) / DAY)

describe("the moments by which the past is judged", () => {
  for (const [name, slotSeconds] of [
    ["as long as ever", 0.4],
    ["a little longer", 0.44],
    ["half as long", 0.2],
    ["a quarter as long", 0.1]
  ] as const)
    it.effect(`are a month ago and between that and today where slots take ${name}`, () =>
      Effect.gen(function* () {
        const moments = yield* makeMoments(chainOf(slotSeconds, whole).history, MONTH)
        const [month = 0, weeks = 0, days = 0, ...more] = daysOf(yield* moments(NOW))
        expect(more).toEqual([])
        expect(month).toBeGreaterThanOrEqual(30)
        expect(month).toBeLessThan(36)
        expect(weeks).toBeGreaterThanOrEqual(12)
        expect(days).toBeGreaterThanOrEqual(1)
        expect(days).toBeLessThan(weeks)
      })
    )

  for (const [name, slotSeconds] of [
    ["as long as ever", 0.4],
    ["half as long", 0.2],
    ["half as long as half a year ago", shortening]
  ] as const)
    it.effect(`are half a year ago and between that and the last month's where slots take ${name}`, () =>
      Effect.gen(function* () {
        const moments = yield* makeMoments(chainOf(slotSeconds, whole).history, HALF_YEAR)
        const [half = 0, middle = 0, late = 0] = daysOf(yield* moments(NOW))
        expect(half).toBeGreaterThanOrEqual(180)
        expect(half).toBeLessThan(200)
        expect(middle).toBeGreaterThanOrEqual(105)
        expect(middle).toBeLessThan(180)
        expect(late).toBeGreaterThanOrEqual(35)
        expect(late).toBeLessThan(middle)
      })
    )

  it.effect("are found beside slots at which no block stands", () =>
    Effect.gen(function* () {
      const { history } = chainOf(0.4, (slot, time) => (slot % 3 === 0 ? whole(slot, time) : "skipped"))
      expect(yield* Effect.flatMap(makeMoments(history, MONTH), (moments) => moments(NOW))).toHaveLength(3)
    })
  )

  const silent = [
    ["tells no blocks", () => "unavailable"],
    ["does not know when they were", (slot: number) => ({ ...whole(slot, 0), blockTime: null })],
    ["knows of no transactions in them", (_: number, blockTime: number) => ({ blockTime, signatures: [] })],
    [
      "keeps its ledger for two weeks",
      (slot: number, time: number) => (NOW.seconds - time > 14 * DAY ? "gone" : whole(slot, time))
    ]
  ] as const
  for (const [name, block] of silent)
    it.effect(`are none where the node ${name}`, () =>
      Effect.gen(function* () {
        const { history } = chainOf(0.4, block)
        expect(yield* Effect.flatMap(makeMoments(history, MONTH), (moments) => moments(NOW))).toEqual([])
      })
    )

  it.effect("are none on a chain that is younger", () =>
    Effect.gen(function* () {
      const { asked, history } = chainOf(0.4, whole)
      const moments = yield* makeMoments(history, MONTH)
      expect(yield* moments({ ...NOW, slot: 1000n })).toEqual([])
      expect(asked).toEqual([])
    })
  )

  it.effect("stand for six hours, and are then others", () =>
    Effect.gen(function* () {
      const moments = yield* makeMoments(chainOf(0.4, whole).history, MONTH)
      const first = yield* moments(NOW)
      yield* TestClock.adjust("5 hours")
      expect(yield* moments(NOW)).toEqual(first)
      yield* TestClock.adjust("1 hour")
      expect(yield* moments(NOW)).not.toEqual(first)
    })
  )

  it.effect(
    "are others where the clock was set back since: they would stand until that is where it was",
    () =>
      Effect.gen(function* () {
        const moments = yield* makeMoments(chainOf(0.4, whole).history, MONTH)
        yield* TestClock.adjust("1 day")
        const first = yield* moments(NOW)
        yield* TestClock.setTime(0)
        expect(yield* moments(NOW)).not.toEqual(first)
      })
  )

  it.effect("are looked for again a minute after they were not found", () =>
    Effect.gen(function* () {
      let isUp = false
      const { history } = chainOf(0.4, (slot, time) => (isUp ? whole(slot, time) : "unavailable"))
      const moments = yield* makeMoments(history, MONTH)
      expect(yield* moments(NOW)).toEqual([])
      isUp = true
      expect(yield* moments(NOW)).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(yield* moments(NOW)).toHaveLength(3)
    })
  )
})

describe("the past of an account", () => {
  const lookAt = (account: SolanaAddress, token = wallet("a token")) =>
    ({ token, account, reach: "month" }) as const

  it.effect("is asked for once in six hours", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { quoteVault } = yield* placeCleanToken(world)
      const past = yield* makePast(makeSolanaHistory(fakeRpc(world).together))
      const asked = () => world.calls.filter((call) => call === "getTransaction").length
      expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
      yield* TestClock.adjust("5 hours")
      expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
      expect(asked()).toBe(3)
      yield* TestClock.adjust("1 hour")
      expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
      expect(asked()).toBe(6)
    })
  )

  it.effect("is asked for of thirty accounts a minute: the ledger is there for payments too", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { quoteVault } = yield* placeCleanToken(world)
      const past = yield* makePast(makeSolanaHistory(fakeRpc(world).together))
      for (let index = 0; index < 30; index++)
        yield* past.of(lookAt(wallet(`account ${index}`), wallet(`token ${index}`)), NOW)
      expect(yield* past.of(lookAt(quoteVault), NOW)).toBe(null)
      yield* TestClock.adjust("1 minute")
      expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
    })
  )

  it.effect("is told of another token's pool, however many one token has", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { quoteVault } = yield* placeCleanToken(world)
      const past = yield* makePast(makeSolanaHistory(fakeRpc(world).together))
      const greedy = wallet("a token of many pools")
      for (let index = 0; index < 40; index++) yield* past.of(lookAt(wallet(`account ${index}`), greedy), NOW)
      expect(world.calls.filter((call) => call === "getSignaturesForAddress")).toHaveLength(20 * 3)
      expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
    })
  )

  it.effect(
    "is asked for although the clock was set back since: no minute, and nothing kept, lasts longer",
    () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { quoteVault } = yield* placeCleanToken(world)
        const past = yield* makePast(makeSolanaHistory(fakeRpc(world).together))
        const asked = () => world.calls.filter((call) => call === "getTransaction").length
        yield* TestClock.adjust("1 day")
        expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
        for (let index = 0; index < 29; index++)
          yield* past.of(lookAt(wallet(`account ${index}`), wallet(`token ${index}`)), NOW)
        const before = asked()
        yield* TestClock.setTime(0)
        expect(yield* past.of(lookAt(quoteVault), NOW)).toHaveLength(3)
        expect(asked()).toBeGreaterThan(before)
      })
  )

  it.effect("is asked for again a minute after the node did not tell it, and no sooner", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { quoteVault } = yield* placeCleanToken(world)
      const past = yield* makePast(makeSolanaHistory(fakeRpc(world).together))
      const answers = Effect.option(past.of(lookAt(quoteVault), NOW))
      const asked = () => world.calls.filter((call) => call === "getSignaturesForAddress").length
      yield* past.prepare("month", NOW)
      for (const silence of ["unknown", "down"] as const) {
        if (silence === "unknown") world.heldBefore = () => null
        else world.down.add("history")
        yield* answers
        const once = asked()
        yield* answers
        expect(asked()).toBe(once)
        yield* TestClock.adjust("1 minute")
        delete world.heldBefore
        world.down.clear()
      }
      expect(Option.getOrNull(yield* answers)).toHaveLength(3)
    })
  )
})
