/** Runs an attack set: every case deployed and listed on a local chain and screened by the service's own engine. */
import { NodeHttpClient } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer } from "effect"
import type { Address } from "viem"
import { makeBaseRpc } from "../../src/chain/base-rpc.ts"
import { ChainRpc } from "../../src/chain/chain-rpc.ts"
import { normalizeEvmAddress } from "../../src/domain/address.ts"
import type { Verdict } from "../../src/domain/report.ts"
import type { SignalResult } from "../../src/domain/signal.ts"
import { MarketDataLive } from "../../src/market/market-data-live.ts"
import { BasePlanLive } from "../../src/screening/base/plan.ts"
import { DirectAnalyserLive } from "../eval/direct-analyser.ts"
import { requireRegistry } from "../eval/registry-check.ts"
import { assess } from "../../src/screening/risk-scorer-live.ts"
import { BasePlan } from "../../src/screening/screener.ts"
import { startMarketData } from "../sandbox/market/market-data.ts"
import { compileDirectory } from "./compile.ts"
import type { Control, Trap } from "./format.ts"
import { readAttackSet } from "./format.ts"
import type { Harm } from "./harm.ts"
import { proveHarm } from "./harm.ts"
import type { Case } from "./listed-case.ts"
import { listCase } from "./listed-case.ts"
import type { Stage } from "./stage.ts"
import { startStage } from "./stage.ts"

/** What the engine said about one case. */
export interface Answer {
  /** `failed`: the screening gave no report; `reasons` says why. */
  readonly verdict: Verdict | "failed"
  readonly score: number
  readonly safe: boolean | null
  readonly reasons: ReadonlyArray<string>
  readonly signals: ReadonlyArray<SignalResult>
  readonly milliseconds: number
}

export interface TrapRow {
  readonly trap: Trap
  readonly answer: Answer
  /** Null where the set says that no transaction can show the harm, or where no proof was asked for. */
  readonly harm: Harm | null
}

export interface ControlRow {
  readonly control: Control
  readonly answer: Answer
}

export interface AttackResults {
  readonly traps: ReadonlyArray<TrapRow>
  readonly controls: ReadonlyArray<ControlRow>
}

export interface AttackOptions {
  /** Only cases whose name contains one of these. */
  readonly only?: ReadonlyArray<string>
  /** Prove each trap's harm by transactions. */
  readonly prove?: boolean
  /** Purchases by strangers between the listing and the scan. */
  readonly purchases?: number
}

/** A chain without Solana: every use is a defect of the runner. */
const NO_SOLANA: ChainRpc["Type"]["solana"] = {
  getAccounts: () => Effect.dieMessage("attacks have no Solana"),
  getLargestTokenAccounts: () => Effect.dieMessage("attacks have no Solana"),
  getProgramAccounts: () => Effect.dieMessage("attacks have no Solana"),
  simulate: () => Effect.dieMessage("attacks have no Solana"),
  call: () => Effect.dieMessage("attacks have no Solana"),
  together: () => Effect.dieMessage("attacks have no Solana"),
  nodes: [],
  urls: []
}

/** Tokens are scanned within a day of their listing. */
const POOL_AGE_DAYS = 0.5

const engine = (url: string, dexScreenerUrl: string) => {
  const settings = new Map([
    ["BASE_RPC_URL", url],
    ["BASE_RPC_TIMEOUT", "20 seconds"],
    ["DEXSCREENER_URL", dexScreenerUrl]
  ])
  const chain = Layer.effect(
    ChainRpc,
    Effect.map(makeBaseRpc, (base) => ChainRpc.of({ base, solana: NO_SOLANA }))
  )
  return BasePlanLive.pipe(
    Layer.provide(DirectAnalyserLive),
    Layer.provide(Layer.merge(MarketDataLive.pipe(Layer.provide(NodeHttpClient.layerUndici)), chain)),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(settings)))
  )
}

const scan = Effect.fn("Attacks.scan")(function* (token: Address) {
  const plan = yield* BasePlan
  const address = normalizeEvmAddress(token)
  if (address === undefined) return yield* Effect.dieMessage(`${token} is no address`)
  const started = performance.now()
  const outcome = yield* Effect.either(plan.screen({ chain: "base", address }))
  const milliseconds = performance.now() - started
  if (outcome._tag === "Left") {
    const failed: Answer = {
      verdict: "failed",
      score: 100,
      safe: null,
      reasons: [outcome.left._tag],
      signals: [],
      milliseconds
    }
    return failed
  }
  const { verdict, score, safe, reasons } = assess(outcome.right)
  const answer: Answer = {
    verdict,
    score,
    safe,
    reasons: reasons.map(({ code, points }) => `${code} ${points}`),
    signals: outcome.right.signals,
    milliseconds
  }
  return answer
})

const wanted =
  ({ only }: AttackOptions) =>
  ({ name }: Case): boolean =>
    only === undefined || only.some((part) => name.includes(part))

/** Lists and scans a case, then takes it off the chain again unless `use` keeps working on it first. */
const withCase = <A>(
  stage: Stage,
  compiled: ReturnType<typeof compileDirectory>,
  attack: Case,
  purchases: number,
  use: (listed: Awaited<ReturnType<typeof listCase>>) => Effect.Effect<A, never, BasePlan>
) =>
  Effect.gen(function* () {
    const snapshot = yield* Effect.promise(() => stage.devnet.request("evm_snapshot", []))
    const listed = yield* Effect.promise(() => listCase(stage, compiled, attack, purchases))
    const value = yield* use(listed)
    yield* Effect.promise(() => stage.devnet.request("evm_revert", [snapshot]))
    return value
  })

/** Runs the set of a directory on a chain of its own. Takes a few seconds and about half a second per case. */
export const runAttacks = (dir: string, options: AttackOptions = {}) =>
  Effect.gen(function* () {
    const set = readAttackSet(dir)
    const compiled = compileDirectory(dir)
    const stage = yield* startStage
    yield* requireRegistry(stage.url)
    const market = yield* startMarketData({ base: stage }, { poolAgeDays: POOL_AGE_DAYS })
    const purchases = options.purchases ?? 0
    const screenTrap = (trap: Trap) =>
      withCase(stage, compiled, trap, purchases, (listed) =>
        Effect.gen(function* () {
          const answer = yield* scan(listed.token)
          const provable = options.prove === true && trap.provenByTransactions
          const harm = provable ? yield* Effect.promise(() => proveHarm(stage, compiled, trap, listed)) : null
          const row: TrapRow = { trap, answer, harm }
          return row
        })
      )
    const screenControl = (control: Control) =>
      withCase(stage, compiled, control, purchases, ({ token }) =>
        Effect.map(scan(token), (answer): ControlRow => ({ control, answer }))
      )
    const results: AttackResults = yield* Effect.all({
      traps: Effect.forEach(set.traps.filter(wanted(options)), screenTrap),
      controls: Effect.forEach(set.controls.filter(wanted(options)), screenControl)
    }).pipe(Effect.provide(engine(stage.url, market.dexScreenerUrl)))
    return results
  }).pipe(Effect.scoped)
