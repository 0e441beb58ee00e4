import type { ConfigError } from "effect"
import { Config, Duration, Effect, Option, ParseResult, Redacted, Schema } from "effect"
import { SolanaAddress } from "../domain/address.ts"
import { UpstreamError } from "../domain/errors.ts"
import { duration, wholeNumber } from "../domain/settings.ts"
import type { SolanaAccount, SolanaProgramQuery, SolanaRpc, SolanaSimulation } from "./chain-rpc.ts"
import { endpointUrls, hostOf } from "./endpoint-urls.ts"
import type { PoolOptions } from "./json-rpc.ts"
import { makeJsonRpcPool } from "./json-rpc.ts"
import { gatheredCalls, type RpcCall, typedCalls } from "./rpc-call.ts"
import { solanaDialect } from "./solana-dialect.ts"

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
export const MAX_ACCOUNTS_PER_READ = 100

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

/** A u64: a safe JSON number, or the text the transport makes of an unsafe one. */
const U64 = Schema.transformOrFail(
  Schema.Union(Schema.Number, Schema.String),
  Schema.BigIntFromSelf.pipe(Schema.betweenBigInt(0n, 18_446_744_073_709_551_615n)),
  {
    strict: true,
    decode: (input, _options, ast) =>
      typeof input === "string" ? parseDigits(input, ast) : parseSafe(input, ast),
    encode: (value) => ParseResult.succeed(value.toString())
  }
)
const parseDigits = (text: string, ast: Schema.Schema.Any["ast"]) =>
  /^[0-9]{1,20}$/.test(text)
    ? ParseResult.succeed(BigInt(text))
    : ParseResult.fail(new ParseResult.Type(ast, text, "must be a u64"))
const parseSafe = (number: number, ast: Schema.Schema.Any["ast"]) =>
  Number.isSafeInteger(number) && number >= 0
    ? ParseResult.succeed(BigInt(number))
    : ParseResult.fail(new ParseResult.Type(ast, number, "must be a u64"))

const Context = Schema.Struct({ slot: U64 })

const AccountWire = Schema.Struct({
  owner: SolanaAddress,
  lamports: U64,
  data: Schema.Tuple(Schema.Uint8ArrayFromBase64, Schema.Literal("base64")),
  space: Schema.optional(Schema.NonNegative)
})

const MultipleAccounts = Schema.Struct({
  context: Context,
  value: Schema.Array(Schema.NullOr(AccountWire))
})

const LargestAccounts = Schema.Struct({
  context: Context,
  value: Schema.Array(Schema.Struct({ address: SolanaAddress, amount: U64 })).pipe(Schema.maxItems(20))
})

const ProgramAccount = Schema.Struct({ pubkey: SolanaAddress, account: AccountWire })
const ProgramAccounts = Schema.Struct({ context: Context, value: Schema.Array(ProgramAccount) })
/** Of a server that does not know how to name its slot. */
const BareProgramAccounts = Schema.Array(ProgramAccount)

/** `{"InstructionError":[2,{"Custom":6001}]}`, `{"InstructionError":[0,"InvalidArgument"]}`, or a bare name. */
const InstructionFailure = Schema.Struct({
  InstructionError: Schema.Tuple(
    Schema.NonNegative,
    Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  )
})
const decodeInstructionFailure = Schema.decodeUnknownOption(InstructionFailure)

/** What a transaction did. `err` is there, and null, where it succeeded: an answer without it says nothing. */
const SimulationWire = Schema.Struct({
  context: Context,
  value: Schema.Struct({
    err: Schema.NullOr(
      Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    ),
    logs: Schema.optional(Schema.NullOr(Schema.Array(Schema.String).pipe(Schema.maxItems(10_000)))),
    accounts: Schema.optional(Schema.NullOr(Schema.Array(Schema.NullOr(AccountWire)))),
    unitsConsumed: Schema.optional(Schema.NullOr(U64))
  })
}).pipe(
  // Whatever succeeds leaves logs and uses compute. A node that names neither has only looked at the transaction.
  Schema.filter(
    ({ value: { err, logs, unitsConsumed } }) =>
      err !== null || (logs ?? []).length > 0 || (unitsConsumed ?? 0n) > 0n
  )
)

/** An error's name without its details, short and printable. */
const nameOf = (error: unknown): string => {
  const name = typeof error === "string" ? error : Object.keys(Object(error))[0]
  return (name ?? "unknown").replace(/[^A-Za-z0-9]/g, "").slice(0, 64)
}

const failureOf = (error: unknown): SolanaSimulation["failure"] => {
  if (error === null) return null
  const inside = Option.getOrNull(decodeInstructionFailure(error))
  if (inside === null) return { instruction: null, code: nameOf(error) }
  const [instruction, detail] = inside.InstructionError
  const custom = typeof detail === "string" ? undefined : detail["Custom"]
  return { instruction, code: typeof custom === "number" ? `Custom${custom}` : nameOf(detail) }
}

const EpochInfo = Schema.Struct({ epoch: U64, absoluteSlot: U64 })

const commitment = "confirmed"

/** A node that knows no `dataSlice` sends the whole account: the slice is cut here, so that both look alike. */
const toAccount = (
  wire: typeof AccountWire.Type,
  slice: { readonly offset: number; readonly length: number } | undefined
): SolanaAccount => {
  const [received] = wire.data
  const space = wire.space ?? received.length
  const isWhole = slice !== undefined && received.length === space && received.length > slice.length
  const data = isWhole ? received.subarray(slice.offset, slice.offset + slice.length) : received
  return { owner: wire.owner, lamports: wire.lamports, data, space }
}

/** Whether all came of an account that was asked for: what a decoder does not find in it would pass for not being there. */
const isComplete = (
  { data: [received], space }: typeof AccountWire.Type,
  slice: { readonly offset: number; readonly length: number } | undefined
): boolean => {
  if (space === undefined) return true
  const wanted = slice === undefined ? space : Math.min(slice.length, space - slice.offset)
  return received.length >= wanted
}

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

/** A run of a transaction, and the epoch. */
const stateReads = (call: RpcCall) => {
  const simulate = Effect.fn("SolanaRpc.simulate")((
    transaction: string,
    accounts: ReadonlyArray<SolanaAddress>
  ) => {
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

  const getEpoch = call("getEpochInfo", [{ commitment }], EpochInfo).pipe(
    Effect.map(({ absoluteSlot, epoch }) => ({ epoch, slot: absoluteSlot })),
    Effect.withSpan("SolanaRpc.getEpoch")
  )

  return { simulate, getEpoch }
}

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
      ...stateReads(call),
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
      concurrency,
      attemptTimeout: timeout,
      callTimeout: Duration.times(timeout, CALL_TIMEOUTS)
    })
)
