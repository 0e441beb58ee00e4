import { Clock, Config, type ConfigError, Effect, Either, Fiber, Layer } from "effect"
import type { Address, Hex } from "viem"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { isSolanaAddress, normalizeEvmAddress } from "../../domain/address.ts"
import { ScreeningUnavailable, UnknownToken } from "../../domain/errors.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { hasLeft } from "../../domain/has-left.ts"
import { known, orNull } from "../../domain/fact.ts"
import type { Screening } from "../../domain/screening.ts"
import type { TokenRef } from "../../domain/token.ts"
import { invalid } from "../../domain/settings.ts"
import { MarketData } from "../../market/market-data.ts"
import { EXTRA_LOCKERS_FORM } from "../extra-lockers.ts"
import type { ScreeningError } from "../screener.ts"
import { BasePlan } from "../screener.ts"
import { judgeAll } from "../signal-table.ts"
import { beginTrials } from "./begin-trials.ts"
import { CodeAnalyser } from "./analysis/analyser.ts"
import { assemble, assembleCode, withTrials } from "./assemble.ts"
import { b20MintOff } from "./b20/powers.ts"
import type { BaseEvidence, CodeEvidence, PartialEvidence } from "./evidence.ts"
import { holderIndexConfig, noIndex } from "./holders/blockscout.ts"
import { keepsEmptied } from "./holders/emptied.ts"
import { beginEarly, readsAfter } from "./holders/early-look.ts"
import { historyOf, inTime, readEvents } from "./holders/history.ts"
import { lockerList } from "./pools/lp-lock.ts"
import type { Around } from "./power/analyse.ts"
import { sinceAt } from "./power/proof/dates.ts"
import { judgeDraws } from "./power/drawn.ts"
import { findingsBehind } from "./power/code-evidence.ts"
import { slotsToRead } from "./power/findings.ts"
import type { SlotValue } from "./power/proof/slot-value.ts"
import { behindFront } from "./power/front.ts"
import { endsPower, mintAuthorityOff } from "./power/power.ts"
import type { FirstWave } from "./reads/first-wave.ts"
import { askFirst, firstWave, inspectFirst, marketOf } from "./reads/first-wave.ts"
import { ageOf } from "./reads/aids.ts"
import { DRAWN_FOR, drawMoments } from "./reads/past.ts"
import type { SecondWave } from "./reads/second-wave.ts"
import { secondWave, seenPools } from "./reads/second-wave.ts"
import { requireToday } from "./reads/today.ts"
import { baseSignals } from "./signals/table.ts"
import { simulateTrades } from "./simulation/simulate.ts"
import { tryWallets } from "./simulation/wallet-trial.ts"
import type { BasePlanParts } from "./trials.ts"
import { runTrials } from "./trials.ts"

export type { BasePlanParts } from "./trials.ts"

const unavailable = (error: UpstreamError) =>
  Effect.logWarning("a screening had to be given up", error).pipe(
    Effect.zipRight(Effect.fail(new ScreeningUnavailable({ upstream: error.upstream })))
  )

/** Nothing to screen where no pool exists; nothing to say where it is not known whether one does. */
const requirePools = (token: TokenRef, { pools, market }: Pick<PartialEvidence, "pools" | "market">) => {
  if (pools.length > 0 || (market.known && market.value.length > 0)) return Effect.void
  return market.known
    ? Effect.fail(new UnknownToken({ token }))
    : Effect.fail(new ScreeningUnavailable({ upstream: "dexscreener" }))
}

/** The same at the first look, before anything is spent on the token's code: pools come from here and nowhere else. */
const requireTraces = (token: TokenRef, address: Address, first: FirstWave) =>
  seenPools(address, first).length === 0
    ? requirePools(token, { pools: [], market: first.market })
    : Effect.void

/** The code behind a proxy; `undefined` where it could not be read. */
const implementationCode = ({ implementation }: SecondWave): Hex | undefined =>
  implementation === null || implementation.code === "0x" ? undefined : implementation.code

/**
 * The code's evidence with what the storage that was read settles, the contracts it asks answer and the time has decided;
 * one facet of a diamond says nothing of the rest.
 */
const settle = (
  { settled }: BasePlanParts["analyser"],
  running: Hex,
  code: CodeEvidence,
  state: ReadonlyArray<SlotValue>,
  { others, since }: Required<Around>
) => {
  const { findings, proxy } = code
  if (!findings.known || proxy.kind === "diamond") return Effect.succeed(code)
  const asksMoment = findings.value.proof.asksMoment
  if (!asksMoment && state.length + others.length === 0) return Effect.succeed(code)
  const around = asksMoment ? { others, since } : { others }
  return Effect.map(settled(running, state, around), (value): CodeEvidence => ({
    ...code,
    findings: known(value),
    hasEndedPower: endsPower(findings.value, value)
  }))
}

/**
 * Whether a storage that was read whole may settle more than the slots that were asked for: something is open, and there is
 * an empty table, or a proxy, of which only a few slots could be asked.
 */
const maySettle = ({ findings, proxy }: CodeEvidence, settling: ReadonlyArray<SlotValue>): boolean => {
  if (!findings.known || settling.length === 0) return false
  const { hiddenMint, leakingToken, limitingSell, proof } = findings.value
  return (
    (proxy.kind !== "none" || settling.some(({ entries }) => entries !== undefined)) &&
    ([hiddenMint, leakingToken, limitingSell].some(({ state }) => state === "found") ||
      proof.conservation.holes.length + proof.transferPath.holes.length > 0)
  )
}

/** Accounts that hold for themselves or for others, whatever the token's code names them. */
const otherHolders = ({ pools }: PartialEvidence, { buyers }: SecondWave): ReadonlyArray<Address> => [
  ...pools.map(({ address }) => address),
  ...buyers
]

/** Reads everything about one token on Base: two waves of reads, and trials as soon as what they need is known. */
const collectEvidence = Effect.fn("BasePlan.collect")(function* (
  parts: BasePlanParts,
  ref: Extract<TokenRef, { readonly chain: "base" }>
) {
  const { analyser, rpc } = parts
  const token = ref.address
  const inspected = yield* Effect.fork(inspectFirst(rpc, token))
  const events = yield* Effect.fork(readEvents(rpc, token))
  const market = yield* Effect.fork(marketOf(parts.pairs(ref)))
  yield* hasLeft
  const asked = yield* Effect.fork(askFirst(rpc, token))
  const indexed = yield* Effect.fork((parts.index ?? noIndex)(token))
  const keeping = yield* Effect.fork(parts.keepsEmptied ?? keepsEmptied(rpc))
  const isKept = Effect.map(inTime(keeping), (kept) => kept === true)
  const early = yield* Effect.fork(
    beginEarly(parts, token, {
      inspected: Effect.map(Fiber.join(inspected), ([own]) => own),
      market: Fiber.join(market),
      events,
      keepsEmptied: isKept
    })
  )
  const first = yield* firstWave(rpc, token, {
    batch: Fiber.join(asked),
    inspected: Fiber.join(inspected),
    market: Fiber.join(market)
  })
  yield* requireToday(first.blockTime, isKept)
  yield* requireTraces(ref, token, first)
  const history = yield* Effect.fork(historyOf(rpc, token, first.blockNumber, ageOf(first), events))
  const trials = yield* beginTrials(parts, token, first, {
    events: Effect.map(inTime(events), (all) => all ?? []),
    history: Fiber.join(history),
    keepsEmptied: isKept,
    reads: readsAfter(rpc, token, first.blockNumber, Fiber.join(early))
  })
  const isContract = first.account === "contract"
  const isRead = isContract && !first.native
  const plain = isRead && first.proxy.kind === "none"
  const own = plain ? yield* analyser.findings(first.code) : undefined
  if (own !== undefined) yield* trials.tellFindings(findingsBehind(first.proxy, own))
  const gateSlots = own === undefined ? [] : slotsToRead(own)
  const second = yield* secondWave(
    rpc,
    token,
    first,
    parts.lockers,
    gateSlots,
    own?.proof.asks ?? [],
    own?.proof.votes?.told === true,
    parts.moments ?? drawMoments
  )
  const behind = isRead && !plain ? implementationCode(second) : undefined
  const findings = behind === undefined ? own : yield* analyser.findings(behind)
  const partial = assemble(token, first, second, assembleCode(findings, first, second))
  yield* requirePools(ref, partial)
  const begun = yield* trials.finish(second, partial, yield* Fiber.join(indexed))
  const judged = (state: ReadonlyArray<SlotValue>) =>
    settle(analyser, behind ?? first.code, partial.code, state, {
      others: second.others,
      since: sinceAt(first)
    }).pipe(
      Effect.flatMap((settled) => behindFront(analyser, first.code, first.proxySlots, settled)),
      Effect.flatMap((code) => judgeDraws(rpc, otherHolders(partial, second), first.blockNumber, code))
    )
  const [{ positions, ...tried }, atOnce] = yield* Effect.all(
    [runTrials(parts, { token, first, second, partial, ...begun }), judged(orNull(partial.code.gates) ?? [])],
    { concurrency: 2 }
  )
  const { settling } = tried.holders
  const code = settling !== null && maySettle(atOnce, settling) ? yield* judged(settling) : atOnce
  return { evidence: withTrials({ ...partial, code }, tried, positions), blockNumber: first.blockNumber }
}, Effect.scoped)

const mintOff = (evidence: BaseEvidence): boolean | null =>
  evidence.native === null ? mintAuthorityOff(evidence) : b20MintOff(evidence.native, evidence.shape.supply)

const toScreening = (
  token: TokenRef,
  evidence: BaseEvidence,
  blockNumber: bigint,
  fetchedAt: number
): Screening => ({
  token,
  fetchedAt,
  pairs: evidence.pairs,
  priceUsd: orNull(evidence.price.price),
  liquidityUsd: evidence.liquidityUsd,
  mintAuthorityOff: mintOff(evidence),
  lpLocked: evidence.lp.locked,
  signals: judgeAll(baseSignals, evidence),
  anchor: {
    chain: "base",
    block: blockNumber.toString(),
    codeHash: evidence.code.codeHash,
    implementation: evidence.code.implementation,
    implementationCodeHash: evidence.code.implementationCodeHash
  }
})

/** The plan over given parts. A token of another chain has no pools here. */
export const makeBasePlan = (parts: BasePlanParts): BasePlan["Type"] => ({
  screen: Effect.fn("BasePlan.screen")(function* (token): Effect.fn.Return<Screening, ScreeningError> {
    if (token.chain !== "base") return yield* new UnknownToken({ token })
    const fetchedAt = yield* Clock.currentTimeMillis
    const { evidence, blockNumber } = yield* collectEvidence(parts, token).pipe(
      Effect.catchTag("UpstreamError", unavailable)
    )
    return toScreening(token, evidence, blockNumber, fetchedAt)
  })
})

const toLockers = (
  entries: ReadonlyArray<string>
): Either.Either<ReadonlyArray<Address>, ConfigError.ConfigError> => {
  const wanted = entries.map((entry) => entry.trim()).filter((entry) => entry !== "")
  const wrong = wanted.find((entry) => normalizeEvmAddress(entry) === undefined && !isSolanaAddress(entry))
  if (wrong !== undefined) return invalid("EXTRA_LP_LOCKERS", EXTRA_LOCKERS_FORM)
  return Either.right(wanted.flatMap((entry) => normalizeEvmAddress(entry) ?? []))
}

/** `EXTRA_LP_LOCKERS`: comma-separated LP lockers the operator vouches for; base58 entries are Solana's. */
export const basePlanConfig = Config.all({
  extraLpLockers: Config.array(Config.string(), "EXTRA_LP_LOCKERS").pipe(
    Config.withDefault<ReadonlyArray<string>>([]),
    Config.mapOrFail(toLockers)
  )
})

/** The Base plan over the chain, market data, the bytecode analyser and the trade simulation. */
export const BasePlanLive = Layer.effect(
  BasePlan,
  Effect.gen(function* () {
    const { extraLpLockers } = yield* basePlanConfig
    const index = yield* holderIndexConfig
    const { base } = yield* ChainRpc
    const { pairs } = yield* MarketData
    const analyser = yield* CodeAnalyser
    const keeps = yield* Effect.cachedWithTTL(keepsEmptied(base), "10 minutes")
    const moments = yield* Effect.cachedWithTTL(drawMoments, DRAWN_FOR)
    return BasePlan.of(
      makeBasePlan({
        rpc: base,
        pairs,
        analyser,
        simulate: simulateTrades,
        wallets: tryWallets,
        index,
        lockers: lockerList(extraLpLockers),
        keepsEmptied: keeps,
        moments
      })
    )
  })
)
