import { Array as Arr, Effect } from "effect"
import type { Address, Hex } from "viem"
import { concatHex, decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { V4 } from "./factories.ts"
import { code } from "./pool-ticks.artifact.ts"
import { type Band, bandsOf } from "./sale-curve.ts"

/** What really stands in a concentrated pool, in smallest units. */
export interface Held {
  readonly amount0: bigint
  readonly amount1: bigint
  readonly bands: ReadonlyArray<Band>
  /** The root of the price. */
  readonly root: number
}

const ASK = parseAbiParameters("address, (bytes32 pool, int24 spacing)[]")
const LADDERS = parseAbiParameters("(uint256 sqrtPrice, uint256 liquidity, bool whole, uint256[] steps)[]")
const TIMEOUT = "4 seconds"
/** Pools of one call: each costs up to some two million gas. */
const POOLS_PER_CALL = 12
/** Strangers can open any number of empty pools; what they open must not crowd out the others. */
const MAX_CALLS = 5

const Q96 = 2 ** 96
export const rootAt = (tick: number): number => 1.0001 ** (tick / 2)
const toUnits = (value: number): bigint =>
  Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n

interface Step {
  readonly tick: number
  /** Liquidity that begins at this tick, below zero where it ends. */
  readonly net: number
}

const stepOf = (word: bigint): Step => ({
  tick: Number(BigInt.asIntN(24, word >> 128n)),
  net: Number(BigInt.asIntN(128, word))
})

/** Amounts of one stretch of liquidity on either side of the price. */
export const amountsBetween = (
  liquidity: number,
  lower: number,
  upper: number,
  root: number
): readonly [amount0: number, amount1: number] => {
  const within = Math.min(Math.max(root, lower), upper)
  return [liquidity * (1 / within - 1 / upper), liquidity * (within - lower)]
}

/** The pool's amounts from where its liquidity begins and ends. */
export const heldIn = (sqrtPrice: bigint, steps: ReadonlyArray<Step>): Held => {
  const root = Number(sqrtPrice) / Q96
  const bands = bandsOf(steps.map(({ tick, net }) => ({ root: rootAt(tick), net })))
  let [amount0, amount1] = [0, 0]
  for (const { liquidity, lower, upper } of bands) {
    const [zero, one] = amountsBetween(liquidity, lower, upper, root)
    amount0 += zero
    amount1 += one
  }
  return { amount0: toUnits(amount0), amount1: toUnits(amount1), bands, root }
}

/** A V4 pool to be measured. */
export interface Measured {
  readonly poolId: Hex
  readonly tickSpacing: number
}

type Ladders = ReadonlyMap<Hex, Held>

const readSome = (
  rpc: BaseRpc,
  asked: ReadonlyArray<Measured>,
  blockNumber: bigint,
  manager: Address
): Effect.Effect<Ladders> => {
  const asks = asked.map(({ poolId, tickSpacing }) => ({ pool: poolId, spacing: tickSpacing }))
  const data = concatHex([code, encodeAbiParameters(ASK, [manager, asks])])
  return rpc.call({ data, blockNumber }).pipe(
    Effect.flatMap((answer) => Effect.try(() => decodeAbiParameters(LADDERS, answer.data)[0])),
    Effect.map(
      (ladders) =>
        new Map(
          ladders.flatMap(({ sqrtPrice, steps, whole }, index) => {
            const pool = asked[index]
            return pool === undefined || !whole || sqrtPrice === 0n
              ? []
              : [[pool.poolId, heldIn(sqrtPrice, steps.map(stepOf))] as const]
          })
        )
    ),
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(new Map<Hex, Held>()))
  )
}

/**
 * What really stands in V4 pools, whose tokens the PoolManager keeps all together: their ticks are walked in calls of
 * init code, which every node runs. A pool whose ticks were too many to list is not in the answer. Never fails.
 */
export const readHeld = (
  rpc: BaseRpc,
  pools: ReadonlyArray<Measured>,
  blockNumber: bigint,
  manager: Address = V4.poolManager
): Effect.Effect<Ladders> => {
  const calls = Arr.chunksOf(pools, POOLS_PER_CALL).slice(0, MAX_CALLS)
  return Effect.map(
    Effect.forEach(calls, (some) => readSome(rpc, some, blockNumber, manager), { concurrency: MAX_CALLS }),
    (found) => new Map(found.flatMap((ladders) => [...ladders]))
  )
}
