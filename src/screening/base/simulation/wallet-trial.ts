import { Effect, Fiber, Option } from "effect"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Pool } from "../pools/pool.ts"
import { foretellHoldings, isSame } from "./foretold-purchases.ts"
import { taxBps } from "./legs.ts"
import { type Dice, makeDice, randomDigits } from "./dice.ts"
import { SPENDERS } from "./spenders.ts"
import { type Outcome, type Outcomes, simulateActs, wordOf } from "./wallet-outcomes.ts"
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

/** Where and when the story begins. */
export interface Start {
  readonly blockNumber: bigint
  readonly blockTime: bigint
  /** Purchases are known to bring less than a pool pays, so that nothing is foretold of them. Absent: no. */
  readonly isTaxed?: Effect.Effect<boolean>
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

/** Where a story is lived: its people, their purses and their pools. */
interface Stage {
  readonly dice: Dice
  readonly cast: ReturnType<typeof castOf>
  readonly pools: ReadonlyArray<Pool>
  readonly start: Start
  readonly overrides: ReturnType<typeof overridesOf>
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

/** As many seeds as nobody can make a list of: a token could be told the wallets of each on it. */
const SEED_BYTES = 16

/** Pools with less than this share of the best one's money are not where anybody's order goes. */
const RELEVANT = 0.05

const simulate = (rpc: BaseRpc, { dice, overrides, start }: Stage, acts: ReadonlyArray<ActBlock>) =>
  simulateActs(rpc, start.blockNumber, acts, blocksOf(dice, start.blockTime, acts, overrides))

/** What a story tells whose purchases bring so much, and what came of it; null where the node did not finish it. */
const live = (
  rpc: BaseRpc,
  stage: Stage,
  held: Holdings
): Effect.Effect<Pick<Lived, "blocks" | "held" | "outcomes"> | null> => {
  const blocks = story(stage.dice, stage.pools, stage.cast, held)
  return Effect.map(simulate(rpc, stage, blocks), (outcomes) =>
    outcomes === null ? null : { held, blocks, outcomes }
  )
}

/** The story lived on what its purchases should bring, before it is known what they do; none where that is not foretold. */
const liveAhead = (rpc: BaseRpc, stage: Stage, held: Holdings | null) =>
  held === null
    ? Effect.succeedNone
    : Effect.flatMap(stage.start.isTaxed ?? Effect.succeed(false), (isTaxed) =>
        isTaxed ? Effect.succeedNone : Effect.asSome(live(rpc, stage, held))
      )

/**
 * Lives through a wallet's trades in simulated blocks (`eth_simulateV1`): real transactions of code-less accounts with
 * uneven purses through the pools' own routers. One round trip where the purchases bring what was foretold, else two; never
 * fails. Missing where the node does not simulate blocks, where the pool's router is not known or not there, or where
 * nobody can buy, which is judged elsewhere.
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
  const dice = makeDice(`0x${yield* randomDigits(SEED_BYTES)}`)
  const cast = castOf(dice, pools)
  const stage: Stage = { dice, cast, pools, start, overrides: overridesOf(dice, pools, cast) }
  const foretold = foretellHoldings(dice, pools)
  const ahead = yield* Effect.fork(liveAhead(rpc, stage, foretold))
  const opening = yield* simulate(rpc, stage, [...purchases(dice, pools, cast), count(pools, cast)])
  if (opening === null) return missing("the node does not simulate blocks")
  const held: Holdings = {
    wallet: wordOf(opening, "held wallet") ?? 0n,
    whale: wordOf(opening, "held whale") ?? 0n,
    others: pools.slice(1).map((_, index) => wordOf(opening, `held other ${index}`) ?? 0n)
  }
  if (held.wallet === 0n) return missing("a wallet could not buy through the pool's router")
  // Where the purchases brought what was foretold, the story that was asked ahead is this one to the byte.
  const asked = foretold !== null && isSame(foretold, held) ? yield* Fiber.join(ahead) : Option.none()
  const lived = Option.isSome(asked) ? asked.value : yield* live(rpc, stage, held)
  return lived === null
    ? missing("the node did not finish the simulated blocks")
    : findingsOf(dice, pools, { opening, ...lived })
})
