import { Effect, Random } from "effect"
import type { Address, Hex } from "viem"
import { zeroAddress } from "viem"
import type { BaseRpc, EvmCall, EvmRead, EvmReadResult } from "../../../chain/chain-rpc.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { Pool } from "../pools/pool.ts"
import { callData } from "../reads/query.ts"
import { allowanceOverride } from "./balance-slots.ts"
import { freshAddress, realisticFees, somePurse } from "./probe-call.ts"

const maxHolders = 8
const dead = "0x000000000000000000000000000000000000dead"
/** Enough for the gas at any price of a real block. */
const FEES = 10n ** 15n

/** The holders worth trying: pools, the token itself and burn addresses never transfer. */
export const chooseHolders = (
  holders: ReadonlyArray<Address>,
  token: Address,
  pools: ReadonlyArray<Pool>
): ReadonlyArray<Address> => {
  const excluded = new Set(
    [token, zeroAddress, dead, ...pools.map(({ address }) => address)].map((a) => a.toLowerCase())
  )
  const lower = holders.map((holder): Address => `0x${holder.slice(2).toLowerCase()}`)
  return [...new Set(lower)].filter((holder) => !excluded.has(holder)).slice(0, maxHolders)
}

export const balanceRead = (token: Address, holder: Address): EvmRead => ({
  to: token,
  data: callData("balanceOf(address)", holder)
})

export interface Holding {
  readonly holder: Address
  readonly balance: bigint
}

/** The holders with something to transfer; an unreadable balance is none. */
export const toHoldings = (
  holders: ReadonlyArray<Address>,
  balances: ReadonlyArray<EvmReadResult>
): ReadonlyArray<Holding> =>
  holders.flatMap((holder, at) => {
    const result = balances[at]
    if (result?.ok !== true || result.data.length < 66) return []
    const balance = BigInt(result.data.slice(0, 66))
    return balance > 0n ? [{ holder, balance }] : []
  })

// About a hundredth stays below the usual limits on one transaction, so that a failure speaks of the holder.
const shareOf = (balance: bigint): Effect.Effect<bigint> =>
  Effect.map(Random.nextIntBetween(7_000, 13_000), (part) =>
    balance >= 1_000n ? (balance * BigInt(part)) / 1_000_000n : balance
  )

const isTrue = (data: Hex): boolean =>
  data === "0x" || (data.length >= 66 && BigInt(data.slice(0, 66)) === 1n)
const passed = (result: EvmReadResult | undefined): boolean => result?.ok === true && isTrue(result.data)

/** Whether three transfers of one holder passed. */
export interface HolderTrial {
  readonly toFresh: boolean
  /** By the holder's own `transfer`. */
  readonly toPool: boolean
  /** By a spender's `transferFrom`, as routers sell; meaningless where the place of the allowance is not known. */
  readonly pulledToPool: boolean
}

const trialCalls = (
  token: Address,
  pool: Address,
  { holder, balance }: Holding,
  blockNumber: bigint
): Effect.Effect<ReadonlyArray<EvmCall>> =>
  Effect.gen(function* () {
    const { baseFeePerGas, gasPrice } = yield* realisticFees
    const [fresh, spender] = [yield* freshAddress, yield* freshAddress]
    const amount = yield* shareOf(balance)
    const [mine, theirs] = [FEES + (yield* somePurse), FEES + (yield* somePurse)]
    const gas = BigInt(yield* Random.nextIntBetween(900_000, 3_000_000))
    const common = { to: token, gas, gasPrice, blockNumber, blockOverride: { baseFeePerGas } }
    const send = (to: Address): EvmCall => ({
      ...common,
      from: holder,
      data: callData("transfer(address,uint256)", to, amount),
      stateOverride: [{ address: holder, balance: mine }]
    })
    const pull: EvmCall = {
      ...common,
      from: spender,
      data: callData("transferFrom(address,address,uint256)", holder, pool, amount),
      stateOverride: [
        { address: spender, balance: theirs },
        { address: token, stateDiff: allowanceOverride(holder, spender) }
      ]
    }
    return [send(fresh), send(pool), pull]
  })

/**
 * Tries, for each holder, a transfer to a fresh address and to the best pool. It catches what a fresh buyer cannot
 * see: earlier buyers who were blocked by name. The holder's account stays as it is, but for ether to pay the fee.
 */
export const tryHolders = (
  rpc: BaseRpc,
  token: Address,
  pool: Address,
  holdings: ReadonlyArray<Holding>,
  blockNumber: bigint
): Effect.Effect<ReadonlyArray<HolderTrial>, UpstreamError> =>
  Effect.gen(function* () {
    if (holdings.length === 0) return []
    const calls = yield* Effect.forEach(holdings, (holding) => trialCalls(token, pool, holding, blockNumber))
    const results = yield* rpc.callAll(calls.flat())
    return holdings.map((_, at) => ({
      toFresh: passed(results[3 * at]),
      toPool: passed(results[3 * at + 1]),
      pulledToPool: passed(results[3 * at + 2])
    }))
  })

/**
 * Counts the holders who could not move their tokens. Tokens exist that refuse a plain `transfer` to any contract and
 * trade well through `transferFrom`, so the latter decides where its allowance could be replaced.
 */
export const countHolders = (
  trials: ReadonlyArray<HolderTrial>,
  allowanceWorks: boolean
): { readonly tried: number; readonly failed: number } => ({
  tried: trials.length,
  failed: trials.filter((trial) => !trial.toFresh || !(allowanceWorks ? trial.pulledToPool : trial.toPool))
    .length
})
