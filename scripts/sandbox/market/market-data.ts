/**
 * Two loopback servers that answer as DexScreener and as RugCheck, from the local chains' state at the time of
 * the request. Set `DEXSCREENER_URL` to `dexScreenerUrl` and `RUGCHECK_URL` to `rugCheckUrl`.
 */
import type { Scope } from "effect"
import { Effect } from "effect"
import type { BaseChain } from "../base/base-chain.ts"
import type { JsonAnswer, JsonServer } from "../json-server.ts"
import { serveJson } from "../json-server.ts"
import type { SolanaChain } from "../solana/solana-chain.ts"
import { basePools } from "./base-pools.ts"
import type { MarketPool } from "./market-pool.ts"
import { pairJson } from "./market-pool.ts"
import { rugReport, rugSummary } from "./rug-check.ts"
import { solanaPools } from "./solana-pools.ts"

/** Chains the answers are computed from; a test may bring only one. */
export interface MarketChains {
  readonly base?: Pick<BaseChain, "devnet">
  readonly solana?: SolanaChain
}

export interface MarketDataOptions {
  /** Age of every pool in days; default 90, because the local chains began only now. */
  readonly poolAgeDays?: number
}

export interface LocalMarket {
  /** For `DEXSCREENER_URL`. */
  readonly dexScreenerUrl: string
  /** For `RUGCHECK_URL`; has the `/v1` of the real one. */
  readonly rugCheckUrl: string
  /** Independent, so that one of the two services can be down. */
  readonly dexScreener: JsonServer
  readonly rugCheck: JsonServer
}

const DAY_MS = 86_400_000
const DEFAULT_AGE_DAYS = 90

const poolsOf = async (
  chains: MarketChains,
  chainId: string | null,
  token: string
): Promise<ReadonlyArray<MarketPool>> => {
  const onBase = chains.base !== undefined && chainId !== "solana" ? await basePools(chains.base, token) : []
  const onSolana = chains.solana !== undefined && chainId !== "base" ? solanaPools(chains.solana, token) : []
  return [...onBase, ...onSolana]
}

const notFound: JsonAnswer = { status: 404, body: { error: "not found" } }

const dexScreenerAnswer = async (
  chains: MarketChains,
  createdAt: number,
  path: string
): Promise<JsonAnswer> => {
  const pairs = async (chainId: string | null, tokens: string) => {
    const found = await Promise.all(tokens.split(",").map((token) => poolsOf(chains, chainId, token)))
    return found.flat().map((pool) => pairJson(pool, createdAt))
  }
  const ofChain = /^\/(token-pairs|tokens)\/v1\/([a-z]+)\/([^/]+)$/.exec(path)
  if (ofChain !== null) return { status: 200, body: await pairs(ofChain[2] ?? null, ofChain[3] ?? "") }
  const legacy = /^\/latest\/dex\/tokens\/([^/]+)$/.exec(path)
  if (legacy === null) return notFound
  const found = await pairs(null, legacy[1] ?? "")
  return { status: 200, body: { schemaVersion: "1.0.0", pairs: found.length === 0 ? null : found } }
}

const rugCheckAnswer = ({ solana }: MarketChains, path: string): JsonAnswer => {
  const match = /^\/v1\/tokens\/([^/]+)\/report(\/summary)?$/.exec(path)
  if (match === null || solana === undefined) return notFound
  const mint = match[1] ?? ""
  const body = match[2] === undefined ? rugReport(solana, mint) : rugSummary(solana, mint)
  return body === null ? notFound : { status: 200, body }
}

/** Starts both services; their faults and counters are independent. */
export const startMarketData = (
  chains: MarketChains,
  options: MarketDataOptions = {}
): Effect.Effect<LocalMarket, never, Scope.Scope> =>
  Effect.gen(function* () {
    const createdAt = Date.now() - (options.poolAgeDays ?? DEFAULT_AGE_DAYS) * DAY_MS
    const dexScreener = yield* serveJson(({ url }) => dexScreenerAnswer(chains, createdAt, url.pathname))
    const rugCheck = yield* serveJson(({ url }) => rugCheckAnswer(chains, url.pathname))
    return {
      dexScreenerUrl: dexScreener.url,
      rugCheckUrl: `${rugCheck.url}/v1`,
      dexScreener,
      rugCheck
    }
  })
