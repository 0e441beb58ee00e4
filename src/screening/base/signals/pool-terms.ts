import { zeroAddress } from "viem"
import type { Judgement, Signal } from "../../../domain/signal.ts"
import { critical, fail, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import { isNobody } from "../addresses.ts"
import type { BaseEvidence, PoolEvidence } from "../evidence.ts"
import { relevantPools } from "../pools/dust.ts"
import { hookInPool, unreadHook } from "../pools/hook/findings.ts"
import { DOPPLER_INITIALIZER_ROW } from "../pools/registry/launchpads.ts"
import { CLANKER_HOOKS, hookTrust } from "../pools/v4.ts"
import { quoteSideUsd } from "./liquidity.ts"

/** From here on what a pool or its hook takes is all there is; up to the other it is a usual fee. */
const CONFISCATING_BPS = 5000
const USUAL_BPS = 500

/** What it does to a swap another contract says. */
const ASKING_HOOK = DOPPLER_INITIALIZER_ROW.address
/** Launchpads' hooks that keep of a swap more than the pool tells. */
const TAKING_HOOKS = new Set([...CLANKER_HOOKS, ASKING_HOOK])

interface HookRisk {
  readonly text: string
  readonly points: number
  readonly hard?: boolean
}

const percentOf = (bps: number): string => `${Math.round(bps / 10) / 10} %`
/** What is taken is known beforehand: it warns, and alone it does not condemn. */
const feePoints = (bps: number): number => Math.min(40, Math.round(bps / 60))

const pricedPools = ({ pools }: BaseEvidence): ReadonlyArray<PoolEvidence> =>
  relevantPools(pools).filter(({ quoteUsd }) => quoteUsd > 0)

/** The most that a pool's hook kept of trades, now and later; null where none passed both ways now and was measured. */
const measured = ({ simulation }: BaseEvidence, poolId: string): number | null => {
  const trades = simulation.known ? simulation.value.variants.filter(({ pool }) => pool === poolId) : []
  return trades.some(({ at, legs }) => at === 0 && legs.sell === "ok" && legs.hookTaxBps !== null)
    ? Math.max(...trades.map(({ legs }) => legs.hookTaxBps ?? 0))
    : null
}

/**
 * Doppler's initializer as a hook does what another contract says of a swap, which the launch's timelock names among those
 * that the launchpad allows: one of them keeps any share.
 */
const riskOfRuler = ({ hookRuler }: BaseEvidence): HookRisk | { readonly open: string } | null => {
  if (hookRuler === null) return { open: "Who may change what a pool's hook takes is not known." }
  return isNobody(hookRuler)
    ? null
    : { text: "An account may have a pool's hook keep any share of a swap.", points: 40 }
}

/** What is wrong with one pool's hook; `open`: nothing is known to be, but not everything is known. */
const riskOf = (
  evidence: BaseEvidence,
  { kind, quote, v4 }: PoolEvidence
): HookRisk | { readonly open: string } | null => {
  if (v4 === undefined || kind !== "v4") return null
  const trust = hookTrust(v4.hooks)
  if (v4.hooks === ASKING_HOOK) return riskOfRuler(evidence)
  const isDynamic = v4.dynamicFee === true
  // A fixed fee and no part in swaps leave a hook nothing to do to a trader.
  if (trust === "none" || trust === "known" || (trust === "harmless" && !isDynamic)) return null
  const taken = measured(evidence, v4.poolId)
  if (taken !== null && taken >= CONFISCATING_BPS)
    return { text: `A pool's hook takes ${percentOf(taken)} of a swap.`, points: 70, hard: true }
  const { doubts, feePips, takesBps } = hookInPool(
    v4.hooks,
    evidence.hooks.get(v4.hooks) ?? unreadHook("could not be read"),
    { dynamicFee: isDynamic, native: quote === zeroAddress },
    evidence.blockTime
  )
  const found = doubts.find((doubt) => doubt.kind === "power")
  if (found !== undefined) return { text: `A pool's hook ${found.why}.`, points: 40 }
  const [first] = doubts
  if (first !== undefined) return { open: `A pool's hook ${first.why}.` }
  if (taken === null) return { open: "What a pool's hook keeps could not be measured by buying and selling." }
  const most = takesBps + (feePips ?? 0) / 100
  return most > USUAL_BPS
    ? { text: `A pool's hook may take ${percentOf(most)} of a swap.`, points: feePoints(most) }
    : null
}

const judgeHook = (evidence: BaseEvidence): Judgement => {
  const doubts = pricedPools(evidence).flatMap((pool) => riskOf(evidence, pool) ?? [])
  const [worst] = doubts
    .filter((doubt) => "text" in doubt)
    .toSorted((a, b) => Number(b.hard ?? false) - Number(a.hard ?? false) || b.points - a.points)
  if (worst !== undefined) return fail(worst.text, { points: worst.points, hard: worst.hard ?? false })
  const open = doubts.find((doubt) => "open" in doubt)
  return open === undefined
    ? pass("No hook of a pool that money goes to can keep swaps from paying what they should.")
    : unknown(open.open)
}

/**
 * Basis points of a swap that a pool keeps. Clanker's hooks set one fee for purchases and another for sales, up to 30 % each
 * and a fifth on top, and the pool tells the one of the last swap; what Doppler's initializer asks takes a share besides. The
 * rest is what every trade showed to be taken beyond the fee that is told. Null where no trade showed it.
 * Source: clanker-devco/v4-contracts, `ClankerHookV2` and `ClankerHookStaticFeeV2`.
 */
const costOf = ({ simulation }: BaseEvidence, { feePips, feeUnread, v4 }: PoolEvidence): number | null => {
  if (feeUnread === true) return null
  const told = feePips / 100
  if (v4 === undefined || !TAKING_HOOKS.has(v4.hooks)) return told
  const trades = simulation.known ? simulation.value.variants : []
  const taken = trades
    .filter(({ legs, pool }) => pool === v4.poolId && legs.sell === "ok")
    .flatMap(({ legs }) => legs.hookTaxBps ?? [])
  return taken.length === 0 ? null : told + Math.min(...taken)
}

/** A swap's fee where most of the money is; a dear side pool is left alone by whoever trades. */
const judgeFee = (evidence: BaseEvidence): Judgement => {
  const money = quoteSideUsd(evidence)
  const costs = pricedPools(evidence).map((pool) => ({ ...pool, cost: costOf(evidence, pool) }))
  const dear = costs.flatMap(({ cost, ...pool }) =>
    cost !== null && cost > USUAL_BPS ? [{ ...pool, cost }] : []
  )
  const unread = costs.filter(({ cost }) => cost === null)
  const shareOf = (pools: ReadonlyArray<PoolEvidence>): number =>
    pools.reduce((sum, { quoteUsd }) => sum + quoteUsd, 0) / (money === 0 ? 1 : money)
  const share = shareOf(dear)
  if (share < 0.5)
    return shareOf([...dear, ...unread]) < 0.5
      ? pass("The pools where most of the money is take a usual fee.")
      : unknown("The fee of pools where much of the money is could not be read.")
  const bps = Math.min(...dear.map(({ cost }) => cost))
  const text = `Pools with ${Math.round(share * 100)} % of the money keep ${percentOf(bps)} of a swap and more.`
  // A launchpad's fee of the first minutes falls by itself.
  const isPassing = dear.every(({ v4 }) => v4 !== undefined && hookTrust(v4.hooks) === "known")
  return bps >= CONFISCATING_BPS && !isPassing
    ? fail(text, { points: 70, hard: true })
    : fail(text, { points: feePoints(bps) })
}

const signal = signalFrom<BaseEvidence>("base-rpc")

/** On which terms the pools themselves trade, whatever the token does. */
export const poolTermSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  signal("UNKNOWN_HOOK", critical(40, 36, "hook"), {
    reads:
      "hooks of v4 pools but those with the last twentieth of the money: permissions, every path of their code, and what trades both ways, now and later, pay",
    judge: judgeHook
  }),
  signal("POOL_FEE", critical(70, 0, "hook"), {
    reads:
      "the fee of a swap in the pools with at least half of the money; of Clanker's and Doppler's what trades show beyond it",
    judge: judgeFee
  })
]
