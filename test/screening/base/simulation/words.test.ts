import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import {
  type Address,
  type Hex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  keccak256,
  parseAbi,
  parseAbiParameters
} from "viem"
import { AERODROME_FACTORY } from "../../../../src/screening/base/pools/factories.ts"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import { poolIdOf, v4Key } from "../../../../src/screening/base/pools/v4.ts"
import { makeDice, randomDigits } from "../../../../src/screening/base/simulation/dice.ts"
import { decodeAnswer, encodePlans } from "../../../../src/screening/base/simulation/probe-words.ts"
import { abi } from "../../../../src/screening/base/simulation/probe.artifact.ts"
import { routerSwap } from "../../../../src/screening/base/simulation/universal-router.ts"
import { sellActs } from "../../../../src/screening/base/simulation/wallet-plan.ts"

/** What we put together word by word is what viem encodes by the ABI, and the other way round. */

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((some): Hex => `0x${Buffer.from(some).toString("hex")}`)
const address: fc.Arbitrary<Address> = hexOf(20)
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const fee = fc.integer({ min: 0, max: 0xffffff })
const spacing = fc.integer({ min: -0x800000, max: 0x7fffff })

const plan = fc.record({
  token: address,
  quote: address,
  pool: address,
  kind: uint(256),
  fee,
  tickSpacing: spacing,
  hooks: address,
  trader: address,
  pull: fc.boolean(),
  spender: address,
  peer: address,
  amount: uint(256),
  shrink: fc.boolean(),
  router: address,
  stable: fc.boolean(),
  legGas: uint(256)
})

const [{ outputs }] = abi
const result = fc.record({
  ran: uint(256),
  funded: uint(256),
  buy: uint(256),
  spent: uint(256),
  expected: uint(256),
  bought: uint(256),
  transfer: uint(256),
  transferSent: uint(256),
  transferReceived: uint(256),
  sell: uint(256),
  sellShare: uint(256),
  sellSent: uint(256),
  sellArrived: uint(256),
  sellExpected: uint(256),
  sellReceived: uint(256),
  routerSell: uint(256),
  routerReceived: uint(256),
  buyQuoted: uint(256),
  sellQuoted: uint(256)
})

describe("the probe's words", () => {
  it("ask as its ABI says", () => {
    fc.assert(
      fc.property(fc.array(plan, { maxLength: 6 }), (plans) => {
        expect(encodePlans(plans)).toBe(encodeFunctionData({ abi, functionName: "run", args: [plans] }))
      })
    )
  })

  it("answer as its ABI says, and cut anywhere are no answer", () => {
    fc.assert(
      fc.property(
        uint(64),
        uint(64),
        fc.array(result, { maxLength: 6 }),
        fc.nat(),
        (time, price, results, at) => {
          const data = encodeAbiParameters(outputs, [time, price, results])
          expect(decodeAnswer(data)).toEqual({ time, gasPrice: price, results })
          expect(decodeAnswer(`0x${data.slice(2, 2 + (at % (data.length - 2)))}`)).toBeNull()
        }
      )
    )
  })
})

const POOL: Omit<Pool, "kind" | "token" | "quote"> = {
  dex: "uniswap",
  address: "0x00000000000000000000000000000000000000aa",
  feePips: 3000,
  quoteReserve: 10n ** 18n,
  tokenReserve: 10n ** 18n,
  quoteUsd: 1,
  priceUsd: 1
}
const dice = makeDice("0x00000001")
const sold = (pool: Pool, from: Address, amount: bigint) =>
  sellActs(dice, pool, from, amount, "sell").find(({ tag }) => tag === "sell")?.data

const trade = fc.tuple(address, address, address, uint(128))
const forever = 2n ** 48n

describe("a wallet's swap", () => {
  it("is encoded as each router's ABI says", () => {
    const swap = "swapExactTokensForTokensSupportingFeeOnTransferTokens"
    const v2 = parseAbi([
      `function ${swap}(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)`
    ])
    const aerodrome = parseAbi([
      "struct Route { address from; address to; bool stable; address factory; }",
      `function ${swap}(uint256 amountIn, uint256 amountOutMin, Route[] routes, address to, uint256 deadline)`
    ])
    const v3 = parseAbi([
      "struct Single { address tokenIn; address tokenOut; uint24 fee; address to; uint256 amountIn; uint256 least; uint160 limit; }",
      "function exactInputSingle(Single params) payable returns (uint256)"
    ])
    const slipstream = parseAbi([
      "struct Single { address tokenIn; address tokenOut; int24 tickSpacing; address to; uint256 deadline; uint256 amountIn; uint256 least; uint160 limit; }",
      "function exactInputSingle(Single params) payable returns (uint256)"
    ])
    fc.assert(
      fc.property(trade, fee, spacing, fc.boolean(), ([token, quote, to, amount], feePips, tick, stable) => {
        const pool = { ...POOL, token, quote, feePips, tickSpacing: tick, stable }
        expect(sold({ ...pool, kind: "v2" }, to, amount)).toBe(
          encodeFunctionData({
            abi: v2,
            functionName: swap,
            args: [amount, 0n, [token, quote], to, forever]
          })
        )
        expect(sold({ ...pool, kind: "aerodrome-v2" }, to, amount)).toBe(
          encodeFunctionData({
            abi: aerodrome,
            functionName: swap,
            args: [amount, 0n, [{ from: token, to: quote, stable, factory: AERODROME_FACTORY }], to, forever]
          })
        )
        const single = { tokenIn: token, tokenOut: quote, to, amountIn: amount, least: 0n, limit: 0n }
        expect(sold({ ...pool, kind: "v3" }, to, amount)).toBe(
          encodeFunctionData({
            abi: v3,
            functionName: "exactInputSingle",
            args: [{ ...single, fee: feePips }]
          })
        )
        expect(sold({ ...pool, kind: "slipstream" }, to, amount)).toBe(
          encodeFunctionData({
            abi: slipstream,
            functionName: "exactInputSingle",
            args: [{ ...single, tickSpacing: tick, deadline: forever }]
          })
        )
      })
    )
  })

  it("through the Universal Router is encoded as its commands say", () => {
    const abiOf = parseAbi(["function execute(bytes commands, bytes[] inputs, uint256 deadline) payable"])
    const execute = (command: Hex, input: Hex) =>
      encodeFunctionData({ abi: abiOf, functionName: "execute", args: [command, [input], 2n ** 47n] })
    const v4Swap = parseAbiParameters(
      "((address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key, bool zeroForOne, uint128 amountIn, uint128 amountOutMinimum, bytes hookData)"
    )
    const side = parseAbiParameters("address, uint256")
    fc.assert(
      fc.property(trade, fee, spacing, address, ([token, quote, to, amount], feePips, tick, hooks) => {
        const pool = { ...POOL, token, quote, feePips, tickSpacing: tick }
        const path = encodePacked(["address", "uint24", "address"], [token, feePips, quote])
        expect(routerSwap({ ...pool, kind: "v3" }, token, quote, amount, to)).toBe(
          execute(
            "0x00",
            encodeAbiParameters(parseAbiParameters("address, uint256, uint256, bytes, bool"), [
              to,
              amount,
              0n,
              path,
              true
            ])
          )
        )
        expect(routerSwap({ ...pool, kind: "v2" }, token, quote, amount, to)).toBe(
          execute(
            "0x08",
            encodeAbiParameters(parseAbiParameters("address, uint256, uint256, address[], bool"), [
              to,
              amount,
              0n,
              [token, quote],
              true
            ])
          )
        )
        const key = v4Key(token, quote, { fee: feePips, tickSpacing: tick, hooks })
        const poolId = poolIdOf(key)
        expect(poolId).toBe(
          keccak256(
            encodeAbiParameters(parseAbiParameters("address, address, uint24, int24, address"), [
              key.currency0,
              key.currency1,
              feePips,
              tick,
              hooks
            ])
          )
        )
        const zeroForOne = key.currency0 === token
        const swap = encodeAbiParameters(v4Swap, [
          { key, zeroForOne, amountIn: amount, amountOutMinimum: 0n, hookData: "0x" }
        ])
        const input = encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [
          "0x060c0f",
          [swap, encodeAbiParameters(side, [token, amount]), encodeAbiParameters(side, [quote, 0n])]
        ])
        expect(routerSwap({ ...pool, kind: "v4", v4: { poolId, hooks } }, token, quote, amount, to)).toBe(
          execute("0x10", input)
        )
      })
    )
  })
})

it.effect("bytes nobody can foresee are as many as asked for, and others each time", () =>
  Effect.gen(function* () {
    const drawn = yield* Effect.replicateEffect(randomDigits(1_001), 3)
    for (const digits of drawn) expect(digits).toMatch(/^[0-9a-f]{2002}$/)
    expect(new Set(drawn).size).toBe(3)
  })
)
