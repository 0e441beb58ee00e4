import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Either, Exit, Fiber, Option, TestClock } from "effect"
import { encodeErrorResult, numberToHex, pad, parseAbi } from "viem"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import type { BaseRpc, EvmReadResult } from "../../../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { makeTrials } from "../../../../src/payment/verifier/evm/trial.ts"
import { clientOver } from "../../../support/chain/client-over.ts"
import { interruptingAt } from "../../../support/interrupting.ts"
import { signedPayment } from "../../../support/payment/base-settling.ts"

const word = (value: number): EvmReadResult => ({ ok: true, data: pad(numberToHex(value), { size: 32 }) })
const done: EvmReadResult = { ok: true, data: "0x" }
const refused: EvmReadResult = {
  ok: false,
  data: encodeErrorResult({
    abi: parseAbi(["error Error(string)"]),
    args: ["ERC20: transfer amount exceeds balance"]
  })
}

type Reads = Parameters<BaseRpc["readAll"]>[0]

/** A node that calls itself so. */
const nodeNamed = (name: string) => clientOver(() => Promise.resolve(name))

interface Node {
  /** What every transfer comes to. */
  readonly transfer?: EvmReadResult
  /** Milliseconds by which the newest block it shows is behind. */
  readonly behind?: number
  readonly name?: string
}

/** A chain on which everybody has 10 USDC, and every nonce is unused. */
const makeChain = ({ behind = 0, name = "reth/v1.9.3", transfer = done }: Node = {}) => {
  const asked: Array<Reads> = []
  const readAll: BaseRpc["readAll"] = (reads) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      asked.push(reads)
      const answers = reads.map((read) => {
        if (!("to" in read)) return done
        if (read.writes === true) return transfer
        return read.data.startsWith("0x70a08231") ? word(10_000_000) : word(0)
      })
      return { blockNumber: 7n, blockTime: BigInt(Math.floor((now - behind) / 1_000)), results: answers }
    })
  return { asked, trials: makeTrials({ readAll, client: nodeNamed(name) }) }
}

const sign = Effect.gen(function* () {
  if ((yield* Clock.currentTimeMillis) === 0) yield* TestClock.setTime(1_800_000_000_000)
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const payTo = evmAccount("merchant").address
  return yield* signedPayment({ payer: evmAccount("payer"), payTo, validBefore: now + 60 })
})

const inTime = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* TestClock.adjust("10 millis")
    return yield* Fiber.join(fiber)
  })

describe("trials of payments", () => {
  it.effect("payments that come together share one call, and every read comes before every transfer", () =>
    Effect.gen(function* () {
      const { asked, trials } = makeChain()
      const payments = yield* Effect.all([sign, sign, sign])
      const found = yield* inTime(Effect.forEach(payments, trials.now, { concurrency: "unbounded" }))
      expect(found).toEqual(
        payments.map(() => ({
          height: 7,
          isUsed: false,
          held: 10_000_000n,
          executes: true,
          refusal: "",
          hasCode: false
        }))
      )
      expect(asked).toHaveLength(1)
      const writes = asked[0]?.map((read) => "writes" in read && read.writes === true)
      expect(writes).toEqual([...Array<boolean>(9).fill(false), true, true, true])
    })
  )

  it.effect("thirty payments of one moment are asked about at once, and once", () =>
    Effect.gen(function* () {
      const { asked, trials } = makeChain()
      const payments = yield* Effect.replicateEffect(sign, 30)
      yield* inTime(Effect.forEach(payments, trials.now, { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      expect(asked.map((reads) => reads.length)).toEqual([120])
    })
  )

  it.effect("no call is asked for more than thirty payments, and nobody is left out", () =>
    Effect.gen(function* () {
      const { asked, trials } = makeChain()
      const payments = yield* Effect.replicateEffect(sign, 70)
      const found = yield* inTime(Effect.forEach(payments, trials.now, { concurrency: "unbounded" }))
      expect(found.map(({ executes }) => executes)).toEqual(Array(70).fill(true))
      expect(asked.map((reads) => reads.length / 4)).toEqual([30, 30, 10])
    })
  )

  it.effect("a payer who goes away at any step leaves the others with their answer", () =>
    Effect.gen(function* () {
      const { trials } = makeChain()
      const [gone, payment] = yield* Effect.all([sign, sign])
      for (let step = 1; step < 60; step++) {
        const first = yield* Effect.fork(Effect.withScheduler(trials.now(gone), interruptingAt(step)))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(first)
        const second = yield* Effect.fork(trials.now(payment))
        yield* TestClock.adjust("10 millis")
        const answer = yield* Fiber.poll(second)
        expect([step, Option.map(answer, Exit.isSuccess)]).toEqual([step, Option.some(true)])
      }
    })
  )

  it.effect("the last look before the sending is the trial of less than a block ago, once", () =>
    Effect.gen(function* () {
      const { asked, trials } = makeChain()
      const payment = yield* sign
      yield* inTime(trials.now(payment))
      yield* inTime(trials.recent(payment))
      expect(asked).toHaveLength(1)
      yield* inTime(trials.recent(payment))
      expect(asked).toHaveLength(2)
      yield* TestClock.adjust("2 seconds")
      yield* inTime(trials.recent(payment))
      expect(asked).toHaveLength(3)
    })
  )

  it.effect("a refused transfer says why, and is asked about again", () =>
    Effect.gen(function* () {
      const { asked, trials } = makeChain({ transfer: refused })
      const payment = yield* sign
      const trial = yield* inTime(trials.now(payment))
      expect(trial).toMatchObject({ executes: false, refusal: "ERC20: transfer amount exceeds balance" })
      yield* inTime(trials.recent(payment))
      expect(asked).toHaveLength(2)
    })
  )

  it.effect("where transfers cannot be run, the state is read and nothing is said of them", () =>
    Effect.gen(function* () {
      const { trials: plain } = makeChain()
      const malformed = new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "" })
      const readAll: BaseRpc["readAll"] = (reads) =>
        reads.some((read) => "writes" in read)
          ? Effect.fail(malformed)
          : Effect.succeed({
              blockNumber: 9n,
              blockTime: 1_800_000_000n,
              results: [word(0), word(10_000_000), { ok: false, data: "0x" }]
            })
      const payment = yield* sign
      expect(yield* inTime(plain.now(payment))).toMatchObject({ executes: true })
      expect(yield* inTime(makeTrials({ readAll, client: nodeNamed("reth") }).now(payment))).toEqual({
        height: 9,
        isUsed: false,
        held: 10_000_000n,
        executes: false,
        refusal: "",
        hasCode: undefined
      })
    })
  )

  it.live(
    "by a node whose newest block is a minute old are none: what it calls unused may be used since",
    () =>
      Effect.gen(function* () {
        const payment = yield* sign
        const heard = (node: Node) => Effect.either(makeChain(node).trials.now(payment))
        expect(yield* heard({ behind: 62_000 })).toEqual(
          Either.left(
            new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "a node that is behind" })
          )
        )
        for (const node of [{ behind: 58_000 }, { behind: 3_600_000, name: "anvil/v1.7.1" }])
          expect(yield* heard(node)).toMatchObject({ _tag: "Right", right: { executes: true } })
      })
  )

  it.effect("an outage reaches everyone who waits", () =>
    Effect.gen(function* () {
      const down = new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "" })
      const { now } = makeTrials({ readAll: () => Effect.fail(down), client: nodeNamed("reth") })
      const payments = yield* Effect.all([sign, sign])
      const failed = yield* inTime(
        Effect.forEach(payments, (one) => Effect.flip(now(one)), { concurrency: "unbounded" })
      )
      expect(failed).toEqual([down, down])
    })
  )
})
