import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { encodeFunctionData, erc20Abi, zeroAddress } from "viem"
import type { BaseRpc, EvmCall, EvmRead, EvmReadResult } from "../../../chain/chain-rpc.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { Pool } from "../pool.ts"
import type { SimulationFindings } from "./findings.ts"
import { freshAddress, realisticFees } from "./probe-call.ts"

const maxHolders = 8
const dead = "0x000000000000000000000000000000000000dead"
const ether = 10n ** 18n

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
  data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] })
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

// A hundredth stays below the usual limits on one transaction, so that a failure speaks of the holder.
const shareOf = (balance: bigint): bigint => (balance >= 100n ? balance / 100n : balance)

const isTrue = (data: Hex): boolean =>
  data === "0x" || (data.length >= 66 && BigInt(data.slice(0, 66)) === 1n)
const passed = (result: EvmReadResult | undefined): boolean => result?.ok === true && isTrue(result.data)

/**
 * Tries, for each holder, a transfer to a fresh address and one to the best pool, sent by the holder's own account
 * without code of ours. It catches what a fresh buyer cannot see: earlier buyers who were blocked by name.
 * The holder is given ether for the fee, nothing else of the chain's state is replaced.
 */
export const tryHolders = (
  rpc: BaseRpc,
  token: Address,
  pool: Address,
  holdings: ReadonlyArray<Holding>,
  blockNumber: bigint
): Effect.Effect<SimulationFindings["holders"], UpstreamError> =>
  Effect.gen(function* () {
    if (holdings.length === 0) return missing("no holders are known")
    const calls = yield* Effect.forEach(holdings, ({ holder, balance }) =>
      Effect.gen(function* () {
        const { baseFeePerGas, gasPrice } = yield* realisticFees
        const fresh = yield* freshAddress
        return [fresh, pool].map((to): EvmCall => ({
          from: holder,
          to: token,
          data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, shareOf(balance)] }),
          gas: 3_000_000n,
          gasPrice,
          blockNumber,
          stateOverride: [{ address: holder, balance: ether }],
          blockOverride: { baseFeePerGas }
        }))
      })
    )
    const results = yield* rpc.callAll(calls.flat())
    const failed = holdings.filter((_, at) => !passed(results[2 * at]) || !passed(results[2 * at + 1]))
    return known({ tried: holdings.length, failed: failed.length })
  })
