import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { ConfigProvider, Effect, Layer, Option, Schema } from "effect"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import type { Address } from "viem"
import { makeBaseRpc } from "../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../src/chain/chain-rpc.ts"
import { ChainRpc } from "../../src/chain/chain-rpc.ts"
import { normalizeEvmAddress } from "../../src/domain/address.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import type { Band, Verdict } from "../../src/domain/report.ts"
import type { SignalResult } from "../../src/domain/signal.ts"
import type { MarketPair } from "../../src/market/market-data.ts"
import { MarketData } from "../../src/market/market-data.ts"
import { BasePlanLive } from "../../src/screening/base/plan.ts"
import { DirectAnalyserLive } from "./direct-analyser.ts"
import { assess } from "../../src/screening/risk-scorer-live.ts"
import { BasePlan } from "../../src/screening/screener.ts"

const ChainToken = Schema.Struct({
  id: Schema.String,
  address: Schema.String,
  class: Schema.String,
  labels: Schema.Array(Schema.String),
  behaviour: Schema.String,
  pair: Schema.String,
  decimals: Schema.Number,
  lp: Schema.String,
  lpLocked: Schema.Boolean,
  pairCreatedAt: Schema.Number
})

/** `chain.json` of a data directory: the tokens of a chain that is running elsewhere. */
const ChainFile = Schema.Struct({
  ethUsd: Schema.Number,
  weth: Schema.String,
  lpLocker: Schema.String,
  tokens: Schema.Array(ChainToken)
})
type ChainFile = typeof ChainFile.Type
type ChainToken = typeof ChainToken.Type

/** What the engine says about one token, beside what was measured about it. */
export interface ChainTrackRow {
  readonly id: string
  readonly address: string
  readonly class: string
  readonly labels: ReadonlyArray<string>
  readonly behaviour: string
  readonly lp: string
  readonly lpLocked: boolean
  /** `failed`: the screening gave no report; `detail` says why. */
  readonly verdict: Verdict | "failed"
  readonly detail: string
  readonly score: number
  readonly band: Band
  readonly safe: boolean | null
  readonly mintAuthorityOff: boolean | null
  readonly lockedByEngine: boolean | null
  readonly priceUsd: number | null
  readonly liquidityUsd: number
  readonly reasons: ReadonlyArray<string>
  readonly signals: ReadonlyArray<SignalResult>
  readonly milliseconds: number
}

const pairAbi = parseAbi(["function getReserves() view returns (uint112, uint112, uint32)"])

/** A chain without Solana: every use is a defect of the evaluation. */
const NO_SOLANA: ChainRpc["Type"]["solana"] = {
  getAccounts: () => Effect.dieMessage("the chain track has no Solana"),
  getLargestTokenAccounts: () => Effect.dieMessage("the chain track has no Solana"),
  getProgramAccounts: () => Effect.dieMessage("the chain track has no Solana"),
  simulate: () => Effect.dieMessage("the chain track has no Solana"),
  call: () => Effect.dieMessage("the chain track has no Solana"),
  together: () => Effect.dieMessage("the chain track has no Solana"),
  nodes: [],
  urls: []
}

/** The pair as DexScreener would list it now: computed from its reserves, ETH at the file's price. */
const listPair = (rpc: BaseRpc, file: ChainFile, token: ChainToken, pair: Address) =>
  Effect.gen(function* () {
    const answer = yield* rpc.call({
      to: pair,
      data: encodeFunctionData({ abi: pairAbi, functionName: "getReserves" })
    })
    const [first, second] = decodeFunctionResult({
      abi: pairAbi,
      functionName: "getReserves",
      data: answer.data
    })
    const tokenIsFirst = BigInt(token.address) < BigInt(file.weth)
    const base = Number(tokenIsFirst ? first : second) / 10 ** token.decimals
    const quote = Number(tokenIsFirst ? second : first) / 1e18
    const listed: MarketPair = {
      dexId: "uniswap",
      labels: ["v2"],
      pairAddress: pair,
      quoteAddress: file.weth,
      priceUsd: base > 0 ? (quote / base) * file.ethUsd : null,
      liquidityUsd: 2 * quote * file.ethUsd,
      liquidityBase: base,
      liquidityQuote: quote,
      createdAt: token.pairCreatedAt
    }
    return [listed]
  })

const marketLayer = (file: ChainFile) =>
  Layer.effect(
    MarketData,
    Effect.gen(function* () {
      const { base } = yield* ChainRpc
      const tokens = new Map(file.tokens.map((token) => [token.address.toLowerCase(), token]))
      return MarketData.of({
        pairs: ({ address }) => {
          const token = tokens.get(address.toLowerCase())
          const pair = normalizeEvmAddress(token?.pair ?? "")
          return token === undefined || pair === undefined
            ? Effect.succeed([])
            : listPair(base, file, token, pair)
        },
        rugReport: () => Effect.succeed(Option.none())
      })
    })
  )

const screenOne = (token: ChainToken) =>
  Effect.gen(function* () {
    const plan = yield* BasePlan
    const address = normalizeEvmAddress(token.address)
    if (address === undefined) return yield* Effect.dieMessage(`${token.id} has no address`)
    const started = performance.now()
    const outcome = yield* Effect.either(plan.screen({ chain: "base", address }))
    const milliseconds = performance.now() - started
    const { id, labels, behaviour, lp, lpLocked } = token
    const about = { id, address, class: token.class, labels, behaviour, lp, lpLocked, milliseconds }
    if (outcome._tag === "Left") {
      const nothing = {
        mintAuthorityOff: null,
        lockedByEngine: null,
        priceUsd: null,
        liquidityUsd: 0,
        signals: []
      }
      const row: ChainTrackRow = {
        ...about,
        ...nothing,
        verdict: "failed",
        detail: outcome.left._tag,
        score: 100,
        band: "critical",
        safe: null,
        reasons: []
      }
      return row
    }
    const screening = outcome.right
    const { verdict, score, band, safe, reasons } = assess(screening)
    const { mintAuthorityOff, priceUsd, liquidityUsd, signals } = screening
    const row: ChainTrackRow = {
      ...about,
      verdict,
      detail: "",
      score,
      band,
      safe,
      mintAuthorityOff,
      lockedByEngine: screening.lpLocked,
      priceUsd,
      liquidityUsd,
      reasons: reasons.map(({ code, points }) => `${code} ${points}`),
      signals
    }
    return row
  })

/** Reads `chain.json` of a directory in the format of the development data. */
export const readChainFile = (dir: string): Effect.Effect<ChainFile, UpstreamError> =>
  Effect.tryPromise(() => readFile(join(dir, "chain.json"), "utf8")).pipe(
    Effect.flatMap(Schema.decode(Schema.parseJson(ChainFile))),
    Effect.mapError(
      (error) =>
        new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: `chain.json: ${String(error)}` })
    )
  )

/**
 * Screens every token of a running chain with the service's own layers: real reads, real simulation, market data
 * computed from the reserves, the data's stand-in locker named by configuration.
 * @param dir directory with `chain.json`
 * @param rpcUrl JSON-RPC URL of the chain (anvil with the state of `dir` loaded)
 */
export const runChainTrack = (dir: string, rpcUrl: string) =>
  Effect.gen(function* () {
    const file = yield* readChainFile(dir)
    const settings = new Map([
      ["BASE_RPC_URL", rpcUrl],
      ["BASE_RPC_TIMEOUT", "20 seconds"],
      ["EXTRA_LP_LOCKERS", file.lpLocker]
    ])
    const chain = Layer.effect(
      ChainRpc,
      Effect.map(makeBaseRpc, (base) => ChainRpc.of({ base, solana: NO_SOLANA }))
    )
    const layers = BasePlanLive.pipe(
      Layer.provide(DirectAnalyserLive),
      Layer.provide(marketLayer(file)),
      Layer.provide(chain),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(settings)))
    )
    return yield* Effect.forEach(file.tokens, screenOne).pipe(Effect.provide(layers))
  })
