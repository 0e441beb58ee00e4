import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeTrace } from "../../../src/checkout/base/trace.ts"
import type { Inflow, Span } from "../../../src/checkout/base/usdc-inflow.ts"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"
import { MERCHANT } from "../../support/checkout/shop.ts"

const SOUGHT = `0x${"11".repeat(32)}`
const VIEW = { head: 13_000, final: 12_000 }

const evidence = {
  network: BASE_NETWORK,
  transaction: SOUGHT,
  index: 2,
  height: 10_000,
  blockHash: `0x${"aa".repeat(32)}`,
  payer: "buyer",
  payTo: MERCHANT,
  amount: "1"
} as const

const inflow = (height: number, change: Partial<Inflow> = {}): Inflow => ({
  transaction: SOUGHT,
  position: 2,
  index: 2,
  height,
  blockHash: `0x${"bb".repeat(32)}`,
  at: 0,
  payer: "buyer",
  amount: 1n,
  authorizationKey: null,
  ...change
})

/** Lists that hold these transfers; `hostOf` says which node gives the list of a span. */
const tracing = (
  inflows: ReadonlyArray<Inflow>,
  hostOf: (span: Span) => string = () => "node",
  view = VIEW
) => {
  const asked: Array<Span> = []
  const trace = makeTrace((span) =>
    Effect.sync(() => {
      asked.push(span)
      const listed = inflows.filter(({ height }) => height > span.from && height <= span.to)
      return { host: hostOf(span), inflows: listed }
    })
  )
  return Effect.map(trace(evidence, view), (where) => ({ where, asked }))
}

const MOVED = { ...evidence, height: 10_001, blockHash: `0x${"bb".repeat(32)}` }

it.effect.each<[name: string, inflows: ReadonlyArray<Inflow>, where: unknown]>([
  ["moved up is there", [inflow(12_500)], { ...evidence, height: 12_500, blockHash: `0x${"bb".repeat(32)}` }],
  ["moved down is there", [inflow(9_500)], { ...evidence, height: 9_500, blockHash: `0x${"bb".repeat(32)}` }],
  [
    "that is not the same log of its transaction is another",
    [inflow(10_001, { position: 5, index: 5 })],
    { absent: { node: "node", height: VIEW.final } }
  ],
  [
    "is not the log of that number in another transaction",
    [inflow(10_001, { transaction: `0x${"22".repeat(32)}` })],
    { absent: { node: "node", height: VIEW.final } }
  ],
  ["is found by its log alone", [inflow(10_001, { index: 7 })], MOVED],
  ["is found by its authorization alone", [inflow(10_001, { position: 7 })], MOVED],
  ["in no list of one node is absent", [], { absent: { node: "node", height: VIEW.final } }]
])("a plain transfer %s", ([, inflows, where]) =>
  Effect.gen(function* () {
    expect((yield* tracing(inflows)).where).toEqual(where)
  })
)

it.effect("the lists reach from below where it was to the head, without a hole", () =>
  Effect.gen(function* () {
    const { asked } = yield* tracing([])
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      [9_000, 11_000],
      [11_000, 13_000]
    ])
  })
)

it.effect("the last list ends at the head, also where it is a short one", () =>
  Effect.gen(function* () {
    const { asked, where } = yield* tracing([inflow(13_001)], undefined, { ...VIEW, head: 13_001 })
    expect(asked.at(-1)).toMatchObject({ from: 13_000, to: 13_001 })
    expect(where).toMatchObject({ height: 13_001 })
  })
)

it.effect("a transfer for which no list was read is unknown, and not absent", () =>
  Effect.gen(function* () {
    const { asked, where } = yield* tracing([], undefined, { head: 8_000, final: 7_000 })
    expect(asked).toEqual([])
    expect(where).toBeUndefined()
  })
)

it.effect("one node's lists are not completed by another's: what is in neither is unknown", () =>
  Effect.gen(function* () {
    // The first node still has it where the second begins, the second already where the first ended.
    const { where } = yield* tracing([], ({ from }) => (from < 11_000 ? "first" : "second"))
    expect(where).toBeUndefined()
  })
)

it.effect("what one of several nodes lists is there, whoever listed the rest", () =>
  Effect.gen(function* () {
    const { where } = yield* tracing([inflow(12_500)], ({ from }) => (from < 11_000 ? "first" : "second"))
    expect(where).toMatchObject({ height: 12_500 })
  })
)
