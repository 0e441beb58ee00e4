/** Turns of all contenders, one after another, over and over: what else runs on the machine disturbs all alike. */
import type { Case, Shop } from "./cases.ts"
import type { Contender, Name } from "./contenders.ts"
import { load, openConnections, quantile } from "./load.ts"

/** What one contender took for one case. */
export interface Figures {
  readonly name: Name
  readonly requests: number
  readonly cpuMillis: number
  readonly perSecond: number
  readonly p50Millis: number
  readonly p99Millis: number
  readonly peakMegabytes: number
  /** Its CPU per request over ours. */
  readonly ratio: number
  /** Answers with another status than they must have. */
  readonly refused: number
}

/**
 * What a rival may refuse of a turn. On a slow machine one of some thousand payments was, and it took the figures of all
 * with it. Ours may refuse none.
 */
const MOST_REFUSED = 0.02

interface Turn {
  readonly micros: number
  readonly seconds: number
  readonly peak: number
  readonly millis: ReadonlyArray<number>
  readonly refused: number
}

interface Sum {
  requests: number
  refused: number
  micros: number
  seconds: number
  peak: number
  readonly millis: Array<number>
}

/** One contender's turn: so many requests, and what they took of its processes. */
export const turn = async (one: Case, shop: Shop, contender: Contender, count: number): Promise<Turn> => {
  const asked = await one.make(shop, contender, count)
  const agent = openConnections(one.connections)
  if (one.isOpen) await load(agent, asked.slice(0, one.connections), one.connections)
  const before = await contender.usage()
  const { millis, seconds, statuses } = await load(agent, asked, one.connections)
  const after = await contender.usage()
  agent.destroy()
  const others = [...statuses].filter(([status]) => status !== one.status)
  const refused = others.reduce((sum, [, { count: of }]) => sum + of, 0)
  if (refused > (contender.name === "token-risk" ? 0 : MOST_REFUSED * count)) {
    const said = others.map(([status, answer]) => `${answer.count} x ${status} ${answer.said}`).join(", ")
    throw new Error(`${contender.name}, ${one.id}: ${said}\n${contender.output()}`)
  }
  return {
    refused,
    micros: after.cpuMicros - before.cpuMicros,
    seconds,
    peak: after.rssBytes,
    millis
  }
}

const add = (sum: Sum, { micros, millis, peak, refused, seconds }: Turn): void => {
  sum.requests += millis.length
  sum.refused += refused
  sum.micros += micros
  sum.seconds += seconds
  sum.peak = Math.max(sum.peak, peak)
  sum.millis.push(...millis)
}

/**
 * A turn of ours has to come off. One of a rival's is taken again, with new payments: where one transaction of its fails,
 * those that wait behind it fail too, which is no figure of anything.
 */
const turnOf = async (one: Case, shop: Shop, contender: Contender, count: number): Promise<Turn> => {
  const first = turn(one, shop, contender, count)
  return contender.name === "token-risk" ? first : first.catch(() => turn(one, shop, contender, count))
}

/** The first turns of each are for the compiler and are not counted. */
export const measure = async (
  one: Case,
  shop: Shop,
  all: ReadonlyArray<Contender>,
  options: { readonly rounds: number; readonly quick: boolean }
): Promise<ReadonlyArray<Figures>> => {
  const contenders = all.filter(({ name }) => one.contenders.includes(name))
  const sums = contenders.map((): Sum => ({
    requests: 0,
    refused: 0,
    micros: 0,
    seconds: 0,
    peak: 0,
    millis: []
  }))
  const form = options.quick ? 1 : 0
  const count = one.requests[form]
  const turns = Math.max(1, Math.ceil(one.warmUp[form] / count))
  for (let round = -turns; round < options.rounds; round++)
    for (const [at, contender] of contenders.entries()) {
      const sum = sums[at]
      const taken = await turnOf(one, shop, contender, count)
      if (sum !== undefined && round >= 0) add(sum, taken)
    }
  const cpuOf = (sum: Sum | undefined) =>
    sum === undefined ? Number.NaN : sum.micros / 1_000 / Math.max(1, sum.requests)
  const ours = cpuOf(sums[contenders.findIndex(({ name }) => name === "token-risk")])
  return sums.map((sum, at) => ({
    name: contenders[at]?.name ?? "node",
    requests: sum.requests,
    cpuMillis: cpuOf(sum),
    perSecond: sum.requests / sum.seconds,
    p50Millis: quantile(sum.millis, 0.5),
    p99Millis: quantile(sum.millis, 0.99),
    peakMegabytes: sum.peak / 1_048_576,
    ratio: cpuOf(sum) / ours,
    refused: sum.refused
  }))
}
