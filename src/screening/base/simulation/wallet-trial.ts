import { Effect, Random, Schema } from "effect"
import type { Hex } from "viem"
import { numberToHex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { Bytes } from "../../../chain/evm-wire.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Pool } from "../pools/pool.ts"
import { taxBps } from "./legs.ts"
import { type Dice, makeDice } from "./dice.ts"
import { SPENDERS } from "./spenders.ts"
import type { ActBlock } from "./wallet-plan.ts"
import { hasRouter } from "./wallet-plan.ts"
import type { Holdings } from "./wallet-story.ts"
import { castOf, count, crumbsOf, purchases, story } from "./wallet-story.ts"
import { blocksOf, overridesOf } from "./wallet-world.ts"

/** How one sale of the story ended. */
export interface Sale {
  readonly name: string
  readonly sold: boolean
  /** Basis points of what the pool's own formula pays that did not arrive; null where there is no formula to compare. */
  readonly taxBps: number | null
}

/** What wallets lived through between their purchase and a month and a half later. */
export interface WalletFindings {
  /** All amounts, accounts, gas and times follow from it. */
  readonly seed: string
  /** The wallet's and its friend's sales, in order of time. */
  readonly sales: ReadonlyArray<Sale>
  /** The sale of somebody who bought a twentieth of the pool; null where such a purchase is refused. */
  readonly whale: Sale | null
  /** A sale through Permit2 and the Universal Router; null where that router is not there or does not trade here. */
  readonly permit2: Sale | null
  /** Sales in lesser pools. */
  readonly others: ReadonlyArray<Sale>
  /** Routers and aggregators that the token does not let move a wallet's tokens. */
  readonly refused: number
}
export type WalletFact = Fact<WalletFindings>

const TIMEOUT = "6 seconds"
interface Outcome {
  readonly ok: boolean
  readonly data: Hex
  /** It left some event. */
  readonly told: boolean
}
type Outcomes = ReadonlyMap<string, Outcome>

interface Start {
  readonly blockNumber: bigint
  readonly blockTime: bigint
}

/** What one transaction of a simulated block came to, as viem hands on what the node said. */
interface Call {
  readonly status: string
  readonly data: unknown
  readonly logs?: ReadonlyArray<unknown> | undefined
}

const isBytes = Schema.is(Bytes)

/** Undefined where the node did not tell what a transaction answered, or of one that passed not which events it left. */
const outcomeOf = ({ data, logs, status }: Call): Outcome | undefined => {
  const ok = status === "success"
  return !isBytes(data) || (ok && logs === undefined)
    ? undefined
    : { ok, data, told: (logs ?? []).length > 0 }
}

/** By the tags of the acts. Null where the node answered for fewer transactions: that does not show that the others passed. */
const outcomesOf = (
  blocks: ReadonlyArray<ActBlock>,
  results: ReadonlyArray<{ readonly calls: ReadonlyArray<Call> }>
): Outcomes | null => {
  if (blocks.some(({ acts }, at) => results[at]?.calls.length !== acts.length)) return null
  const outcomes = results.map(({ calls }) => calls.map(outcomeOf))
  if (outcomes.flat().includes(undefined)) return null
  return new Map(
    blocks.flatMap(({ acts }, at) =>
      acts.flatMap(({ tag }, index) => {
        const outcome = outcomes[at]?.[index]
        return tag === undefined || outcome === undefined ? [] : [[tag, outcome] as const]
      })
    )
  )
}

const simulate = (
  rpc: BaseRpc,
  dice: Dice,
  { blockNumber, blockTime }: Start,
  acts: ReadonlyArray<ActBlock>,
  overrides: ReturnType<typeof overridesOf>
): Effect.Effect<Outcomes | null> =>
  Effect.tryPromise(() =>
    rpc.client.simulateBlocks({ blocks: blocksOf(dice, blockTime, acts, overrides), blockNumber })
  ).pipe(
    Effect.timeout(TIMEOUT),
    Effect.map((results) => outcomesOf(acts, results)),
    Effect.catchAll(() => Effect.succeed(null))
  )

/** A word of what a call answered; undefined where it failed or answered less. */
const wordOf = (outcomes: Outcomes, tag: string, word = 0): bigint | undefined => {
  const outcome = outcomes.get(tag)
  const text = outcome?.data.slice(2 + 64 * word, 66 + 64 * word) ?? ""
  return outcome?.ok === true && text.length === 64 ? BigInt(`0x${text}`) : undefined
}

/** What a constant-product pool pays for an amount; undefined where its reserves were not answered. */
const expectedOut = (pool: Pool, outcomes: Outcomes, tag: string, amount: bigint): bigint | undefined => {
  const [first, second] = [wordOf(outcomes, `${tag} reserves`), wordOf(outcomes, `${tag} reserves`, 1)]
  if (first === undefined || second === undefined) return undefined
  const [token, quote] = BigInt(pool.token) < BigInt(pool.quote) ? [first, second] : [second, first]
  const kept = amount * (1_000_000n - BigInt(pool.feePips))
  return token === 0n ? 0n : (kept * quote) / (token * 1_000_000n + kept)
}

/** What a seller has more after a sale; undefined where either look at it was not answered. */
const paidFor = (outcomes: Outcomes, tag: string): bigint | undefined => {
  const [before, after] = [wordOf(outcomes, `${tag} before`), wordOf(outcomes, `${tag} after`)]
  return before === undefined || after === undefined ? undefined : after - before
}

const lost = (name: string): Sale => ({ name, sold: false, taxBps: null })

/** A sale counts by what arrived for it: where a look that tells so was not answered, it is lost. */
const saleOf = (pool: Pool, outcomes: Outcomes, tag: string, amount: bigint): Sale => {
  const paid = paidFor(outcomes, tag)
  // A call to an account without code passes and pays nothing. Of ether, the fees of the sale go off, some cents: a pool
  // in which a sale does not earn them is none that anybody gets out of.
  if (outcomes.get(tag)?.ok !== true || paid === undefined || paid <= 0n) return lost(tag)
  const isProduct = pool.kind === "v2" || (pool.kind === "aerodrome-v2" && pool.stable !== true)
  if (!isProduct) return { name: tag, sold: true, taxBps: null }
  const expected = expectedOut(pool, outcomes, tag, amount)
  return expected === undefined ? lost(tag) : { name: tag, sold: true, taxBps: taxBps(expected, paid) }
}

/** The amount a sale of the story offers, read back from its own call. */
const amountsOf = (blocks: ReadonlyArray<ActBlock>): ReadonlyMap<string, bigint> =>
  new Map(
    blocks.flatMap(({ acts }) =>
      acts.flatMap(({ tag, data }): ReadonlyArray<readonly [string, bigint]> =>
        tag?.startsWith("sell ") === true && data.length > 74
          ? [[tag, BigInt(`0x${data.slice(10, 74)}`)]]
          : []
      )
    )
  )

/** A refused sale counts as such. Where nothing was paid and no event was left, no router is there, and nothing was tried. */
const permit2Sale = (pool: Pool, outcomes: Outcomes, amount: bigint): Sale | null => {
  const tag = "sell permit2"
  const outcome = outcomes.get(tag)
  if (outcome === undefined) return null
  const isNoRouter = outcome.ok && !outcome.told && paidFor(outcomes, tag) === 0n
  return isNoRouter ? null : saleOf(pool, outcomes, tag, amount)
}

/** The transaction passed and left an event: there is a router, and it traded. */
const hasTraded = (outcomes: Outcomes, tag: string): boolean => {
  const outcome = outcomes.get(tag)
  return outcome?.ok === true && outcome.told
}

/** A launch's cooldown lasts seconds; a sale refused later than this is refused for good. */
export const EARLY_SALES: ReadonlySet<string> = new Set(["sell soon", "sell second"])

const WALLET_SALES = ["sell soon", "sell second", "sell minutes", "sell hours", "sell month"] as const

/** An answer of `transferFrom` that is no refusal: `true`, or none at all, as of older tokens and of Permit2. */
const isMoved = ({ data, ok }: Outcome): boolean =>
  ok && (data === "0x" || (data.length >= 66 && BigInt(data.slice(0, 66)) === 1n))

const isRefused = (outcomes: Outcomes, tag: string): boolean => {
  const outcome = outcomes.get(tag)
  return outcome === undefined || !isMoved(outcome)
}

/** What was lived through: the purchases alone, and the whole story after them. */
interface Lived {
  readonly opening: Outcomes
  readonly held: Holdings
  readonly blocks: ReadonlyArray<ActBlock>
  readonly outcomes: Outcomes
}

const findingsOf = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  { blocks, held, opening, outcomes }: Lived
): WalletFact => {
  const [best, ...rest] = pools
  if (best === undefined) return missing("there is no pool to trade in")
  const amounts = amountsOf(blocks)
  const sale = (pool: Pool, tag: string) => saleOf(pool, outcomes, tag, amounts.get(tag) ?? 0n)
  // What was bought and is not there, or is not told, cannot be sold.
  const saleOfHeld = (pool: Pool, tag: string, amount: bigint) => (amount > 0n ? sale(pool, tag) : lost(tag))
  return known({
    seed: dice.seed,
    sales: WALLET_SALES.map((tag) => sale(best, tag)),
    whale: opening.get("buy whale")?.ok === false ? null : saleOfHeld(best, "sell whale", held.whale),
    permit2: permit2Sale(best, outcomes, crumbsOf(held)),
    others: rest.flatMap((pool, index) => {
      const amount = held.others[index] ?? 0n
      return amount > 0n || hasTraded(opening, `buy other ${index}`)
        ? [saleOfHeld(pool, `sell other ${index}`, amount)]
        : []
    }),
    refused: SPENDERS.filter((spender) => isRefused(outcomes, `pull ${spender}`)).length
  })
}

/** Pools with less than this share of the best one's money are not where anybody's order goes. */
const RELEVANT = 0.05

/**
 * Lives through a wallet's trades in simulated blocks (`eth_simulateV1`): real transactions of code-less accounts with
 * uneven purses through the pools' own routers. Two round trips; never fails. Missing where the node does not simulate
 * blocks, where the pool's router is not known or not there, or where nobody can buy, which is judged elsewhere.
 */
export const tryWallets = Effect.fn("BaseSimulation.tryWallets")(function* (
  rpc: BaseRpc,
  all: ReadonlyArray<Pool>,
  start: Start
): Effect.fn.Return<WalletFact> {
  const tradable = all.filter(hasRouter)
  const [first] = tradable
  const relevant = tradable.filter(
    ({ quoteUsd }, index) => index === 0 || quoteUsd >= (first?.quoteUsd ?? 0) * RELEVANT
  )
  const pools = relevant.slice(0, 4)
  if (first === undefined) return missing("no pool has a router that wallets use")
  const seed = numberToHex(yield* Random.nextIntBetween(1, 2 ** 31 - 1), { size: 4 })
  const dice = makeDice(seed)
  const cast = castOf(dice, pools)
  const overrides = overridesOf(dice, pools, cast)
  const opening = yield* simulate(
    rpc,
    dice,
    start,
    [...purchases(dice, pools, cast), count(pools, cast)],
    overrides
  )
  if (opening === null) return missing("the node does not simulate blocks")
  const held: Holdings = {
    wallet: wordOf(opening, "held wallet") ?? 0n,
    whale: wordOf(opening, "held whale") ?? 0n,
    others: pools.slice(1).map((_, index) => wordOf(opening, `held other ${index}`) ?? 0n)
  }
  if (held.wallet === 0n) return missing("a wallet could not buy through the pool's router")
  const blocks = story(dice, pools, cast, held)
  const outcomes = yield* simulate(rpc, dice, start, blocks, overrides)
  return outcomes === null
    ? missing("the node did not finish the simulated blocks")
    : findingsOf(dice, pools, { opening, held, blocks, outcomes })
})
