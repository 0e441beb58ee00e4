/** Both chains, market data and the environment with which the service runs against them. */
import type { Scope } from "effect"
import { Effect } from "effect"
import { evmKey } from "./accounts.ts"
import type { BaseChain, BaseOptions } from "./base/base-chain.ts"
import { startBaseChain } from "./base/base-chain.ts"
import type { LocalMarket, MarketDataOptions } from "./market/market-data.ts"
import { startMarketData } from "./market/market-data.ts"
import type { SolanaChain, SolanaOptions } from "./solana/solana-chain.ts"
import { startSolanaChain } from "./solana/solana-chain.ts"

export interface Sandbox {
  readonly base: BaseChain
  readonly solana: SolanaChain
  readonly market: LocalMarket
}

export interface SandboxOptions {
  readonly base?: BaseOptions
  readonly solana?: SolanaOptions
  readonly market?: MarketDataOptions
}

/** Starts everything on free loopback ports. Takes about a second. */
export const startSandbox = (options: SandboxOptions = {}): Effect.Effect<Sandbox, never, Scope.Scope> =>
  Effect.gen(function* () {
    const [base, solana] = yield* Effect.all(
      [startBaseChain(options.base), startSolanaChain(options.solana)],
      { concurrency: 2 }
    )
    const market = yield* startMarketData({ base, solana }, options.market)
    return { base, solana, market }
  })

/** What the pages offer to try: these chains trade no other tokens. */
const examplesOf = ({ base, solana }: Pick<Sandbox, "base" | "solana">): string =>
  [
    `base:${base.tokens.clean.address}=a clean token on Base`,
    `base:${base.tokens.honeypot.address}=a honeypot on Base`,
    `solana:${solana.tokens.clean.address}=a clean token on Solana`,
    `solana:${solana.tokens.freezable.address}=a freezable token on Solana`
  ].join(",")

/**
 * The service's variables for self-hosted settlement on the sandbox. `overrides` add to them or replace them; an
 * override of `undefined` takes a variable away.
 */
export const serviceEnvironment = (
  { base, market, solana }: Sandbox,
  overrides: Readonly<Record<string, string | undefined>> = {}
): Readonly<Record<string, string>> => {
  const environment: Record<string, string | undefined> = {
    HOST: "127.0.0.1",
    BASE_RPC_URL: base.url,
    SOLANA_RPC_URL: solana.url,
    BASE_PAY_TO: base.accounts.merchant.address,
    SOLANA_PAY_TO: solana.accounts.merchant.address,
    BASE_SETTLER_PRIVATE_KEY: evmKey("settler"),
    SOLANA_FEE_PAYER_PRIVATE_KEY: solana.accounts.feePayerSecret,
    DEXSCREENER_URL: market.dexScreenerUrl,
    RUGCHECK_URL: market.rugCheckUrl,
    DATABASE_URL: "sqlite::memory:",
    EXAMPLE_TOKENS: examplesOf({ base, solana }),
    ...overrides
  }
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
}
