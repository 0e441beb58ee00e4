import type { Address } from "viem"
import type { Pool } from "../pools/pool.ts"
import type { Act, ActBlock, Dice } from "./wallet-plan.ts"
import {
  SPENDERS,
  allowActs,
  approveAct,
  balanceAct,
  buyActs,
  permit2Acts,
  pullAct,
  sellActs,
  transferAct
} from "./wallet-plan.ts"

/** Purchases by strangers, at least: more than the counters people write wait for. */
const STRANGERS = 42n
const DAY = 86_400n

/** The people of one story. `others` buy and sell in the lesser pools. */
export interface Cast {
  readonly wallet: Address
  readonly second: Address
  readonly whale: Address
  readonly strangers: ReadonlyArray<Address>
  readonly others: ReadonlyArray<Address>
}

export const castOf = (dice: Dice, pools: ReadonlyArray<Pool>): Cast => ({
  wallet: dice.address("wallet"),
  second: dice.address("second"),
  whale: dice.address("whale"),
  strangers: Array.from(
    { length: Number(dice.between("strangers", STRANGERS, STRANGERS + 9n)) },
    (_, index) => dice.address(`stranger ${index}`)
  ),
  others: pools.slice(1).map((_, index) => dice.address(`other ${index}`))
})

/** Uneven stakes: the wallet's moves the price by a few thousandths, the whale's meets limits on size. */
export const stakeOf = (dice: Dice, pool: Pool, name: string, low: bigint, high: bigint): bigint =>
  (pool.quoteReserve * dice.between(`stake ${name}`, low, high)) / 1_000_000n

export const walletStake = (dice: Dice, pool: Pool): bigint => stakeOf(dice, pool, "wallet", 2_011n, 4_987n)
export const whaleStake = (dice: Dice, pool: Pool): bigint => stakeOf(dice, pool, "whale", 58_003n, 79_999n)
export const otherStake = (dice: Dice, pool: Pool, index: number): bigint =>
  stakeOf(dice, pool, `other ${index}`, 2_011n, 4_987n)

/** First act: everybody who will sell buys. Its outcome names the amounts of the rest. */
export const purchases = (dice: Dice, pools: ReadonlyArray<Pool>, cast: Cast): ActBlock => {
  const [best, ...rest] = pools
  if (best === undefined) return { after: 2n, acts: [] }
  const bought = (pool: Pool, who: Address, stake: bigint, name: string): ReadonlyArray<Act> => [
    ...buyActs(dice, pool, who, stake, `buy ${name}`),
    balanceAct(pool.token, who, `held ${name}`)
  ]
  return {
    after: dice.between("first", 2n, 6n),
    acts: [
      ...bought(best, cast.wallet, walletStake(dice, best), "wallet"),
      ...bought(best, cast.whale, whaleStake(dice, best), "whale"),
      ...rest.flatMap((pool, index) => {
        const who = cast.others[index]
        return who === undefined ? [] : bought(pool, who, otherStake(dice, pool, index), `other ${index}`)
      })
    ]
  }
}

/** What the buyers hold after the first act. */
export interface Holdings {
  readonly wallet: bigint
  readonly whale: bigint
  readonly others: ReadonlyArray<bigint>
}

const share = (dice: Dice, name: string, amount: bigint, low: bigint, high: bigint): bigint =>
  (amount * dice.between(`share ${name}`, low, high)) / 1_000n

/** What goes through each of the other routers. */
export const crumbsOf = ({ wallet }: Holdings): bigint => wallet / 200n

const approvals = (dice: Dice, pools: ReadonlyArray<Pool>, cast: Cast): ReadonlyArray<Act> => {
  const [best, ...rest] = pools
  if (best === undefined) return []
  const own = [cast.wallet, cast.second, cast.whale].flatMap((who) => allowActs(dice, best, best.token, who))
  const lesser = rest.flatMap((pool, index) => {
    const who = cast.others[index]
    return who === undefined ? [] : allowActs(dice, pool, pool.token, who)
  })
  return [...own, ...lesser, ...SPENDERS.map((spender) => approveAct(dice, best.token, cast.wallet, spender))]
}

/**
 * The whole story: bought; approved in the next block; half sold; a gift that its receiver sells; strangers buy in
 * numbers; the whale sells all; then, minutes, hours and more than a month later, the wallet sells in parts, and at
 * last everybody's routers move what is left.
 */
export const story = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  cast: Cast,
  held: Holdings
): ReadonlyArray<ActBlock> => {
  const [best, ...rest] = pools
  if (best === undefined) return []
  const { wallet, second, whale } = cast
  const half = share(dice, "half", held.wallet, 401n, 499n)
  const gift = share(dice, "gift", held.wallet, 101n, 149n)
  const part = share(dice, "part", held.wallet, 81n, 119n)
  const crumbs = crumbsOf(held)
  const last = held.wallet - half - gift - 2n * part - crumbs * BigInt(SPENDERS.length + 1)
  const strangers = cast.strangers.flatMap((who, index) =>
    buyActs(dice, best, who, stakeOf(dice, best, `stranger ${index}`, 6_007n, 9_973n), `stranger ${index}`)
  )
  const soon = () => dice.between("soon", 2n, 9n)
  return [
    purchases(dice, pools, cast),
    { after: soon(), acts: approvals(dice, pools, cast) },
    {
      after: soon(),
      acts: [
        ...sellActs(dice, best, wallet, half, "sell soon"),
        ...rest.flatMap((pool, index) => {
          const [who, amount] = [cast.others[index], held.others[index]]
          return who === undefined || amount === undefined || amount === 0n
            ? []
            : sellActs(dice, pool, who, amount, `sell other ${index}`)
        })
      ]
    },
    { after: soon(), acts: [transferAct(dice, best.token, wallet, second, gift, "gift")] },
    {
      after: soon(),
      acts: sellActs(dice, best, second, share(dice, "second", gift, 301n, 449n), "sell second")
    },
    { after: dice.between("crowd", 11n, 59n), acts: strangers },
    { after: soon(), acts: sellActs(dice, best, whale, held.whale, "sell whale") },
    {
      after: dice.between("minutes", 301n, 3_301n),
      acts: sellActs(dice, best, wallet, part, "sell minutes")
    },
    {
      after: dice.between("hours", 7_201n, 79_201n),
      acts: sellActs(dice, best, wallet, part, "sell hours")
    },
    { after: soon(), acts: permit2Acts(dice, best, wallet, crumbs, "sell permit2") },
    {
      after: dice.between("month", 31n * DAY, 47n * DAY),
      acts: [
        ...sellActs(dice, best, wallet, last, "sell month"),
        ...SPENDERS.map((spender) => pullAct(dice, best, spender, wallet, crumbs))
      ]
    }
  ]
}
