import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Redacted, Schema } from "effect"
import type { Address } from "viem"
import { isAddress } from "viem"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../src/chain/chain-rpc.ts"
import type { Pool } from "../../src/screening/base/pools/pool.ts"
import type { SimulationFact } from "../../src/screening/base/simulation/findings.ts"
import { balanceRead, toHoldings } from "../../src/screening/base/simulation/holders.ts"
import { simulateTrades } from "../../src/screening/base/simulation/simulate.ts"

/**
 * Measures the trade simulation against contracts whose behaviour real swaps have measured.
 * Usage: `tsx scripts/probe/measure.ts DIR URL [STATE]`, where DIR holds `chain.json`, URL is a chain loaded with its
 * state, and STATE is that state's file, from which the holders are taken.
 */

const HexText = Schema.TemplateLiteral("0x", Schema.String)
const Token = Schema.Struct({
  id: Schema.String,
  address: HexText,
  pair: HexText,
  class: Schema.String,
  behaviour: Schema.String,
  reserveToken: Schema.String,
  reserveWeth: Schema.String,
  buyTaxBps: Schema.NullOr(Schema.Number),
  sellTaxBps: Schema.NullOr(Schema.Number),
  owner: Schema.NullOr(Schema.String),
  deployer: Schema.NullOr(Schema.String),
  earlierHolderSellWorks: Schema.NullOr(Schema.Boolean)
})
type Token = typeof Token.Type
const ChainFile = Schema.parseJson(
  Schema.Struct({ weth: HexText, ethUsd: Schema.Number, tokens: Schema.Array(Token) })
)

const StateFile = Schema.parseJson(
  Schema.Struct({
    accounts: Schema.Record({
      key: HexText,
      value: Schema.Struct({ nonce: Schema.Number, code: Schema.optional(Schema.String) })
    })
  })
)

/** Accounts of the state file that have sent transactions: a loaded chain keeps no logs to find buyers in. */
const wallets = (path: string) =>
  Effect.promise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap(Schema.decode(StateFile)),
    Effect.map(({ accounts }) =>
      Object.entries(accounts).flatMap(([address, { nonce, code = "0x" }]) =>
        nonce > 0 && code === "0x" && isAddress(address) ? [address] : []
      )
    )
  )

/** Those that hold the token, its owner and deployer left out: they are exempt from what their code does to others. */
const holdersOf = (rpc: BaseRpc, token: Token, candidates: ReadonlyArray<Address>) =>
  rpc.readAll(candidates.map((candidate) => balanceRead(token.address, candidate))).pipe(
    Effect.map(({ results }) => toHoldings(candidates, results).map(({ holder }) => holder)),
    Effect.map((holders) => {
      const exempt = new Set([token.owner, token.deployer].map((address) => address?.toLowerCase()))
      return holders.filter((holder) => !exempt.has(holder.toLowerCase()))
    })
  )

const poolOf = (token: Token, weth: Address, ethUsd: number): Pool => ({
  kind: "v2",
  dex: "uniswap-v2",
  address: token.pair,
  token: token.address,
  quote: weth,
  feePips: 3000,
  quoteReserve: BigInt(token.reserveWeth),
  tokenReserve: BigInt(token.reserveToken),
  quoteUsd: (Number(token.reserveWeth) / 1e18) * ethUsd,
  priceUsd: null
})

const shown = (fact: SimulationFact): string => {
  if (!fact.known) return `unknown: ${fact.why}`
  const f = fact.value
  const full = f.fullSell.known ? f.fullSell.value : "?"
  const holders = f.holders.known ? `${f.holders.value.failed}/${f.holders.value.tried}` : "?"
  const flags = [
    f.tradingBlocked && "blocked",
    f.honeypot && "honeypot",
    f.laterHoneypot && "later-honeypot",
    f.inconsistent && "inconsistent"
  ].filter((flag) => flag !== false)
  const taxes = `${f.buyTaxBps}/${f.transferTaxBps}/${f.sellTaxBps} later ${f.laterSellTaxBps}`
  return `${flags.join(",") || "-"} taxes ${taxes} full ${full} holders ${holders}`
}

/** What the simulation alone says, in the words of the data set. */
const classify = (fact: SimulationFact): string => {
  if (!fact.known) return "unknown"
  const f = fact.value
  const tax = Math.max(f.buyTaxBps ?? 0, f.sellTaxBps ?? 0)
  if (f.tradingBlocked) return "trading-blocked"
  if (f.honeypot) return "honeypot"
  if (tax >= 5000) return "tax>=50%"
  if (f.inconsistent) return "inconsistent"
  if (f.laterHoneypot) return "later-honeypot"
  if (f.holders.known && f.holders.value.failed > 0) return "blacklists-holders"
  if (f.fullSell.known && !f.fullSell.value) return "full-sell-refused"
  return tax >= 1000 ? "tax10-50%" : "tradable"
}

const main = Effect.gen(function* () {
  const [directory, url, state] = process.argv.slice(2)
  if (directory === undefined || url === undefined)
    return yield* Effect.fail("usage: measure.ts DIR URL [STATE]")
  const text = yield* Effect.promise(() => readFile(join(directory, "chain.json"), "utf8"))
  const chain = yield* Schema.decode(ChainFile)(text)
  const rpc = yield* makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "20 seconds", concurrency: 8 })
  const blockNumber = yield* rpc.blockNumber
  const candidates = state === undefined ? [] : yield* wallets(state)
  const confusion = new Map<string, number>()
  const durations: Array<number> = []
  for (const token of chain.tokens) {
    const holders = yield* holdersOf(rpc, token, candidates)
    const started = performance.now()
    const fact = yield* simulateTrades(rpc, {
      token: token.address,
      pools: [poolOf(token, chain.weth, chain.ethUsd)],
      holders: Effect.succeed(holders),
      blockNumber
    })
    durations.push(performance.now() - started)
    const key = `${token.behaviour} -> ${classify(fact)}`
    confusion.set(key, (confusion.get(key) ?? 0) + 1)
    if (token.behaviour !== "tradable" || classify(fact) !== "tradable") {
      const measured = `${token.buyTaxBps}/${token.sellTaxBps} earlier holder sells ${token.earlierHolderSellWorks}`
      console.log(`${token.id} [${token.class}] ${key} | ${shown(fact)} | measured ${measured}`)
    }
    const off = taxDifference(token, fact)
    if (off > 100) console.log(`${token.id} tax is off by ${off} bps | ${shown(fact)}`)
  }
  for (const [key, count] of [...confusion].toSorted()) console.log(`${String(count).padStart(4)}  ${key}`)
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  console.log(`${sorted.length} tokens, median ${at(0.5)} ms, p95 ${at(0.95)} ms`)
})

const taxDifference = (token: Token, fact: SimulationFact): number => {
  if (!fact.known) return 0
  const pairs = [
    [token.buyTaxBps, fact.value.buyTaxBps],
    [token.sellTaxBps, fact.value.sellTaxBps]
  ] as const
  return Math.max(...pairs.map(([a, b]) => (a === null || b === null ? 0 : Math.abs(a - b))))
}

await Effect.runPromise(main)
