import { Effect, Random } from "effect"
import type { Address, Hex } from "viem"
import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbiParameters, zeroAddress } from "viem"
import type { AccountOverride, EvmCall } from "../../../chain/chain-rpc.ts"
import type { Pool, PoolKind } from "../pools/pool.ts"
import type { V4Key } from "../pools/pool-search.ts"
import { allowanceOverride, balanceOverride } from "./balance-slots.ts"
import type { TradeVariant } from "./findings.ts"
import { abi, code } from "./probe.artifact.ts"
import { code as spenderCode } from "./spender.artifact.ts"

const weth = "0x4200000000000000000000000000000000000006"
/** Base's SequencerFeeVault: the `block.coinbase` of every real block. */
const feeRecipient = "0x4200000000000000000000000000000000000011"
const secondsPerBlock = 2
const ether = 10n ** 18n
/** Below the 2^24 that EIP-7825 allows one transaction. */
const gas = 16_000_000n

const kinds: Record<PoolKind, bigint> = {
  v2: 0n,
  "aerodrome-v2": 1n,
  v3: 2n,
  slipstream: 2n,
  algebra: 2n,
  v4: 3n
}

/** The router wallets use for a pool; zero where none is known. */
// Sources: Uniswap docs, aerodrome-finance/contracts README, npm sushi and @pancakeswap/smart-router. The probe checks
// that the router and the pool name the same factory before it uses one.
export const routerOf = ({ kind, dex }: Pool): Address => {
  if (kind === "aerodrome-v2") return "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43"
  if (kind === "v3")
    return dex.startsWith("uniswap") ? "0x2626664c2603336e57b271c5c0b26f421741e481" : zeroAddress
  if (kind !== "v2") return zeroAddress
  if (dex.startsWith("pancake")) return "0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb"
  if (dex.startsWith("sushi")) return "0x6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891"
  return "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24"
}

/** One pool and size inside a probe call. */
export interface Trade {
  readonly pool: Pool
  readonly size: TradeVariant["size"]
}

// The small size moves the price by a tenth of a percent; the large one meets the usual limits on size.
const divisor: Record<TradeVariant["size"], bigint> = { small: 2000n, large: 100n }
const amountOf = ({ pool, size }: Trade): bigint => pool.quoteReserve / divisor[size]

const dynamicFee = 0x800000

const poolKey = parseAbiParameters("address, address, uint24, int24, address")

/** A V4 pool's key, its fee found by the pool's id: a dynamic fee's key does not hold the fee. `null` where none fits. */
export const v4KeyOf = ({ feePips, quote, tickSpacing = 0, token, v4 }: Pool): V4Key | null => {
  if (v4 === undefined) return null
  const { hooks, poolId } = v4
  const [currency0, currency1] = BigInt(token) < BigInt(quote) ? [token, quote] : [quote, token]
  const idWith = (fee: number) =>
    keccak256(encodeAbiParameters(poolKey, [currency0, currency1, fee, tickSpacing, hooks]))
  const fee = [feePips, dynamicFee].find((one) => idWith(one) === poolId.toLowerCase())
  return fee === undefined ? null : { currency0, currency1, fee, tickSpacing, hooks }
}

/** The fee as the pool's key has it, else as stated. */
const keyFee = (pool: Pool): number | null =>
  pool.kind === "v4" ? (v4KeyOf(pool)?.fee ?? null) : pool.feePips

/** Whether the pool can be traded in by the probe, and holds enough units of its quote token to measure a small trade. */
export const isMeasurable = (pool: Pool): boolean =>
  amountOf({ pool, size: "small" }) >= 100n && keyFee(pool) !== null

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
  Effect.replicateEffect(Random.nextIntBetween(0, 256), 20),
  (bytes): Address => `0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`
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

const encodeRun = ({ senders, trades }: ProbeSpec, cast: Cast): Hex =>
  encodeFunctionData({
    abi,
    functionName: "run",
    args: [
      senders.flatMap((sender) =>
        trades.map((trade) => ({
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
          amount: amountOf(trade),
          shrink: trade.size === "small",
          router: routerOf(trade.pool),
          stable: trade.pool.stable ?? false
        }))
      )
    ]
  })

const quoteOverrides = (probe: Address, trades: ReadonlyArray<Trade>): ReadonlyArray<AccountOverride> => {
  const amounts = new Map<Address, bigint>()
  for (const trade of trades) {
    const { quote } = trade.pool
    if (quote === zeroAddress || quote.toLowerCase() === weth) continue
    const amount = amountOf(trade)
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

/**
 * Builds the call. A `fresh-contract` probe sells by transfer, as traders' own contracts do; the other two sell by
 * allowance, as wallets do.
 */
export const buildProbeCall = (
  spec: ProbeSpec,
  block: ProbeBlock,
  withBlockOverride: boolean
): Effect.Effect<EvmCall> =>
  Effect.gen(function* () {
    const cast = yield* castFor(spec.senders)
    const { baseFeePerGas, gasPrice } = yield* realisticFees
    const largest = spec.trades.map(amountOf).reduce((a, b) => (a > b ? a : b), 0n)
    const purse = ether + BigInt(yield* Random.nextIntBetween(0, 1_000_000_000)) * 1_000_000_000n
    const call: EvmCall = {
      from: cast.sender,
      to: cast.probe,
      data: encodeRun(spec, cast),
      gas,
      gasPrice: withBlockOverride ? gasPrice : coveringGasPrice,
      blockNumber: block.number,
      stateOverride: [
        { address: cast.probe, code, balance: purse + largest },
        { address: cast.spender, code: spenderCode },
        ...(cast.sender === cast.probe ? [] : [{ address: cast.sender, balance: purse }]),
        ...(spec.senders.includes("fresh-wallet") ? allowanceOverrides(cast, spec.trades) : []),
        ...quoteOverrides(cast.probe, spec.trades)
      ]
    }
    if (!withBlockOverride) return call
    return {
      ...call,
      blockOverride: {
        time: block.time + BigInt(spec.at),
        number: block.number + BigInt(spec.at / secondsPerBlock),
        feeRecipient,
        baseFeePerGas
      }
    }
  })
