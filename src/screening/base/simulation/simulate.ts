import { Duration, Effect, Fiber } from "effect"
import type { Address } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Pool } from "../pools/pool.ts"
import type { MeasuredVariant } from "./conclude.ts"
import { conclude } from "./conclude.ts"
import type { SimulationFact } from "./findings.ts"
import type { Holding, HolderTrial } from "./holders.ts"
import { balanceRead, chooseHolders, toHoldings, tryHolders } from "./holders.ts"
import { measure } from "./legs.ts"
import type { ProbeBlock, ProbeSpec } from "./probe-call.ts"
import { buildProbeCall, isMeasurable, sizedTrades } from "./probe-call.ts"
import { decodeAnswer } from "./probe-words.ts"

export interface SimulationInput {
  readonly token: Address
  /** Best first: the first is simulated in every variant, two more in one size and only now. */
  readonly pools: ReadonlyArray<Pool>
  /** Accounts believed to hold the token, once they are known; the first eight with a balance are tried. */
  readonly holders: Effect.Effect<ReadonlyArray<Address>>
  /** What accounts hold, as far as it was asked beside; those of whom it was not are asked about. Absent: all. */
  readonly balances?: Effect.Effect<ReadonlyMap<Address, bigint>>
  /** Who should hold how much of it, before that is known: their transfers are tried ahead. Absent: nobody. */
  readonly foretold?: Effect.Effect<ReadonlyArray<Holding>>
  /** The block the other evidence was read at. */
  readonly blockNumber: bigint
  /** Whether an hour and a week later are tried too: not where wallets lived through more than that. Absent: yes. */
  readonly later?: Effect.Effect<boolean>
  /** Unix seconds of that block; saves one round trip. */
  readonly blockTime?: bigint
}

const timeBudget = Duration.seconds(10)
const times = [0, 3600, 604800] as const

/**
 * Two calls for every time: a contract and a wallet, and a contract that sends its own transaction. Other pools ride
 * along with the calls for now.
 */
const planProbes = Effect.fnUntraced(function* (
  pools: ReadonlyArray<Pool>
): Effect.fn.Return<ReadonlyArray<ProbeSpec>> {
  const [best, ...others] = pools
  if (best === undefined) return []
  const trades = yield* sizedTrades([
    { pool: best, size: "small" },
    { pool: best, size: "large" }
  ])
  const besides = yield* sizedTrades(others.slice(0, 2).map((pool) => ({ pool, size: "small" })))
  return times.flatMap((at): ReadonlyArray<ProbeSpec> => {
    const shared = { at, trades: at === 0 ? [...trades, ...besides] : trades }
    return [
      { senders: ["fresh-origin"], ...shared },
      { senders: ["fresh-contract", "fresh-wallet"], ...shared }
    ]
  })
})

/** What each call answered; null where it did not run. `isElsewhere`: it ran at another time than it was asked for. */
const runOnce = (
  rpc: BaseRpc,
  specs: ReadonlyArray<ProbeSpec>,
  block: ProbeBlock,
  withBlockOverride: boolean
) =>
  Effect.gen(function* () {
    const probes = yield* Effect.forEach(specs, (spec) => buildProbeCall(spec, block, withBlockOverride))
    const results = yield* rpc.callAll(probes.map(({ call }) => call))
    return specs.map((spec, index) => {
      const result = results[index]
      const answer = result?.ok === true ? decodeAnswer(result.data) : null
      return { spec, answer, isElsewhere: answer !== null && answer.time !== probes[index]?.time }
    })
  })

/**
 * Runs the calls as one batch; variants whose overrides the node ignored, or of another block, are left out. A node that
 * begins a block just then runs a trade of now in that one: it is asked once more.
 */
const runProbes = (
  rpc: BaseRpc,
  specs: ReadonlyArray<ProbeSpec>,
  block: ProbeBlock,
  withBlockOverride: boolean
): Effect.Effect<ReadonlyArray<MeasuredVariant>, UpstreamError> =>
  Effect.gen(function* () {
    const first = yield* runOnce(rpc, specs, block, withBlockOverride)
    const missed = first.flatMap(({ isElsewhere, spec }) => (isElsewhere && spec.at === 0 ? [spec] : []))
    const second = missed.length === 0 ? [] : yield* runOnce(rpc, missed, block, withBlockOverride)
    return [...first, ...second].flatMap(({ answer, isElsewhere, spec: { at, senders, trades } }) => {
      if (answer === null || isElsewhere) return []
      return senders.flatMap((sender, group) =>
        trades.flatMap(({ pool, size }, position): ReadonlyArray<MeasuredVariant> => {
          const raw = answer.results[group * trades.length + position]
          const measured = raw === undefined ? null : measure(pool, raw)
          const where = pool.v4?.poolId ?? pool.address
          return measured === null ? [] : [{ pool: where, size, sender, at, ...measured }]
        })
      )
    })
  })

/** Now, with block overrides; without them where the node refuses them. */
const runProbesAnyhow = (rpc: BaseRpc, specs: ReadonlyArray<ProbeSpec>, block: ProbeBlock) =>
  runProbes(rpc, specs, block, true).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "rejected",
      () => runProbes(rpc, specs, block, false)
    )
  )

/** Later, where the node replaces blocks; else nothing can be said about it. */
const runLater = (rpc: BaseRpc, specs: ReadonlyArray<ProbeSpec>, block: ProbeBlock) =>
  runProbes(
    rpc,
    specs.filter(({ at }) => at !== 0),
    block,
    true
  ).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "rejected",
      () => Effect.succeed([])
    )
  )

const NO_BALANCES: ReadonlyMap<Address, bigint> = new Map()

/** What the holders worth trying have, once it is known who they are; with the block's time, which nobody may have told. */
const readHoldings = (rpc: BaseRpc, input: SimulationInput) =>
  Effect.gen(function* () {
    const { blockNumber, blockTime, token } = input
    const chosen = chooseHolders(yield* input.holders, token, input.pools)
    const told = chosen.length === 0 ? NO_BALANCES : yield* input.balances ?? Effect.succeed(NO_BALANCES)
    const known = chosen.flatMap((holder) => {
      const balance = told.get(holder)
      return balance === undefined ? [] : [{ holder, balance }]
    })
    if (known.length === chosen.length && blockTime !== undefined)
      return { blockTime, holdings: known.filter(({ balance }) => balance > 0n) }
    const read = yield* rpc.readAll(
      chosen.map((holder) => balanceRead(token, holder)),
      { blockNumber }
    )
    return { blockTime: read.blockTime, holdings: toHoldings(chosen, read.results) }
  })

/** Transfers tried ahead, of holdings that are foretold. */
interface Ahead {
  readonly holdings: ReadonlyArray<Holding>
  readonly trials: ReadonlyArray<HolderTrial>
}

const NOT_AHEAD: Ahead = { holdings: [], trials: [] }

const tryAhead = (rpc: BaseRpc, input: SimulationInput, pool: Address): Effect.Effect<Ahead> =>
  (input.foretold ?? Effect.succeed([])).pipe(
    Effect.flatMap((holdings) =>
      Effect.map(tryHolders(rpc, input.token, pool, holdings, input.blockNumber), (trials) => ({
        holdings,
        trials
      }))
    ),
    Effect.orElseSucceed(() => NOT_AHEAD)
  )

/** Transfers of those who hold something: of whoever holds exactly what was foretold they were tried ahead. */
const tryHoldings = (
  rpc: BaseRpc,
  { blockNumber, token }: SimulationInput,
  pool: Address,
  holdings: ReadonlyArray<Holding>,
  ahead: Effect.Effect<Ahead>
) =>
  Effect.gen(function* () {
    if (holdings.length === 0) return missing("no holders are known")
    const { holdings: foretold, trials } = yield* ahead
    const trialOf = ({ balance, holder }: Holding) =>
      trials[foretold.findIndex((one) => one.holder === holder && one.balance === balance)]
    const tried = holdings.flatMap((holding) => trialOf(holding) ?? [])
    const rest = holdings.filter((holding) => trialOf(holding) === undefined)
    return known([...tried, ...(yield* tryHolders(rpc, token, pool, rest, blockNumber))])
  }).pipe(Effect.orElseSucceed(() => missing("holders' transfers could not be simulated")))

/**
 * Buys, transfers and sells the token at its pools without sending a transaction, as three kinds of fresh senders, in
 * two sizes, now, in one hour and in seven days, and tries transfers of real holders. Never fails: what could not be
 * run is a missing fact. One wave of requests, and two more from when the holders are known, less those foretold.
 */
export const simulateTrades = Effect.fn("BaseSimulation.simulateTrades")(function* (
  rpc: BaseRpc,
  input: SimulationInput
) {
  const pools = input.pools.filter(isMeasurable)
  const [best] = pools
  if (best === undefined) return missing("no pool to trade in")
  const run = Effect.gen(function* () {
    const { blockTime } = input
    const reading = readHoldings(rpc, input)
    const read = blockTime === undefined ? yield* reading : { blockTime, holdings: null }
    const block = { number: input.blockNumber, time: read.blockTime }
    const specs = yield* planProbes(pools)
    const ahead = yield* Effect.fork(tryAhead(rpc, input, best.address))
    const tryHeld = (holdings: ReadonlyArray<Holding>) =>
      tryHoldings(rpc, input, best.address, holdings, Fiber.join(ahead))
    const later = yield* Effect.fork(
      Effect.flatMap(input.later ?? Effect.succeed(true), (wanted) =>
        Effect.map(wanted ? runLater(rpc, specs, block) : Effect.succeed([]), (variants) => ({
          variants,
          wanted
        }))
      )
    )
    const [now, held] = yield* Effect.all(
      [
        runProbesAnyhow(
          rpc,
          specs.filter(({ at }) => at === 0),
          block
        ),
        read.holdings === null
          ? Effect.flatMap(reading, ({ holdings }) => tryHeld(holdings))
          : tryHeld(read.holdings)
      ],
      { concurrency: "unbounded" }
    )
    const { variants, wanted } = yield* Fiber.join(later)
    return now.length === 0
      ? missing("node does not run trades with replaced state")
      : conclude([...now, ...variants], held, wanted)
  })
  // What is waited for outside is not counted.
  const late = Effect.all([input.holders, input.balances ?? Effect.void]).pipe(
    Effect.zipRight(Effect.sleep(timeBudget)),
    Effect.as(missing("simulation ran out of time"))
  )
  return yield* run.pipe(
    Effect.catchAll((): Effect.Effect<SimulationFact> =>
      Effect.succeed(missing("Base node did not answer the simulation"))
    ),
    Effect.raceFirst(late)
  )
})
