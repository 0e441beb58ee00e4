import { zeroAddress } from "viem"
import type { AccountOverride } from "../../../chain/chain-rpc.ts"
import type { SimulatedBlock } from "../../../chain/evm-simulation.ts"
import { SEQUENCER_FEE_VAULT } from "../../../domain/base-contracts.ts"
import { WETH } from "../addresses.ts"
import type { Pool } from "../pools/pool.ts"
import { balanceOverride } from "./balance-slots.ts"
import type { Dice } from "./dice.ts"
import { SPENDERS } from "./spenders.ts"
import type { ActBlock } from "./wallet-plan.ts"
import type { Cast } from "./wallet-story.ts"
import { otherStake } from "./wallet-story.ts"

const ether = 10n ** 18n
/** What an act costs at most beside its stake. */
const FEES = ether / 10_000n

/** What somebody owns: enough for what they will spend, and now little, now much beyond it. */
const purse = (dice: Dice, name: string, stake: bigint): bigint =>
  stake + FEES + dice.magnitude(`purse ${name}`, ether / 2_000n, 3n * ether)

/** Who spends how much ether at most: as much of a pool as they buy. */
const people = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  { wallet, second, whale, strangers, others }: Cast
) => {
  const [best, ...rest] = pools
  const spent = (pool: Pool | undefined, millionths: bigint): bigint =>
    pool === undefined || (pool.quote !== WETH && pool.quote !== zeroAddress)
      ? 0n
      : (pool.quoteReserve * millionths) / 1_000_000n
  return [
    { who: wallet, stake: spent(best, 4_987n) },
    { who: second, stake: 0n },
    { who: dice.address("named at Permit2"), stake: 0n },
    { who: whale, stake: spent(best, 79_999n) },
    ...strangers.map((who) => ({ who, stake: spent(best, 9_973n) })),
    ...others.map((who, index) => ({ who, stake: spent(rest[index], 4_987n) }))
  ]
}

/** Uneven ether for everybody, and quote tokens for those who trade against something else. */
export const overridesOf = (
  dice: Dice,
  pools: ReadonlyArray<Pool>,
  cast: Cast
): ReadonlyArray<AccountOverride> => {
  const [best, ...rest] = pools
  if (best === undefined) return []
  const all = people(dice, pools, cast)
  const ethers = all.map(({ stake, who }) => ({ address: who, balance: purse(dice, who, stake) }))
  const spenders = SPENDERS.map((address) => ({ address, balance: purse(dice, address, 0n) }))
  const buyers = [
    ...(best.quote === WETH && best.kind !== "slipstream" && best.kind !== "v4"
      ? []
      : all.map(({ who }) => ({
          who,
          quote: best.quote,
          amount: dice.magnitude(`quote ${who}`, best.quoteReserve / 12n + 1n, best.quoteReserve * 4n + 1n)
        }))),
    ...rest.flatMap((pool, index) => {
      const who = cast.others[index]
      return who === undefined || (pool.quote === WETH && pool.kind !== "slipstream" && pool.kind !== "v4")
        ? []
        : [{ who, quote: pool.quote, amount: otherStake(dice, pool, index) }]
    })
  ]
  const quotes = [...new Set(buyers.map(({ quote }) => quote))]
    .filter((quote) => quote !== zeroAddress)
    .map((address) => ({
      address,
      stateDiff: buyers
        .filter(({ quote }) => quote === address)
        .flatMap(({ who, amount }) => balanceOverride(who, amount))
    }))
  return [...ethers, ...spenders, ...quotes]
}

/** Fees as Base's blocks have them: a base fee of 0.002 to 0.02 gwei, and a small tip on it. */
const firstBaseFee = (dice: Dice, block: number): bigint =>
  dice.between(`base fee ${block}`, 2_000_000n, 20_000_000n)

/** From one block to the next it moves by two percent at most (Base's EIP-1559 parameters); over hours by anything. */
const nextBaseFee = (dice: Dice, before: bigint, after: bigint, block: number): bigint =>
  after > 60n ? firstBaseFee(dice, block) : (before * dice.between(`step ${block}`, 980n, 1_019n)) / 1000n

/**
 * Every L2 block shows the randomness of the L1 block it belongs to: the same for twelve seconds, any 32 bytes (nodes take
 * no shorter word).
 */
const randomnessAt = (dice: Dice, time: bigint): bigint =>
  dice.between(`randao ${time / 12n}`, 2n ** 252n, 2n ** 256n - 1n)
const tipOf = (dice: Dice, block: number, act: number): bigint =>
  dice.between(`tip ${block} ${act}`, 100_000n, 2_000_000n)

/** The story as blocks with their fees, times and randomness. */
export const blocksOf = (
  dice: Dice,
  start: bigint,
  blocks: ReadonlyArray<ActBlock>,
  overrides: ReadonlyArray<AccountOverride>
): ReadonlyArray<SimulatedBlock> => {
  let time = start
  let baseFee = firstBaseFee(dice, -1)
  return blocks.map(({ after, acts }, index) => {
    time += after
    baseFee = nextBaseFee(dice, baseFee, after, index)
    return {
      time,
      baseFeePerGas: baseFee,
      feeRecipient: SEQUENCER_FEE_VAULT,
      prevRandao: randomnessAt(dice, time),
      stateOverride: index === 0 ? overrides : [],
      calls: acts.map(({ from, to, data, value, gas }, act) => ({
        from,
        to,
        data,
        value: value ?? 0n,
        gas,
        gasPrice: baseFee + tipOf(dice, index, act)
      }))
    }
  })
}
