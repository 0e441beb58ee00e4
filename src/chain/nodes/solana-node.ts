import { Clock, Effect, type Redacted } from "effect"
import { isRecord } from "../../domain/json.ts"
import { hostOf } from "../endpoint-urls.ts"
import { solanaDialect } from "../solana-dialect.ts"
import { SOLANA_MAINNET } from "../own-chain.ts"
import type { Ask, NodeReport } from "./node-question.ts"
import {
  asking,
  hasResult,
  missingUnless,
  reportAll,
  request,
  resultIn,
  uselessness
} from "./node-question.ts"

/** The network's own public endpoint: limited, and not meant for services. */
const PUBLIC_HOST = "api.mainnet-beta.solana.com"
/** An account that nobody has: a node that runs a method says that there is none, or lists nothing. */
const NOBODY = "Witness111111111111111111111111111111111111"
/** Orca's Whirlpools, and where a position of theirs names its pool: what a screening searches. */
const WHIRLPOOLS = "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"
const POOL_OFFSET = 8
/** JSON-RPC: wrong parameters. A method that says so of an account that is not there exists. */
const INVALID_PARAMS = -32602
/** Days of the ledger that show how long liquidity has been there: of much of it, and of little. */
const DAYS = { much: 32, little: 190 } as const
const DAY = 86_400_000

/** One signature of zeros, one account that signs, no instruction. */
const EMPTY_TRANSACTION = Buffer.from(
  Uint8Array.from([1, ...Array(64).fill(0), 1, 0, 0, 1, ...Array(32).fill(7), ...Array(32).fill(0), 0])
).toString("base64")

const SOLANA_GENESIS = request(SOLANA_MAINNET.request.method, SOLANA_MAINNET.request.params)
const CONFIG = { commitment: "confirmed", encoding: "base64" }

const isKnownMethod = (answer: unknown): boolean => {
  const error = isRecord(answer) ? answer["error"] : undefined
  return hasResult(answer) || (isRecord(error) && error["code"] === INVALID_PARAMS)
}

/** Whole days since the first block of its ledger; nothing where it does not say when that was. */
const ledgerDays = (ask: Ask): Effect.Effect<number> =>
  Effect.gen(function* () {
    const first = resultIn(yield* ask(request("getFirstAvailableBlock", [])))
    const since = resultIn(yield* ask(request("getBlockTime", [first])))
    const now = yield* Clock.currentTimeMillis
    return typeof since === "number" ? Math.max(0, Math.floor((now - since * 1000) / DAY)) : 0
  })

const missingLedger = (days: number): ReadonlyArray<string> => {
  if (days >= DAYS.little) return []
  const shown = `shows ${days} days of its ledger: `
  return days >= DAYS.much
    ? [`${shown}of tokens with little liquidity nothing is called old there`]
    : [`${shown}liquidity that is not locked counts as new`]
}

/** Asks one node; never fails. Six small requests at most. */
const report = (url: Redacted.Redacted<string>, fetch: typeof globalThis.fetch): Effect.Effect<NodeReport> =>
  Effect.gen(function* () {
    const host = hostOf(url)
    const { ask, missingByLimit } = asking(url, fetch, solanaDialect)
    const useless = uselessness(host, SOLANA_MAINNET, yield* ask(SOLANA_GENESIS))
    if (useless !== undefined) return useless
    const simulated = yield* ask(
      request("simulateTransaction", [
        EMPTY_TRANSACTION,
        { ...CONFIG, sigVerify: false, replaceRecentBlockhash: true }
      ])
    )
    const filters = [{ memcmp: { offset: POOL_OFFSET, bytes: NOBODY } }]
    const searched = yield* ask(request("getProgramAccounts", [WHIRLPOOLS, { ...CONFIG, filters }]))
    const largest = yield* ask(request("getTokenLargestAccounts", [NOBODY, { commitment: "confirmed" }]))
    const missing = [
      missingUnless(
        host !== PUBLIC_HOST,
        "is the public endpoint, which limits requests: set SOLANA_RPC_URL"
      ),
      missingUnless(hasResult(simulated), "simulates no transactions: trades cannot be tried there"),
      missingUnless(
        hasResult(searched),
        "searches no program's accounts: whose positions are is not found out there"
      ),
      missingUnless(
        isKnownMethod(largest),
        "names no mint's largest accounts: who holds a token is not found out there"
      ),
      missingLedger(yield* ledgerDays(ask)),
      missingByLimit()
    ]
    return { host, state: "usable", missing: missing.flat() }
  })

/** What every one of Solana's nodes can do for a screening. */
export const reportSolanaNodes = reportAll(report)

/** Of a node that lacks nothing. */
export const SOLANA_COMPLETE =
  "simulations, searches of programs, largest accounts, half a year of its ledger"
