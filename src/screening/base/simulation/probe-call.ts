import { Effect, Random } from "effect"
import type { Address, Hex } from "viem"
import { zeroAddress } from "viem"
import { max } from "../../../domain/bigint.ts"
import type { AccountOverride, EvmCall } from "../../../chain/chain-rpc.ts"
import { PRODUCT_ROUTERS, SEQUENCER_FEE_VAULT, SWAP_ROUTER_02 } from "../../../domain/base-contracts.ts"
import { WETH } from "../addresses.ts"
import type { Pool, PoolKind } from "../pools/pool.ts"
import type { V4Key } from "../pools/pool-search.ts"
import { poolIdOf } from "../pools/v4.ts"
import { allowanceOverride, balanceOverride } from "./balance-slots.ts"
import type { TradeVariant } from "./findings.ts"
import { randomDigits } from "./dice.ts"
import { code } from "./probe.artifact.ts"
import { type Plan, encodePlans } from "./probe-words.ts"
import { code as spenderCode } from "./spender.artifact.ts"

const secondsPerBlock = 2
const ether = 10n ** 18n
/** Below the 2^24 that EIP-7825 allows one transaction, and enough for every leg. */
const gasRange = [14_000_000, 16_700_000] as const
const legGasRange = [2_300_000, 2_700_000] as const

const kinds: Record<PoolKind, bigint> = {
  v2: 0n,
  "aerodrome-v2": 1n,
  v3: 2n,
  slipstream: 2n,
  algebra: 2n,
  v4: 3n
}

/**
 * The router wallets use for a pool; zero where none is known. The probe checks that the router and the pool name the same
 * factory before it uses one.
 */
export const routerOf = ({ kind, dex }: Pool): Address => {
  if (kind === "aerodrome-v2") return PRODUCT_ROUTERS.aerodrome
  if (kind === "v3") return dex.startsWith("uniswap") ? SWAP_ROUTER_02 : zeroAddress
  if (kind !== "v2") return zeroAddress
  if (dex.startsWith("pancake")) return PRODUCT_ROUTERS.pancake
  if (dex.startsWith("sushi")) return PRODUCT_ROUTERS.sushi
  return PRODUCT_ROUTERS.uniswap
}

/** One pool and size inside a probe call. */
export interface Trade {
  readonly pool: Pool
  readonly size: TradeVariant["size"]
  /** Smallest units of the quote. */
  readonly amount: bigint
}

// The small size moves the price by a tenth of a percent; the large one meets the usual limits on size.
const divisor: Record<TradeVariant["size"], bigint> = { small: 2000n, large: 100n }
const usualAmount = ({ pool, size }: Pick<Trade, "pool" | "size">): bigint =>
  pool.quoteReserve / divisor[size]

const between = (range: readonly [number, number]): Effect.Effect<bigint> =>
  Effect.map(Random.nextIntBetween(range[0], range[1]), BigInt)

/**
 * Trades of about the usual sizes: no fixed part of a pool by which they could be known. The same for every sender of
 * one run, so that limits on size treat them alike.
 */
export const sizedTrades = (
  trades: ReadonlyArray<Pick<Trade, "pool" | "size">>
): Effect.Effect<ReadonlyArray<Trade>> =>
  Effect.map(between([850_000, 1_150_000]), (part) =>
    trades.map((trade) => ({ ...trade, amount: (usualAmount(trade) * part) / 1_000_000n }))
  )

const dynamicFee = 0x800000

/** A V4 pool's key, its fee found by the pool's id: a dynamic fee's key does not hold the fee. `null` where none fits. */
export const v4KeyOf = ({ feePips, quote, tickSpacing = 0, token, v4 }: Pool): V4Key | null => {
  if (v4 === undefined) return null
  const { hooks, poolId } = v4
  const [currency0, currency1] = BigInt(token) < BigInt(quote) ? [token, quote] : [quote, token]
  const idWith = (fee: number) => poolIdOf({ currency0, currency1, fee, tickSpacing, hooks })
  const fee = [feePips, dynamicFee].find((one) => idWith(one) === poolId.toLowerCase())
  return fee === undefined ? null : { currency0, currency1, fee, tickSpacing, hooks }
}

/** The fee as the pool's key has it, else as stated. */
const keyFee = (pool: Pool): number | null =>
  pool.kind === "v4" ? (v4KeyOf(pool)?.fee ?? null) : pool.feePips

/** Whether the pool can be traded in by the probe, and holds enough units of its quote token to measure a small trade. */
export const isMeasurable = (pool: Pool): boolean =>
  usualAmount({ pool, size: "small" }) >= 200n && keyFee(pool) !== null

/** One `eth_call` of the probe: who sends it and when; the trades in it cannot see one another. */
export interface ProbeSpec {
  /** Kinds of traders; each makes every trade. A contract and a wallet can share a call, an origin cannot. */
  readonly senders: ReadonlyArray<TradeVariant["sender"]>
  readonly at: TradeVariant["at"]
  readonly trades: ReadonlyArray<Trade>
}

export interface ProbeBlock {
  readonly number: bigint
  /** Unix seconds. */
  readonly time: bigint
}

/** An address nobody has used, so that no token can know it. */
export const freshAddress: Effect.Effect<Address> = Effect.map(
  randomDigits(20),
  (digits): Address => `0x${digits}`
)

/** Fees as Base blocks have them, drawn anew each time: a base fee of 0.002 to 0.02 gwei and a small tip on it. */
export const realisticFees = Effect.gen(function* () {
  const baseFeePerGas = BigInt(yield* Random.nextIntBetween(2_000_000, 20_000_000))
  const tip = BigInt(yield* Random.nextIntBetween(100_000, 2_000_000))
  return { baseFeePerGas, gasPrice: baseFeePerGas + tip }
})

/** A price that covers the fee of any real block, for nodes without block overrides. */
const coveringGasPrice = 20_000_000_000n

/** The accounts of one call, all fresh. */
interface Cast {
  readonly probe: Address
  /** Sends the transaction. */
  readonly sender: Address
  readonly spender: Address
  readonly peer: Address
}

const castFor = (senders: ProbeSpec["senders"]): Effect.Effect<Cast> =>
  Effect.gen(function* () {
    const accounts = { probe: yield* freshAddress, spender: yield* freshAddress, peer: yield* freshAddress }
    return { ...accounts, sender: senders.includes("fresh-origin") ? accounts.probe : yield* freshAddress }
  })

/** Who holds what is bought: the wallet that sends the transaction, or the probe. */
const traderOf = (cast: Cast, sender: TradeVariant["sender"]): Address =>
  sender === "fresh-wallet" ? cast.sender : cast.probe

const encodeRun = ({ senders, trades }: ProbeSpec, cast: Cast, legGas: bigint): Hex =>
  encodePlans(
    senders.flatMap((sender) =>
      trades.map((trade): Plan => ({
        token: trade.pool.token,
        quote: trade.pool.quote,
        pool: trade.pool.address,
        kind: kinds[trade.pool.kind],
        fee: keyFee(trade.pool) ?? trade.pool.feePips,
        tickSpacing: trade.pool.tickSpacing ?? 0,
        hooks: trade.pool.v4?.hooks ?? zeroAddress,
        trader: traderOf(cast, sender),
        pull: sender !== "fresh-contract",
        spender: cast.spender,
        peer: cast.peer,
        amount: trade.amount,
        shrink: trade.size === "small",
        router: routerOf(trade.pool),
        stable: trade.pool.stable ?? false,
        legGas
      }))
    )
  )

const quoteOverrides = (probe: Address, trades: ReadonlyArray<Trade>): ReadonlyArray<AccountOverride> => {
  const amounts = new Map<Address, bigint>()
  for (const trade of trades) {
    const { quote } = trade.pool
    if (quote === zeroAddress || quote.toLowerCase() === WETH) continue
    const { amount } = trade
    if (amount > (amounts.get(quote) ?? 0n)) amounts.set(quote, amount)
  }
  return [...amounts].map(([address, amount]) => ({ address, stateDiff: balanceOverride(probe, amount) }))
}

const allowanceOverrides = (
  { sender, spender }: Cast,
  trades: ReadonlyArray<Trade>
): ReadonlyArray<AccountOverride> =>
  [...new Set(trades.map(({ pool }) => pool.token))].map((address) => ({
    address,
    stateDiff: allowanceOverride(sender, spender)
  }))

/** Bytes that never run, behind the code: its hash and its length are no other run's. */
const withTail = (bytecode: Hex): Effect.Effect<Hex> =>
  Effect.gen(function* () {
    const length = yield* Random.nextIntBetween(32, 1500)
    return `${bytecode}${yield* randomDigits(length)}` as const
  })

/** From a thousandth of an ether to a few: as many small purses as large ones. */
export const somePurse: Effect.Effect<bigint> = Effect.gen(function* () {
  const size = yield* Random.nextIntBetween(0, 12)
  const part = yield* between([1_000_000, 2_000_000])
  return ((ether / 1000n) * part * (1n << BigInt(size))) / 1_000_000n
})

/** A call, and the time it says it is. */
export interface ProbeCall {
  readonly call: EvmCall
  /** Unix seconds. */
  readonly time: bigint
}

/**
 * Builds the call. A `fresh-contract` probe sells by transfer, as traders' own contracts do; the other two sell by
 * allowance, as wallets do.
 */
export const buildProbeCall = (
  spec: ProbeSpec,
  block: ProbeBlock,
  withBlockOverride: boolean
): Effect.Effect<ProbeCall> =>
  Effect.gen(function* () {
    const cast = yield* castFor(spec.senders)
    const { baseFeePerGas, gasPrice } = yield* realisticFees
    const [gas, price] = [yield* between(gasRange), withBlockOverride ? gasPrice : coveringGasPrice]
    const purse = Effect.map(somePurse, (some) => some + gas * price)
    const largest = spec.trades.map(({ amount }) => amount).reduce(max, 0n)
    // Later than asked for by up to a quarter, by whole blocks.
    const delay = yield* Random.nextIntBetween(0, Math.floor(spec.at / 4) + 1)
    const blocks = BigInt(Math.floor((spec.at + delay) / secondsPerBlock))
    const call: EvmCall = {
      from: cast.sender,
      to: cast.probe,
      data: encodeRun(spec, cast, yield* between(legGasRange)),
      gas,
      gasPrice: price,
      blockNumber: block.number,
      stateOverride: [
        { address: cast.probe, code: yield* withTail(code), balance: (yield* purse) + largest },
        { address: cast.spender, code: yield* withTail(spenderCode) },
        ...(cast.sender === cast.probe ? [] : [{ address: cast.sender, balance: yield* purse }]),
        ...(spec.senders.includes("fresh-wallet") ? allowanceOverrides(cast, spec.trades) : []),
        ...quoteOverrides(cast.probe, spec.trades)
      ]
    }
    if (!withBlockOverride) return { call, time: block.time }
    const time = block.time + blocks * BigInt(secondsPerBlock)
    return {
      call: {
        ...call,
        blockOverride: {
          // Now the block's own time is left to it: the probe tells it, and so shows which block it ran in.
          ...(spec.at === 0 ? {} : { time, number: block.number + blocks }),
          feeRecipient: SEQUENCER_FEE_VAULT,
          baseFeePerGas
        }
      },
      time
    }
  })
