import type { Address } from "viem"
import { maxUint256 } from "viem"
import { PERMIT2 } from "../../../domain/base-contracts.ts"
import type { Pool } from "../pools/pool.ts"
import type { Dice } from "./dice.ts"
import { SPENDERS, permit2PullActs, pullAct } from "./spenders.ts"
import type { Act, ActBlock } from "./wallet-plan.ts"
import {
  allowActs,
  approveAct,
  balanceAct,
  buyActs,
  permit2Acts,
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

/** Two leading digits and zeros, as people type amounts. */
const rounded = (amount: bigint): bigint => {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2))
  return (amount / unit) * unit
}

/**
 * Stakes, one uneven, the next a round sum: the wallet's moves the price by a few thousandths, the whale's meets limits
 * on size.
 */
const stakeOf = (dice: Dice, pool: Pool, name: string, low: bigint, high: bigint): bigint => {
  const uneven = (pool.quoteReserve * dice.between(`stake ${name}`, low, high)) / 1_000_000n
  return dice.between(`round ${name}`, 0n, 1n) === 0n ? uneven : rounded(uneven)
}

export const walletStake = (dice: Dice, pool: Pool): bigint => stakeOf(dice, pool, "wallet", 2_011n, 4_987n)
export const whaleStake = (dice: Dice, pool: Pool): bigint => stakeOf(dice, pool, "whale", 58_003n, 79_999n)
export const otherStake = (dice: Dice, pool: Pool, index: number): bigint =>
  stakeOf(dice, pool, `other ${index}`, 2_011n, 4_987n)

/** Blocks of Base are two seconds apart. */
const BLOCK_SECONDS = 2n

/** First act: everybody who will sell buys, the wallet a block before the others. */
export const purchases = (dice: Dice, pools: ReadonlyArray<Pool>, cast: Cast): ReadonlyArray<ActBlock> => {
  const [best, ...rest] = pools
  if (best === undefined) return []
  return [
    {
      after: BLOCK_SECONDS,
      acts: buyActs(dice, best, cast.wallet, walletStake(dice, best), "buy wallet")
    },
    {
      after: BLOCK_SECONDS,
      acts: [
        ...buyActs(dice, best, cast.whale, whaleStake(dice, best), "buy whale"),
        ...rest.flatMap((pool, index) => {
          const who = cast.others[index]
          return who === undefined
            ? []
            : buyActs(dice, pool, who, otherStake(dice, pool, index), `buy other ${index}`)
        })
      ]
    }
  ]
}

/** What the buyers hold then: asked for in blocks that nothing follows, since no wallet asks so by a transaction. */
export const count = (pools: ReadonlyArray<Pool>, cast: Cast): ActBlock => {
  const [best, ...rest] = pools
  return {
    after: BLOCK_SECONDS,
    acts:
      best === undefined
        ? []
        : [
            balanceAct(best.token, cast.wallet, "held wallet"),
            balanceAct(best.token, cast.whale, "held whale"),
            ...rest.flatMap((pool, index) => {
              const who = cast.others[index]
              return who === undefined ? [] : [balanceAct(pool.token, who, `held other ${index}`)]
            })
          ]
  }
}

/** What the buyers hold after the first act; 0 also where the token did not answer. */
export interface Holdings {
  readonly wallet: bigint
  readonly whale: bigint
  readonly others: ReadonlyArray<bigint>
}

const share = (dice: Dice, name: string, amount: bigint, low: bigint, high: bigint): bigint =>
  (amount * dice.between(`share ${name}`, low, high)) / 1_000n

/** What goes through each of the other routers. */
export const crumbsOf = ({ wallet }: Holdings): bigint => wallet / 200n

/** All there is, or as much as is held and a little more. */
const allowance = (dice: Dice, name: string, amount: bigint): bigint =>
  dice.between(`allowance ${name}`, 0n, 1n) === 0n
    ? maxUint256
    : amount * dice.between(`times ${name}`, 1n, 3n)

const approvals = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  cast: Cast,
  held: Holdings
): ReadonlyArray<Act> => {
  const [best, ...rest] = pools
  if (best === undefined) return []
  const allow = (pool: Pool, who: Address, name: string, amount: bigint) =>
    allowActs(dice, pool, pool.token, who, allowance(dice, name, amount))
  const lesser = rest.flatMap((pool, index) => {
    const who = cast.others[index]
    return who === undefined ? [] : allow(pool, who, `other ${index}`, held.others[index] ?? 0n)
  })
  return [
    ...allow(best, cast.wallet, "wallet", held.wallet),
    ...allow(best, cast.second, "second", held.wallet),
    ...allow(best, cast.whale, "whale", held.whale),
    ...lesser,
    ...SPENDERS.map((spender) => approveAct(dice, best.token, cast.wallet, spender))
  ]
}

/** Strangers' purchases, a handful in a block. */
const crowd = (dice: Dice, best: Pool, { strangers }: Cast): ReadonlyArray<ActBlock> => {
  const blocks: Array<ActBlock> = []
  for (let next = 0; next < strangers.length;) {
    const size = Number(dice.between(`handful ${next}`, 2n, 9n))
    const acts = strangers.slice(next, next + size).flatMap((who, index) => {
      const name = `stranger ${next + index}`
      return buyActs(dice, best, who, stakeOf(dice, best, name, 6_007n, 9_973n), name)
    })
    blocks.push({ after: BLOCK_SECONDS, acts })
    next += size
  }
  return blocks
}

/**
 * What happens first, block after block as Base makes them: the wallet sells half; a gift that its receiver sells;
 * strangers buy in numbers; the whale sells all. In which order the seed says.
 */
const firstMinutes = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  cast: Cast,
  held: Holdings,
  { gift, half }: { readonly gift: bigint; readonly half: bigint }
): ReadonlyArray<ActBlock> => {
  const [best, ...rest] = pools
  if (best === undefined) return []
  const { wallet, second, whale } = cast
  const block = (acts: ReadonlyArray<Act>): ActBlock => ({ after: BLOCK_SECONDS, acts })
  const sellOthers = rest.flatMap((pool, index) => {
    const [who, amount] = [cast.others[index], held.others[index]]
    return who === undefined || amount === undefined || amount === 0n
      ? []
      : sellActs(dice, pool, who, amount, `sell other ${index}`)
  })
  const sold = share(dice, "second", gift, 301n, 449n)
  return dice
    .shuffled("first minutes", [
      [block([...sellActs(dice, best, wallet, half, "sell soon"), ...sellOthers])],
      [
        block([transferAct(dice, best.token, wallet, second, gift, "gift")]),
        block(sellActs(dice, best, second, sold, "sell second"))
      ],
      crowd(dice, best, cast),
      [block(sellActs(dice, best, whale, held.whale, "sell whale"))]
    ])
    .flat()
}

/**
 * The whole story: bought; approved in a later block; the first minutes; then, minutes, hours and more than a month
 * later, the wallet sells in parts, and at last everybody's routers move what is left.
 */
export const story = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  cast: Cast,
  held: Holdings
): ReadonlyArray<ActBlock> => {
  const [best] = pools
  if (best === undefined) return []
  const { wallet } = cast
  const half = share(dice, "half", held.wallet, 401n, 499n)
  const gift = share(dice, "gift", held.wallet, 101n, 149n)
  const part = share(dice, "part", held.wallet, 81n, 119n)
  const crumbs = crumbsOf(held)
  const last = held.wallet - half - gift - 2n * part - crumbs * BigInt(SPENDERS.length + 1)
  return [
    ...purchases(dice, pools, cast),
    { after: BLOCK_SECONDS, acts: approvals(dice, pools, cast, held) },
    ...firstMinutes(dice, pools, cast, held, { gift, half }),
    {
      after: dice.between("minutes", 301n, 3_301n),
      acts: sellActs(dice, best, wallet, part, "sell minutes")
    },
    {
      after: dice.between("hours", 7_201n, 79_201n),
      acts: sellActs(dice, best, wallet, part, "sell hours")
    },
    { after: BLOCK_SECONDS, acts: permit2Acts(dice, best, wallet, crumbs, "sell permit2") },
    {
      after: dice.between("month", 31n * DAY, 47n * DAY),
      acts: [
        ...sellActs(dice, best, wallet, last, "sell month"),
        ...permit2PullActs(dice, best, wallet, crumbs),
        ...SPENDERS.filter((spender) => spender !== PERMIT2).map((spender) =>
          pullAct(dice, best, spender, wallet, crumbs)
        )
      ]
    }
  ]
}
