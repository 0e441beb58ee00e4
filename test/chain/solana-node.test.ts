import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted, Schema, TestClock } from "effect"
import { startSolanaChain } from "../../scripts/sandbox/solana/solana-chain.ts"
import { reportSolanaNodes } from "../../src/chain/nodes/solana-node.ts"

const PUBLIC = Redacted.make("https://api.mainnet-beta.solana.com")
const decodeMethod = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ method: Schema.String })))

const SLOT = 400_000_000
const DAY = 86_400
const NOW = 1_790_000_000

const result = (value: unknown) => ({ jsonrpc: "2.0", id: 1, result: value })
const error = (code: number, message: string) => ({ jsonrpc: "2.0", id: 1, error: { code, message } })

/** A node with these answers, and "no such method" to everything else. */
const node = (answers: Readonly<Record<string, unknown>>): typeof globalThis.fetch => {
  return (_input, init) => {
    const { method } = decodeMethod(String(init?.body))
    return Promise.resolve(Response.json(answers[method] ?? error(-32601, "Method not found")))
  }
}

const whole = {
  simulateTransaction: result({ context: { slot: SLOT }, value: { err: "AccountNotFound" } }),
  getProgramAccounts: result([]),
  getTokenLargestAccounts: error(-32602, "Invalid param: could not find mint"),
  getFirstAvailableBlock: result(0),
  getBlockTime: result(1_584_332_400)
}

const missingOf = (fetch: typeof globalThis.fetch, url: Redacted.Redacted<string>) =>
  Effect.map(reportSolanaNodes([url], fetch), ([one]) => one?.missing)

const missingAt = (fetch: typeof globalThis.fetch, url = Redacted.make("https://node.test/key")) =>
  Effect.zipRight(TestClock.setTime(NOW * 1000), missingOf(fetch, url))

describe("what a Solana node can do", () => {
  it.effect("is all of it where it runs every method and keeps its ledger", () =>
    Effect.gen(function* () {
      expect(yield* missingAt(node(whole))).toEqual([])
    })
  )

  it.effect("is said of every method by itself, with a warning about the public endpoint", () =>
    Effect.gen(function* () {
      expect(yield* missingAt(node({}), PUBLIC)).toEqual([
        expect.stringContaining("public endpoint"),
        expect.stringContaining("simulates no transactions"),
        expect.stringContaining("searches no program"),
        expect.stringContaining("largest accounts"),
        expect.stringContaining("0 days")
      ])
      expect(
        yield* missingAt(node({ ...whole, getTokenLargestAccounts: error(-32010, "excluded") }))
      ).toEqual([expect.stringContaining("largest accounts")])
    })
  )

  it.effect("goes by the days of its ledger, by the time of its first block", () =>
    Effect.gen(function* () {
      const kept = (days: number) => missingAt(node({ ...whole, getBlockTime: result(NOW - days * DAY) }))
      expect(yield* kept(190)).toEqual([])
      expect(yield* kept(189)).toEqual([
        expect.stringContaining("189 days of its ledger: of tokens with little")
      ])
      expect(yield* kept(32)).toEqual([
        expect.stringContaining("32 days of its ledger: of tokens with little")
      ])
      expect(yield* kept(31)).toEqual([
        expect.stringContaining("31 days of its ledger: liquidity that is not locked")
      ])
      expect(yield* missingAt(node({ ...whole, getBlockTime: result(null) }))).toEqual([
        expect.stringContaining("0 days of its ledger")
      ])
    })
  )

  it.effect("is of no use where it is a node of another cluster, and is taken where it names none", () =>
    Effect.gen(function* () {
      const devnet = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"
      expect(yield* missingAt(node({ ...whole, getGenesisHash: result(devnet) }))).toEqual([
        "is a node of devnet, not of Solana's mainnet: nothing that it says is taken"
      ])
      expect(
        yield* missingAt(node({ ...whole, getGenesisHash: result("4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ") }))
      ).toEqual([])
    })
  )

  it.effect("is nothing where it does not answer", () =>
    Effect.gen(function* () {
      const nodes = yield* reportSolanaNodes([PUBLIC], () => Promise.reject(new Error("refused")))
      expect(nodes).toEqual([
        { host: "api.mainnet-beta.solana.com", state: "silent", missing: ["does not answer"] }
      ])
    })
  )

  it.scopedLive("is asked in a transaction that a runtime takes", () =>
    Effect.gen(function* () {
      const { url } = yield* startSolanaChain()
      const missing = yield* missingOf(globalThis.fetch, Redacted.make(url))
      expect(missing).not.toContainEqual(expect.stringContaining("simulates no transactions"))
    })
  )
})
