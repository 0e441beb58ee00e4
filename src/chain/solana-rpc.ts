import type { ConfigError } from "effect"
import { Config, Duration, Effect, Redacted, Schema } from "effect"
import type { SolanaAddress } from "../domain/address.ts"
import { UpstreamError } from "../domain/errors.ts"
import { duration, wholeNumber } from "../domain/settings.ts"
import type { SolanaProgramQuery, SolanaRpc, SolanaSimulation } from "./chain-rpc.ts"
import { endpointUrls, hostOf } from "./endpoint-urls.ts"
import type { PoolOptions } from "./json-rpc.ts"
import { makeJsonRpcPool } from "./json-rpc.ts"
import { SOLANA_MAINNET } from "./own-chain.ts"
import { gatheredCalls, type RpcCall, typedCalls } from "./rpc-call.ts"
import { solanaDialect } from "./solana-dialect.ts"
import {
  BareProgramAccounts,
  failureOf,
  isComplete,
  LargestAccounts,
  MultipleAccounts,
  ProgramAccounts,
  SimulationWire,
  toAccount
} from "./solana-wire.ts"

/** Bounds of the pool. */
export type TransportLimits = Omit<PoolOptions, "dialect" | "urls">

/** Fit for a public node. */
export const defaultLimits = {
  attemptTimeout: "4 seconds",
  callTimeout: "9 seconds",
  maxResponseBytes: 8 * 1024 * 1024,
  concurrency: 24,
  cooldown: "10 seconds"
} as const satisfies TransportLimits

/** `getMultipleAccounts` takes no more. Source: agave `MAX_MULTIPLE_ACCOUNTS`. */
const MAX_ACCOUNTS_PER_READ = 100

/** How many times the budget of one exchange a call may take, another node's turn included. */
const CALL_TIMEOUTS = 2.25

/**
 * `SOLANA_RPC_URL`: comma-separated http(s) URLs, the preferred one first. `SOLANA_RPC_TIMEOUT`: for one HTTP exchange.
 * `SOLANA_RPC_CONCURRENCY`: HTTP exchanges at once.
 */
export const solanaRpcConfig = Config.all({
  urls: endpointUrls("SOLANA_RPC_URL", "https://api.mainnet-beta.solana.com"),
  timeout: duration("SOLANA_RPC_TIMEOUT", {
    least: "10 millis",
    most: "5 minutes",
    fallback: defaultLimits.attemptTimeout
  }),
  concurrency: wholeNumber("SOLANA_RPC_CONCURRENCY", {
    least: 1,
    most: 10_000,
    fallback: defaultLimits.concurrency
  })
})

const commitment = "confirmed"

const solanaError = (kind: UpstreamError["kind"], detail: string) =>
  new UpstreamError({ upstream: "solana-rpc", kind, detail })

/** Reads of accounts. */
const accountReads = (call: RpcCall) => {
  const getAccounts = Effect.fn("SolanaRpc.getAccounts")(function* (
    addresses: ReadonlyArray<SolanaAddress>,
    options?: Parameters<SolanaRpc["getAccounts"]>[1]
  ) {
    yield* Effect.annotateCurrentSpan("accounts", addresses.length)
    if (addresses.length > MAX_ACCOUNTS_PER_READ) {
      return yield* solanaError("rejected", `more than ${MAX_ACCOUNTS_PER_READ} accounts in one read`)
    }
    const { notBefore, slice } = options ?? {}
    const config = {
      commitment,
      encoding: "base64",
      ...(slice === undefined ? {} : { dataSlice: slice }),
      ...(notBefore === undefined ? {} : { minContextSlot: Number(notBefore) })
    }
    const method = "getMultipleAccounts"
    const { context, value } = yield* call(method, [addresses, config], MultipleAccounts)
    if (value.length !== addresses.length) {
      return yield* solanaError("malformed", `${method}: unexpected result`)
    }
    if (!value.every((account) => account === null || isComplete(account, slice)))
      return yield* solanaError("malformed", `${method}: an account was cut`)
    // Not every node minds what it was told.
    if (context.slot < (notBefore ?? 0n))
      return yield* solanaError("malformed", `${method}: of a slot too old`)
    return {
      slot: context.slot,
      accounts: value.map((account) => (account === null ? null : toAccount(account, slice)))
    }
  })

  const getLargestTokenAccounts = Effect.fn("SolanaRpc.getLargestTokenAccounts")((mint: SolanaAddress) =>
    Effect.map(
      call("getTokenLargestAccounts", [mint, { commitment }], LargestAccounts),
      ({ context: { slot }, value }) => ({ slot, balances: value })
    )
  )

  const getProgramAccounts = Effect.fn("SolanaRpc.getProgramAccounts")((
    program: SolanaAddress,
    query: SolanaProgramQuery,
    slice: { readonly offset: number; readonly length: number }
  ) => {
    const filters = [
      ...(query.size === undefined ? [] : [{ dataSize: query.size }]),
      { memcmp: { offset: query.offset, bytes: query.holds } }
    ]
    const config = { commitment, encoding: "base64", dataSlice: slice, filters, withContext: true }
    const answer = call(
      "getProgramAccounts",
      [program, config],
      Schema.Union(ProgramAccounts, BareProgramAccounts)
    )
    return Effect.map(answer, (found) => {
      const { slot, value } =
        "context" in found ? { slot: found.context.slot, value: found.value } : { slot: null, value: found }
      const accounts = value.map(({ account, pubkey }) => {
        const { data, owner } = toAccount(account, slice)
        return { address: pubkey, data, owner }
      })
      return { slot, accounts }
    })
  })

  return { getAccounts, getLargestTokenAccounts, getProgramAccounts }
}

/** A run of a transaction. */
const makeSimulate = (call: RpcCall) =>
  Effect.fn("SolanaRpc.simulate")((transaction: string, accounts: ReadonlyArray<SolanaAddress>) => {
    const config = {
      commitment,
      encoding: "base64",
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: "base64", addresses: accounts }
    }
    return Effect.map(
      call("simulateTransaction", [transaction, config], SimulationWire),
      ({ context, value }): SolanaSimulation => {
        const found = value.accounts ?? []
        return {
          slot: context.slot,
          failure: failureOf(value.err),
          logs: value.logs ?? [],
          // The accounts stand in the order they were asked for; a list of another length has no known order.
          accounts:
            found.length === accounts.length
              ? found.map((account) => (account === null ? null : toAccount(account, undefined)))
              : []
        }
      }
    )
  })

/**
 * Solana reads over JSON-RPC at `confirmed`, from `SOLANA_RPC_URL`. Falls over to the next URL on every failure,
 * resting an endpoint that timed out, broke or limited us. Fails with `UpstreamError` of `solana-rpc`.
 */
export const makeSolanaRpcWith = (
  limits: TransportLimits
): Effect.Effect<SolanaRpc, ConfigError.ConfigError> =>
  Effect.gen(function* () {
    const { urls } = yield* solanaRpcConfig
    const pool = yield* makeJsonRpcPool({ ...limits, dialect: solanaDialect, urls })
    const call = typedCalls(pool)

    return {
      ...accountReads(call),
      simulate: makeSimulate(call),
      call,
      together: gatheredCalls(pool),
      nodes: urls.map((url, endpoint) => ({ host: hostOf(url), call: typedCalls(pool, endpoint) })),
      urls: urls.map(Redacted.value)
    }
  })

/** `makeSolanaRpcWith` the configured limits; by default they fit a public node. */
export const makeSolanaRpc: Effect.Effect<SolanaRpc, ConfigError.ConfigError> = Effect.flatMap(
  solanaRpcConfig,
  ({ concurrency, timeout }) =>
    makeSolanaRpcWith({
      ...defaultLimits,
      chain: SOLANA_MAINNET,
      concurrency,
      attemptTimeout: timeout,
      callTimeout: Duration.times(timeout, CALL_TIMEOUTS)
    })
)
