import { Duration, Effect, Fiber } from "effect"
import type { Address } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { missing } from "../../../domain/fact.ts"
import type { Pool } from "../pools/pool.ts"
import type { MeasuredVariant } from "./conclude.ts"
import { conclude } from "./conclude.ts"
import type { SimulationFact } from "./findings.ts"
import { balanceRead, chooseHolders, toHoldings, tryHolders } from "./holders.ts"
import { decodeAnswer, measure } from "./legs.ts"
import type { ProbeBlock, ProbeSpec } from "./probe-call.ts"
import { buildProbeCall, isMeasurable, sizedTrades } from "./probe-call.ts"

export interface SimulationInput {
  readonly token: Address
  /** Best first: the first is simulated in every variant, two more in one size and only now. */
  readonly pools: ReadonlyArray<Pool>
  /** Accounts believed to hold the token; the first eight with a balance are tried. */
  readonly holders: ReadonlyArray<Address>
  /** The block the other evidence was read at. */
  readonly blockNumber: bigint
  /** Whether an hour and a week later are tried too: not where wallets lived through more than that. Absent: yes. */
  readonly later?: Effect.Effect<boolean>
  /** Unix seconds of that block; saves one round trip when there are no holders. */
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

/** Runs the calls as one batch; variants whose overrides the node ignored are left out. */
const runProbes = (
  rpc: BaseRpc,
  specs: ReadonlyArray<ProbeSpec>,
  block: ProbeBlock,
  withBlockOverride: boolean
): Effect.Effect<ReadonlyArray<MeasuredVariant>, UpstreamError> =>
  Effect.gen(function* () {
    const probes = yield* Effect.forEach(specs, (spec) => buildProbeCall(spec, block, withBlockOverride))
    const results = yield* rpc.callAll(probes.map(({ call }) => call))
    return specs.flatMap(({ senders, at, trades }, index) => {
      const result = results[index]
      const answer = result?.ok === true ? decodeAnswer(result.data) : null
      if (answer === null) return []
      if (withBlockOverride && answer.time !== probes[index]?.time) return []
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

/**
 * Buys, transfers and sells the token at its pools without sending a transaction, as three kinds of fresh senders, in
 * two sizes, now, in one hour and in seven days, and tries transfers of real holders. Never fails: what could not be
 * run is a missing fact. At most two waves of requests.
 */
export const simulateTrades = Effect.fn("BaseSimulation.simulateTrades")(function* (
  rpc: BaseRpc,
  input: SimulationInput
) {
  const pools = input.pools.filter(isMeasurable)
  const [best] = pools
  if (best === undefined) return missing("no pool to trade in")
  const run = Effect.gen(function* () {
    const holders = chooseHolders(input.holders, input.token, input.pools)
    const needsRead = holders.length > 0 || input.blockTime === undefined
    const first = needsRead
      ? yield* rpc.readAll(
          holders.map((holder) => balanceRead(input.token, holder)),
          { blockNumber: input.blockNumber }
        )
      : { blockTime: input.blockTime, results: [] }
    const block = { number: input.blockNumber, time: first.blockTime }
    const specs = yield* planProbes(pools)
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
        tryHolders(
          rpc,
          input.token,
          best.address,
          toHoldings(holders, first.results),
          input.blockNumber
        ).pipe(Effect.orElseSucceed(() => missing("holders' transfers could not be simulated")))
      ],
      { concurrency: "unbounded" }
    )
    const { variants, wanted } = yield* Fiber.join(later)
    return now.length === 0
      ? missing("node does not run trades with replaced state")
      : conclude([...now, ...variants], held, wanted)
  })
  return yield* run.pipe(
    Effect.catchAll(() => Effect.succeed(missing("Base node did not answer the simulation"))),
    Effect.timeoutTo({
      duration: timeBudget,
      onSuccess: (fact): SimulationFact => fact,
      onTimeout: () => missing("simulation ran out of time")
    })
  )
})
