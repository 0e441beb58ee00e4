import type { BaseEvidence } from "../evidence.ts"
import { lossBySale } from "../holders/insider-sale.ts"
import type { Address } from "viem"
import { relevantPools } from "../pools/dust.ts"
import type { CodeProof } from "./findings.ts"
import type { Hole } from "./proof/hole.ts"
import type { Limit } from "./proof/limit.ts"

const YEAR = 365 * 86_400
const MILLION = 1_000_000
/** New supply a year up to which a holder is diluted as by a currency, not robbed. */
const MOST_GROWTH = 0.05
/** Share of the pools' money that a year's new supply may take at most: a supply overstated makes its shares large. */
const MOST_LOSS = 0.25

/** Share of the supply that can be created in the year to come; a longer wait counts as if it ended now. */
const inAYear = ({ millionths, seconds }: NonNullable<Hole["growth"]>): number =>
  (millionths / MILLION) * Math.max(1, YEAR / seconds)

/**
 * What can be created in a year, date by date: a date is waited for by whichever function uses it, and one function may
 * have many. `undefined` where something has no bound.
 */
const yearlyByDate = (holes: ReadonlyArray<Hole>): number | undefined => {
  const most = new Map<string, number>()
  for (const { growth } of holes) {
    if (growth === undefined) return undefined
    most.set(growth.date, Math.max(most.get(growth.date) ?? 0, inAYear(growth)))
  }
  return most.size === 0 ? undefined : [...most.values()].reduce((sum, share) => sum + share, 0)
}

/**
 * Share of the supply, 0 to 1, that all functions which create balances can create in a year together, where each is
 * bounded and holders can bear it: a few percent, worth little of the pools' money. `undefined` otherwise.
 */
export const bearableGrowth = (evidence: BaseEvidence, { conservation }: CodeProof): number | undefined => {
  const yearly = yearlyByDate(conservation.holes.filter(({ kind }) => kind === "creates"))
  const { supply } = evidence.shape
  if (yearly === undefined || yearly > MOST_GROWTH || supply === null) return undefined
  const created = (supply * BigInt(Math.ceil(yearly * MILLION))) / BigInt(MILLION)
  const loss = lossBySale(evidence, created)
  return loss !== null && loss < MOST_LOSS ? yearly : undefined
}

/** Where holders sell. */
const marketPlaces = ({ pools }: BaseEvidence): ReadonlyArray<Address> =>
  relevantPools(pools).flatMap(({ address, quoteUsd }) => (quoteUsd > 0 ? [address] : []))

/**
 * A limit that holders can bear: what always passes in one transfer can be sold in parts. A limit on what the recipient
 * holds must never hold for a pool: it is one of purchases, or leaves out every pool that money goes to.
 */
export const isBearable = (evidence: BaseEvidence, { of, from, except }: Limit): boolean => {
  if (of === "amount") return true
  const places = marketPlaces(evidence)
  return from === null ? places.every((place) => except.includes(place)) : places.includes(from)
}

/** Limits that holders can bear, the tightest first: shares of the supply, 0 to 1. */
export const bearableLimits = (
  evidence: BaseEvidence,
  { transferPath }: CodeProof
): ReadonlyArray<{ readonly of: Limit["of"]; readonly share: number }> =>
  transferPath.holes
    .flatMap(({ limit }) => (limit !== undefined && isBearable(evidence, limit) ? [limit] : []))
    .map(({ of, millionths }) => ({ of, share: millionths / MILLION }))
    .toSorted((a, b) => a.share - b.share)
