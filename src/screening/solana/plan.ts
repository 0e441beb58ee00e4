import { Config, type ConfigError, Effect, Either, Layer } from "effect"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { makeSolanaHistory } from "../../chain/solana-history.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import { ScreeningUnavailable, UnknownToken } from "../../domain/errors.ts"
import { orNull } from "../../domain/fact.ts"
import type { Screening } from "../../domain/screening.ts"
import type { TokenRef } from "../../domain/token.ts"
import type { MarketPair } from "../../market/market-data.ts"
import { MarketData } from "../../market/market-data.ts"
import type { ScreeningError } from "../screener.ts"
import { SolanaPlan } from "../screener.ts"
import { judgeAll } from "../signal-table.ts"
import { TRUSTED_QUOTES } from "./addresses.ts"
import { assemble } from "./assemble.ts"
import { saidOld } from "./pools/seasoned.ts"
import type { Collected } from "./reads/collect.ts"
import { collect } from "./reads/collect.ts"
import { makePast } from "./reads/past.ts"
import type { SolanaEvidence } from "./evidence.ts"
import { exitPrices } from "./power/exit-prices.ts"
import { payersConfig, payersOf } from "./simulation/payers.ts"
import { makeProven } from "./simulation/proven.ts"
import type { Upstreams } from "./reads/reads.ts"
import { makeSolPairs } from "./reads/sol-pairs.ts"
import { solanaSignals } from "./signals/index.ts"
import { EXTRA_LOCKERS_FORM } from "../extra-lockers.ts"
import { commaList } from "../../domain/comma-list.ts"
import { invalid } from "../../domain/settings.ts"

/** Every locker costs account reads for each pool. */
const MAX_EXTRA_LOCKERS = 64

const parseLockers = (text: string): Either.Either<ReadonlyArray<SolanaAddress>, ConfigError.ConfigError> => {
  // 0x… entries are Base's.
  const ours = commaList(text).filter((entry) => !entry.startsWith("0x"))
  const lockers = ours.filter(isSolanaAddress)
  const refuse = (why: string) => invalid("EXTRA_LP_LOCKERS", why)
  if (lockers.length < ours.length) return refuse(EXTRA_LOCKERS_FORM)
  return lockers.length > MAX_EXTRA_LOCKERS
    ? refuse(`takes at most ${MAX_EXTRA_LOCKERS} Solana addresses`)
    : Either.right(lockers)
}

/**
 * `EXTRA_LP_LOCKERS`: the base58 entries are owners whose LP tokens the operator counts as locked on Solana.
 * `SOLANA_SIMULATION_PAYERS`: whose means simulated trades use.
 */
export const solanaPlanConfig = Config.all({
  payers: payersConfig,
  extraLockers: Config.string("EXTRA_LP_LOCKERS").pipe(Config.withDefault(""), Config.mapOrFail(parseLockers))
})

/** Nowhere is a pool of it listed: nothing to screen, whatever the account is. */
const isUnknownToken = (evidence: SolanaEvidence): boolean => evidence.pairs === 0

/** Fails where no honest report exists; the first source that is missing is named. */
const refuse = (token: TokenRef, evidence: SolanaEvidence): Effect.Effect<void, ScreeningError> => {
  if (!isUnknownToken(evidence)) return Effect.void
  if (!evidence.market.known) return new ScreeningUnavailable({ upstream: "dexscreener" })
  return evidence.rugCheck.known
    ? new UnknownToken({ token })
    : new ScreeningUnavailable({ upstream: "rugcheck" })
}

const cents = (amount: number): number => Math.round(amount * 100) / 100

const toScreening = (token: TokenRef, evidence: SolanaEvidence): Screening => ({
  token,
  fetchedAt: evidence.fetchedAt,
  pairs: evidence.pairs,
  priceUsd: orNull(evidence.price.usd),
  liquidityUsd: cents(evidence.pools.reduce((sum, { liquidityUsd }) => sum + (liquidityUsd ?? 0), 0)),
  mintAuthorityOff: evidence.reading.kind === "mint" ? evidence.reading.mint.mintAuthority === null : null,
  lpLocked: evidence.lp.locked,
  exits: exitPrices(evidence),
  signals: judgeAll(solanaSignals, evidence),
  anchor: { chain: "solana", slot: evidence.slot.toString(), accountHash: evidence.accountHash }
})

/** What the evidence weighs, signal by signal. */
const weights = (evidence: SolanaEvidence): string =>
  judgeAll(solanaSignals, evidence)
    .map(({ critical, points, state }) => `${state} ${points} ${critical}`)
    .join()

/**
 * The evidence with what its pools held a month ago, where that decides anything: few tokens' liquidity is neither locked
 * nor one party's, and the past costs calls of its own.
 */
const withAges = (evidence: SolanaEvidence, { seasoned }: Collected): Effect.Effect<SolanaEvidence> => {
  const old = saidOld(evidence)
  if (old.month.size === 0) return Effect.succeed(evidence)
  return weights(evidence) === weights({ ...evidence, seasoned: old })
    ? Effect.succeed(evidence)
    : Effect.map(seasoned, (found) => ({ ...evidence, seasoned: found }))
}

/**
 * A token's own market, and not another coin's that is quoted in it: many are launched against a token that everybody knows.
 * A pool against what is trusted is the token's, whichever side it stands on.
 */
const isItsMarket = ({ isInverted, quoteAddress }: MarketPair): boolean =>
  isInverted !== true || TRUSTED_QUOTES.has(quoteAddress ?? "")

/**
 * Screens Solana mints. Fails with `UnknownToken` where no pool exists anywhere and every place answered, and with
 * `ScreeningUnavailable` where the node is down or nothing at all could be learned.
 */
export const SolanaPlanLive = Layer.effect(
  SolanaPlan,
  Effect.gen(function* () {
    const { extraLockers, payers } = yield* solanaPlanConfig
    const { solana: rpc } = yield* ChainRpc
    const market = yield* MarketData
    const solPairs = yield* makeSolPairs(market)
    const upstreams: Upstreams = {
      rpc,
      pairs: (mint) =>
        Effect.map(market.pairs({ chain: "solana", address: mint }), (pairs) => pairs.filter(isItsMarket)),
      rugReport: market.rugReport,
      solPairs,
      extraLockers,
      payers: payersOf(payers),
      proven: yield* makeProven,
      past: yield* makePast(makeSolanaHistory(rpc.together))
    }
    const screen = Effect.fn("SolanaPlan.screen")(function* (token: TokenRef) {
      if (token.chain !== "solana")
        return yield* Effect.dieMessage("SolanaPlan was given a token of another chain")
      const collected = yield* collect(upstreams, token.address)
      const evidence = yield* withAges(assemble(collected.reads, token.address), collected)
      yield* refuse(token, evidence)
      return toScreening(token, evidence)
    }, Effect.scoped)
    return SolanaPlan.of({ screen })
  })
)
