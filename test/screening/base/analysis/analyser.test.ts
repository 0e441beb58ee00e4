import { readFileSync } from "node:fs"
import { describe, expect, it, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Metric, Schema } from "effect"
import { Worker } from "node:worker_threads"
import type { Hex } from "viem"
import { CodeAnalyser, makeCodeAnalyser } from "../../../../src/screening/base/analysis/analyser.ts"
import { FindingsStore, makeFindingsStore } from "../../../../src/screening/base/analysis/findings-store.ts"
import { DEFAULT_THREADS, makeThreads } from "../../../../src/screening/base/analysis/threads.ts"
import { analyseCode } from "../../../../src/screening/base/power/analyse.ts"
import { databaseAt } from "../../../../src/storage/database.ts"
import { builtThread } from "../../../support/base/analysis/thread.ts"

const Artifacts = Schema.parseJson(
  Schema.Struct({
    ways: Schema.Struct({
      plain: Schema.Record({ key: Schema.String, value: Schema.TemplateLiteral("0x", Schema.String) })
    })
  })
)
const { plain } = Schema.decodeUnknownSync(Artifacts)(
  readFileSync(new URL("../../../support/bytecode/artifacts.json", import.meta.url), "utf8")
).ways
/** The shortest: threads have so much time for each, however busy the machine is. */
const codes = Object.values(plain)
  .toSorted((one, other) => one.length - other.length)
  .slice(0, 4)
const [CODE = "0x"] = codes

class BuiltThread extends Context.Tag("test/BuiltThread")<BuiltThread, () => Worker>() {}

const database = databaseAt({ dialect: "sqlite", path: ":memory:" })

/** An analyser over threads of this kind, with findings kept for this engine. */
const analyserWith = (start: () => Worker, engine: string, options: Partial<typeof DEFAULT_THREADS> = {}) =>
  Layer.scoped(
    CodeAnalyser,
    Effect.flatMap(makeThreads({ ...DEFAULT_THREADS, ...options, start }), makeCodeAnalyser)
  ).pipe(Layer.provide(Layer.scoped(FindingsStore, makeFindingsStore(engine))))

const findings = (code: Hex) => Effect.flatMap(CodeAnalyser, (analyser) => analyser.findings(code))

/** A thread that obeys this script instead of analysing. */
const scripted =
  (script: string, limits = {}) =>
  () =>
    new Worker(
      `const { parentPort } = require("node:worker_threads"); parentPort.postMessage("ready"); ${script}`,
      {
        eval: true,
        execArgv: [],
        resourceLimits: limits
      }
    )

const ANSWER = `{ result: ${JSON.stringify(analyseCode("0x"))}, cut: false }`
const WORKING = scripted(`parentPort.on("message", () => parentPort.postMessage(${ANSWER}))`)

/** Hears and says nothing. */
const DEAF = scripted(`parentPort.on("message", () => {})`)

const asked = (from: string) =>
  Effect.map(
    Metric.value(
      Metric.tagged(
        Metric.counter("token_risk_code_findings_total", {
          description:
            "Questions about runtime code, by where the answer came from: memory, database or threads",
          incremental: true
        }),
        "from",
        from
      )
    ),
    ({ count }) => count
  )

layer(Layer.scoped(BuiltThread, builtThread), { excludeTestServices: true })(
  "the analyser over threads",
  (it) => {
    it.scoped("finds what the analysis finds, each code once, and asks the database after a restart", () =>
      Effect.gen(function* () {
        const start = yield* BuiltThread
        const run = <A, E>(work: Effect.Effect<A, E, CodeAnalyser>, engine: string) =>
          Effect.provide(work, Layer.fresh(analyserWith(start, engine, { limitMilliseconds: 60_000 })))
        const both = Effect.forEach([...codes, ...codes], findings, { concurrency: "unbounded" })
        const once = codes.map((code) => analyseCode(code))
        const expected = [...once, ...once]
        const before = yield* asked("threads")
        expect(yield* run(both, "one")).toEqual(expected)
        expect(yield* asked("threads")).toBe(before + codes.length)
        expect(yield* run(both, "one")).toEqual(expected)
        expect(yield* asked("threads")).toBe(before + codes.length)
        // Another engine reads the code itself.
        expect(yield* run(findings(CODE), "two")).toEqual(expected[0])
        expect(yield* asked("threads")).toBe(before + codes.length + 1)
      }).pipe(Effect.provide(database))
    )
  }
)

describe("a thread", () => {
  it.scopedLive("is asked whether a proxy is faithful, and only its plain yes counts", () =>
    Effect.gen(function* () {
      const answering = (result: string) =>
        scripted(`parentPort.on("message", ({ turn: { task, code, state } }) => parentPort.postMessage({
          result: task === "faithful" && code === "0x01" && state[0].value === 7n ? ${result} : false,
          cut: false
        }))`)
      const ask = (result: string, value: bigint) =>
        Effect.flatMap(CodeAnalyser, ({ isFaithful }) => isFaithful("0x01", [{ slot: "0x02", value }])).pipe(
          Effect.provide(analyserWith(answering(result), "one"))
        )
      expect(yield* ask("true", 7n)).toBe(true)
      expect(yield* ask("true", 8n)).toBe(false)
      expect(yield* ask("1", 7n)).toBe(false)
    }).pipe(Effect.provide(database))
  )

  it.scopedLive("gives short work its turn while long work goes on", () =>
    Effect.gen(function* () {
      // "0x01" takes five turns.
      const start = scripted(`const turns = new Map(); parentPort.on("message", ({ turn: { code, job } }) => {
        turns.set(job, (turns.get(job) ?? 0) + 1)
        parentPort.postMessage(code === "0x01" && turns.get(job) < 5 ? null : ${ANSWER})
      })`)
      const order: Array<string> = []
      const noted = (name: string, code: Hex) =>
        Effect.tap(findings(code), () => Effect.sync(() => order.push(name)))
      const both = Effect.all([noted("long", "0x01"), noted("short", "0x02")], { concurrency: 2 })
      yield* Effect.provide(both, analyserWith(start, "one", { threads: 1 }))
      expect(order).toEqual(["short", "long"])
    }).pipe(Effect.provide(database))
  )

  it.scopedLive("starts when there is work that the threads before it have no hands for", () =>
    Effect.gen(function* () {
      let started = 0
      // "0x01" is answered when "0x02" was, which so cannot be answered by the same thread.
      const signals = new BroadcastChannel("test/second-thread")
      yield* Effect.addFinalizer(() => Effect.sync(() => signals.close()))
      const worker = scripted(`const signals = new BroadcastChannel("test/second-thread")
      parentPort.on("message", ({ turn: { code } }) => {
        const answer = () => parentPort.postMessage(${ANSWER})
        if (code === "0x01") signals.onmessage = answer
        else { signals.postMessage(""); answer() }
      })`)
      const start = () => ((started += 1), worker())
      yield* Effect.gen(function* () {
        yield* findings("0x03")
        expect(started).toBe(1)
        yield* Effect.all([findings("0x01"), findings("0x02")], { concurrency: 2 })
        expect(started).toBe(2)
      }).pipe(Effect.provide(analyserWith(start, "one")))
    }).pipe(Effect.provide(database))
  )

  const lost: ReadonlyArray<readonly [string, () => Worker, RegExp]> = [
    ["that never answers", scripted(`parentPort.on("message", () => { for (;;); })`), /could not be paused/],
    ["that ends", scripted(`parentPort.on("message", () => process.exit(1))`), /ended/],
    ["that throws", scripted(`parentPort.on("message", () => { throw new Error("no") })`), /ended/],
    [
      "that fills its memory",
      scripted(
        `parentPort.on("message", () => { const all = new Map(); for (let i = 0n; ; i++) all.set(i, [i]) })`,
        { maxOldGenerationSizeMb: 16 }
      ),
      /memory/
    ],
    [
      "that never answers and cannot be ended",
      () => Object.assign(DEAF(), { terminate: () => new Promise<number>(() => {}) }),
      /could not be paused/
    ]
  ]
  it.scopedLive.each(lost)("%s leaves everything undecided and is replaced", ([name, broken, why]) =>
    Effect.gen(function* () {
      let started = 0
      const start = () => ((started += 1) === 1 ? broken() : WORKING())
      const layer = analyserWith(start, "one", {
        threads: 1,
        graceMilliseconds: name.includes("never") ? 100 : 60_000
      })
      yield* Effect.gen(function* () {
        const { hiddenMint, proof } = yield* findings(CODE)
        expect(hiddenMint.state).toBe("undecided")
        expect(hiddenMint).toMatchObject({ why: expect.stringMatching(why) })
        expect(proof.conservation.holes).not.toEqual([])
        // What comes next is served.
        expect(yield* findings("0x01")).toEqual(analyseCode("0x"))
      }).pipe(Effect.provide(layer))
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`SELECT code_hash FROM code_findings`).toHaveLength(1)
    }).pipe(Effect.provide(database))
  )

  it.scopedLive("that answers rubbish is not believed", () =>
    Effect.gen(function* () {
      const rubbish = scripted(
        `parentPort.on("message", () => parentPort.postMessage({ result: { safe: true }, cut: false }))`
      )
      const { hiddenMint } = yield* Effect.provide(findings(CODE), analyserWith(rubbish, "one"))
      expect(hiddenMint).toMatchObject({ why: expect.stringMatching(/no readable answer/) })
    }).pipe(Effect.provide(database))
  )

  it.scopedLive("that cannot start leaves everything undecided, in time", () =>
    Effect.gen(function* () {
      const layer = analyserWith(
        () => {
          throw new Error("no threads here")
        },
        "one",
        { limitMilliseconds: 50 }
      )
      const found = yield* Effect.provide(findings(CODE), layer)
      expect(found.hiddenMint).toMatchObject({ state: "undecided", why: expect.stringMatching(/too long/) })
      const wayOut = Effect.flatMap(CodeAnalyser, ({ hasNoWayOut }) => hasNoWayOut(CODE))
      expect(yield* Effect.provide(wayOut, layer)).toBe(false)
      const faithful = Effect.flatMap(CodeAnalyser, ({ isFaithful }) => isFaithful(CODE, []))
      expect(yield* Effect.provide(faithful, layer)).toBe(false)
    }).pipe(Effect.provide(database))
  )

  it.scopedLive("with too much before it takes no more", () =>
    Effect.gen(function* () {
      const layer = analyserWith(scripted(""), "one", { threads: 1, perThread: 1, limitMilliseconds: 200 })
      const [, second] = yield* Effect.provide(
        Effect.all([findings(CODE), findings("0x02")], { concurrency: 2 }),
        layer
      )
      expect(second.hiddenMint).toMatchObject({ why: expect.stringMatching(/waits to be read/) })
    }).pipe(Effect.provide(database))
  )
})
