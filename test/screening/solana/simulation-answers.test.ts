/**
 * What nodes answer to `simulateTransaction`, over HTTP, and what is concluded from it. The shapes are agave's
 * `RpcSimulateTransactionResult` as versions 1.18 to 2.3 write it, and those of gateways that leave parts of it out.
 */
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { defaultLimits, makeSolanaRpcWith } from "../../../src/chain/solana-rpc.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { holderCount } from "../../../src/screening/solana/simulation/exit-facts.ts"
import { outcomeOf } from "../../../src/screening/solana/simulation/outcome.ts"
import type { Trial } from "../../../src/screening/solana/simulation/trial.ts"
import { factOf } from "../../../src/screening/solana/reads/fetch.ts"
import { withoutPauses } from "../../support/clocks.ts"
import { raw, serve } from "../../support/market/upstream.ts"
import { programAddress, wallet } from "../../support/solana/encode.ts"

const POOL = at.program.raydiumCpmm
const HOOK = programAddress("somebody's hook")

const trial: Trial = {
  kind: "round-trip",
  pool: wallet("pool"),
  wire: "AQ==",
  legs: ["funds", "account", "buy", "sell"],
  programs: [at.SYSTEM_PROGRAM, at.ATA_PROGRAM, POOL, POOL],
  watch: [wallet("purse"), wallet("tokens")],
  opened: [],
  holder: null
}

const ok = (program: string, depth = 1): ReadonlyArray<string> => [
  `Program ${program} invoke [${depth}]`,
  `Program ${program} success`
]
const RAN = [at.SYSTEM_PROGRAM, at.ATA_PROGRAM, POOL].flatMap((program) => ok(program))
const CONSUMED = `Program ${POOL} consumed 1400000 of 1400000 compute units`

const whole = (value: object): string =>
  JSON.stringify({
    context: { apiVersion: "2.3.6", slot: 349_000_000 },
    value: {
      accounts: null,
      err: null,
      fee: 5000,
      innerInstructions: null,
      loadedAccountsDataSize: 812_033,
      loadedAddresses: { readonly: [], writable: [] },
      logs: [],
      postBalances: null,
      postTokenBalances: null,
      preBalances: null,
      preTokenBalances: null,
      replacementBlockhash: { blockhash: "11111111111111111111111111111111", lastValidBlockHeight: 1 },
      returnData: null,
      unitsConsumed: 0,
      ...value
    }
  })
const bare = (value: object): string => JSON.stringify({ context: { slot: 1 }, value })
const failed = (index: number, error: unknown, logs: ReadonlyArray<string>) =>
  whole({ err: { InstructionError: [index, error] }, logs, unitsConsumed: 90_000 })
const account = (amount: number) => {
  const data = Buffer.alloc(165)
  data.writeBigUInt64LE(BigInt(amount), 64)
  data[108] = 1
  return {
    data: [data.toString("base64"), "base64"],
    executable: false,
    lamports: 2_039_280,
    owner: at.TOKEN_PROGRAM,
    rentEpoch: 18_446_744_073_709_552_000,
    space: 165
  }
}

interface Said {
  readonly status?: number
  readonly result?: string
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

type Concluded = "sold" | "refused" | "doubtful" | "untried"

const answers: Readonly<Record<string, readonly [Said, Concluded]>> = {
  "success with accounts": [
    { result: whole({ logs: RAN, accounts: [account(5), account(0)], unitsConsumed: 120_000 }) },
    "sold"
  ],
  "success, accounts null": [{ result: whole({ logs: RAN, unitsConsumed: 120_000 }) }, "sold"],
  "success without accounts, balances, return data or units": [
    { result: bare({ err: null, logs: RAN }) },
    "sold"
  ],
  "success with return data": [
    {
      result: whole({
        logs: RAN,
        unitsConsumed: 9,
        returnData: { data: ["AQAAAAAAAAA=", "base64"], programId: POOL }
      })
    },
    "sold"
  ],
  "success with logs null and units": [{ result: whole({ logs: null, unitsConsumed: 120_000 }) }, "sold"],
  "no error, but nothing ran": [{ result: whole({}) }, "untried"],
  "no error, no logs, no units": [{ result: bare({ err: null, logs: null }) }, "untried"],
  "logs, and not a word about an error": [{ result: bare({ logs: RAN, unitsConsumed: 5 }) }, "untried"],
  "an error that is a number": [{ result: bare({ err: 6001, logs: RAN }) }, "untried"],
  "nothing at all": [{ result: bare({}) }, "untried"],
  null: [{ result: "null" }, "untried"],
  "an error of the pool's own": [
    { result: failed(3, { Custom: 6001 }, [...RAN, `Program ${POOL} failed: custom program error: 0x1771`]) },
    "refused"
  ],
  "an error of the token program's, below the pool's": [
    {
      result: failed(3, { Custom: 17 }, [
        `Program ${POOL} invoke [1]`,
        `Program ${at.TOKEN_PROGRAM} invoke [2]`,
        `Program ${at.TOKEN_PROGRAM} failed: custom program error: 0x11`,
        `Program ${POOL} failed: custom program error: 0x11`
      ])
    },
    "refused"
  ],
  "an error of a hook's, of the runtime's kind": [
    {
      result: failed(3, "InvalidAccountData", [
        `Program ${HOOK} failed: invalid account data for instruction`
      ])
    },
    "refused"
  ],
  "compute exhausted": [
    {
      result: failed(3, "ComputationalBudgetExceeded", [
        CONSUMED,
        `Program ${POOL} failed: exceeded CUs meter at BPF instruction`
      ])
    },
    "refused"
  ],
  "compute exhausted, as older nodes say it": [
    {
      result: failed(3, "ProgramFailedToComplete", [CONSUMED, `Program ${POOL} failed to complete: exceeded`])
    },
    "refused"
  ],
  "compute exhausted, logs null": [
    { result: whole({ err: { InstructionError: [3, "ComputationalBudgetExceeded"] }, logs: null }) },
    "refused"
  ],
  "an instruction of ours that the pool's program does not know": [
    { result: failed(3, { Custom: 101 }, [`Program ${POOL} failed: custom program error: 0x65`]) },
    "doubtful"
  ],
  "an account our instruction left out": [
    { result: failed(2, "NotEnoughAccountKeys", [`Program ${POOL} failed: insufficient account keys`]) },
    "doubtful"
  ],
  "the payer has too little": [
    {
      result: failed(0, { Custom: 1 }, [
        `Program ${at.SYSTEM_PROGRAM} invoke [1]`,
        `Program ${at.SYSTEM_PROGRAM} failed: custom program error: 0x1`
      ])
    },
    "untried"
  ],
  "the payer does not exist": [{ result: whole({ err: "AccountNotFound" }) }, "untried"],
  "blockhash not found": [{ result: whole({ err: "BlockhashNotFound" }) }, "untried"],
  "the pool's program does not exist": [{ result: whole({ err: "ProgramAccountNotFound" }) }, "untried"],
  "an account cannot pay its rent": [
    { result: whole({ err: { InsufficientFundsForRent: { account_index: 3 } }, logs: RAN }) },
    "untried"
  ],
  "more accounts than a node loads": [
    { result: whole({ err: "MaxLoadedAccountsDataSizeExceeded" }) },
    "untried"
  ],
  "a program that cannot be run here": [
    { result: failed(2, "UnsupportedProgramId", RAN.slice(0, 4)) },
    "untried"
  ],
  "an index beyond our instructions": [{ result: failed(9, { Custom: 6001 }, RAN) }, "untried"],
  "the method does not exist": [{ error: { code: -32601, message: "Method not found" } }, "untried"],
  "the method is not in this plan": [
    { error: { code: -32600, message: "not available" }, status: 403 },
    "untried"
  ],
  "the transaction is refused as such": [
    { error: { code: -32602, message: "invalid transaction: Transaction failed to sanitize" } },
    "untried"
  ],
  "a preflight's words": [
    {
      error: {
        code: -32002,
        message: "Transaction simulation failed: Blockhash not found",
        data: { err: "BlockhashNotFound", logs: [] }
      }
    },
    "untried"
  ],
  "too many requests, as JSON-RPC": [{ error: { code: 429, message: "Too many requests" } }, "untried"],
  "too many requests": [{ status: 429 }, "untried"],
  "a gateway's error": [{ status: 502 }, "untried"],
  "no JSON": [{ result: "<html>" }, "untried"]
}

/** A node that says one thing. */
const node = ({ error, result, status }: Said) => {
  const said = error === undefined ? `"result":${result ?? "null"}` : `"error":${JSON.stringify(error)}`
  const isBusy = status !== undefined && error === undefined
  return serve(raw(isBusy ? "busy" : `{"jsonrpc":"2.0","id":0,${said}}`, status))
}

const triedAt = (said: Said) =>
  Effect.gen(function* () {
    const { url } = yield* node(said)
    const rpc = yield* makeSolanaRpcWith(defaultLimits).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["SOLANA_RPC_URL", url]])))
    )
    const answer = yield* factOf(rpc.simulate(trial.wire, trial.watch), "the node does not simulate")
    return { trial, outcome: outcomeOf(trial, answer) }
  }).pipe(Effect.provide(withoutPauses))

describe("a node's answer to a simulation", () => {
  for (const [name, [said, concluded]] of Object.entries(answers)) {
    it.scopedLive(`is ${concluded}: ${name}`, () =>
      Effect.gen(function* () {
        const tried = yield* triedAt(said)
        expect(holderCount([tried], false)).toEqual({
          tried: concluded === "untried" ? 0 : 1,
          refused: concluded === "refused" ? 1 : 0,
          doubtful: concluded === "doubtful" ? 1 : 0
        })
        expect(tried.outcome.kind).toBe(
          concluded === "sold" ? "passed" : concluded === "untried" ? "unrun" : "refused"
        )
      })
    )
  }

  it.scopedLive("whose accounts are not those asked for measures nothing", () =>
    Effect.gen(function* () {
      const result = whole({ logs: RAN, accounts: [account(5)], unitsConsumed: 120_000 })
      const { outcome } = yield* triedAt({ result })
      expect(outcome).toEqual({ kind: "passed", accounts: [] })
    })
  )
})
