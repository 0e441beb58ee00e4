import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { Address, Hex } from "viem"
import {
  createPublicClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  maxUint256,
  parseAbi,
  parseEther
} from "viem"
import { addSlipstream, addV3Nft } from "../../../../scripts/attacks/concentrated.ts"
import type { Stage } from "../../../../scripts/attacks/stage.ts"
import { people, startStage } from "../../../../scripts/attacks/stage.ts"
import { ownArtifact } from "../../../../scripts/sandbox/artifacts.ts"
import * as abi from "../../../../scripts/sandbox/base/abi.ts"
import * as at from "../../../../scripts/sandbox/base/addresses.ts"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { WETH, lower } from "../../../../src/screening/base/addresses.ts"
import { readMints } from "../../../../src/screening/base/pools/minted.ts"
import type { PoolSides } from "../../../../src/screening/base/pools/position-reads.ts"
import { readPurchases } from "../../../../src/screening/base/pools/purchases.ts"
import { readPositions } from "../../../../src/screening/base/pools/positions.ts"

const SUPPLY = parseEther("1000000000")
const scope = Effect.runSync(Scope.make())
let stage: Stage
let rpc: BaseRpc

beforeAll(async () => {
  stage = await Effect.runPromise(Scope.extend(startStage, scope))
  const urls = [Redacted.make(stage.url)]
  rpc = await Effect.runPromise(makeBaseRpcWith({ urls, timeout: "20 seconds", concurrency: 8 }))
}, 60_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const coin = async (): Promise<Address> => {
  const args = [{ type: "string" }, { type: "string" }, { type: "uint256" }] as const
  const token = await stage.devnet.deploy(
    people.deployer,
    ownArtifact("PlainToken").bytecode,
    encodeAbiParameters(args, ["Coin", "COIN", SUPPLY])
  )
  return lower(token)
}

const v3 = (token: Address, address: Address): PoolSides => ({
  kind: "v3",
  dex: "uniswap-v3",
  address: lower(address),
  token,
  quote: WETH,
  feePips: 3000,
  tokenReserve: SUPPLY,
  // No money: shares are of the liquidity alone.
  quoteReserve: 0n
})
const slipstream = (token: Address, address: Address): PoolSides => ({
  ...v3(token, address),
  kind: "slipstream",
  dex: "aerodrome-slipstream",
  tickSpacing: 200
})

const sharesOf = async (of: PoolSides, by: BaseRpc = rpc) => {
  const held = { address: of.token, abi: abi.erc20, functionName: "balanceOf", args: [of.address] } as const
  const pool = { ...of, tokenReserve: await stage.devnet.client.readContract(held) }
  const blockNumber = await Effect.runPromise(rpc.blockNumber)
  const range = { fromBlock: 0n, toBlock: blockNumber }
  const mints = await Effect.runPromise(readMints(by, [{ ...pool, feePips: pool.feePips }], range, 0n))
  const input = {
    mints,
    pools: [pool],
    launchpadHolders: () => new Set<Address>(),
    blockNumber,
    vouched: new Set<Address>(),
    now: 0n,
    range
  }
  const found = await Effect.runPromise(
    readPositions(by, { ...input, hasNoWayOut: () => Effect.succeed(false) })
  )
  return { mints, shares: found.get(pool.address) }
}

/** The same node, except for what it says about events. */
const withLogs = (logs: (params: ReadonlyArray<unknown>) => Promise<unknown>): BaseRpc => {
  const request = ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
    const given: ReadonlyArray<unknown> = Array.isArray(params) ? params : []
    return method === "eth_getLogs" ? logs(given) : stage.devnet.request(method, given)
  }
  return { ...rpc, client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) }
}

const ROUTER = parseAbi([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)"
])
const POSITIONS = parseAbi([
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable"
])

/** The NFT that grew last, and by how much. */
const newestNft = async (): Promise<{ readonly tokenId: bigint; readonly liquidity: bigint }> => {
  const grown = await stage.devnet.client.getContractEvents({
    address: at.V3_POSITIONS,
    abi: POSITIONS,
    eventName: "IncreaseLiquidity",
    fromBlock: 0n
  })
  const { tokenId = 0n, liquidity = 0n } = grown.at(-1)?.args ?? {}
  return { tokenId, liquidity }
}

const decrease = (tokenId: bigint, liquidity: bigint) =>
  stage.devnet.write(people.deployer, at.V3_POSITIONS, POSITIONS, "decreaseLiquidity", [
    { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 64n }
  ])

const half = SUPPLY / 2n
const tenth = SUPPLY / 10n

describe("an NFT that stands for liquidity", () => {
  it("burned is locked, in a wallet is its owner's, and both are counted once however often they grew", async () => {
    const token = await coin()
    const pool = await addV3Nft(stage, token, { tokens: tenth, ether: parseEther("1"), lp: "burned" })
    await addV3Nft(stage, token, { tokens: half, ether: parseEther("5"), lp: "deployer" })
    const [first] = await stage.devnet.client.getContractEvents({
      address: at.V3_POSITIONS,
      abi: abi.positions,
      eventName: "Transfer",
      args: { to: at.BURN },
      fromBlock: 0n
    })
    const tokenId = first?.args.tokenId ?? 0n
    const small = tenth / 1000n
    await stage.devnet.write(people.deployer, at.WETH, abi.weth, "deposit", [], parseEther("1"))
    for (let time = 0; time < 12; time++) {
      await stage.devnet.write(people.deployer, at.V3_POSITIONS, abi.positions, "increaseLiquidity", [
        {
          tokenId,
          amount0Desired: small,
          amount1Desired: small,
          amount0Min: 0n,
          amount1Min: 0n,
          deadline: 2n ** 64n
        }
      ])
    }
    const { mints, shares } = await sharesOf(v3(token, pool))
    expect(mints.whole.has(lower(pool))).toBe(true)
    expect(shares?.known).toBeGreaterThan(0.999)
    expect(shares?.locked).toBeGreaterThan(0.16)
    expect(shares?.locked).toBeLessThan(0.19)
    expect(shares?.largestFree).toBeGreaterThan(0.8)
  })

  it("of another pair says nothing about this one, though one transaction made both", async () => {
    const [token, junk] = [await coin(), await coin()]
    const pool = await addV3Nft(stage, token, { tokens: half, ether: parseEther("5"), lp: "deployer" })
    const junkPool = await addV3Nft(stage, junk, { tokens: 1000n, ether: 1000n, lp: "burned" })
    expect(junkPool).not.toBe(pool)
    const mint = (of: Address, amount: bigint): Hex => {
      const [token0, token1] = BigInt(of) < BigInt(WETH) ? [of, WETH] : [WETH, of]
      const range = { tickLower: -887_220, tickUpper: 887_220 }
      const amounts = { amount0Desired: amount, amount1Desired: amount, amount0Min: 0n, amount1Min: 0n }
      const rest = { fee: 3000, recipient: at.BURN, deadline: 2n ** 64n }
      return encodeFunctionData({
        abi: abi.positions,
        functionName: "mint",
        args: [{ token0, token1, ...range, ...amounts, ...rest }]
      })
    }
    await stage.devnet.write(people.deployer, at.WETH, abi.weth, "deposit", [], parseEther("400000"))
    await stage.devnet.write(people.deployer, junk, abi.erc20, "approve", [at.V3_POSITIONS, maxUint256])
    await stage.devnet.write(people.deployer, at.V3_POSITIONS, abi.positions, "multicall", [
      [mint(token, parseEther("0.001")), mint(junk, parseEther("300000"))]
    ])
    const { shares } = await sharesOf(v3(token, pool))
    expect(shares?.locked).toBeLessThan(0.01)
    expect(shares?.largestFree).toBeGreaterThan(0.99)
  })

  it("is still its owner's once it was emptied and what it held was not fetched", async () => {
    const token = await coin()
    const pool = await addV3Nft(stage, token, { tokens: tenth, ether: parseEther("1"), lp: "burned" })
    await addV3Nft(stage, token, { tokens: half, ether: 0n, lp: "deployer", where: "parked" })
    const { tokenId, liquidity } = await newestNft()
    await decrease(tokenId, liquidity)
    const { shares } = await sharesOf(v3(token, pool))
    expect(shares?.freeTokens).toBeGreaterThan((half * 99n) / 100n)
    expect(shares?.locked).toBeGreaterThan(0.999)
  })

  it("has no part in the fees of a burned one of the same stretch, whoever lets the pool count them", async () => {
    const token = await coin()
    const pool = await addV3Nft(stage, token, { tokens: tenth, ether: parseEther("1"), lp: "burned" })
    await addV3Nft(stage, token, { tokens: tenth / 10n, ether: parseEther("0.1"), lp: "deployer" })
    const { tokenId } = await newestNft()
    const { deployer } = people
    await stage.devnet.write(deployer, token, abi.erc20, "approve", [at.V3_ROUTER, maxUint256])
    const amountIn = tenth * 2n
    await stage.devnet.write(deployer, at.V3_ROUTER, ROUTER, "exactInputSingle", [
      {
        tokenIn: token,
        tokenOut: at.WETH,
        fee: 3000,
        recipient: deployer,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      }
    ])
    await decrease(tokenId, 1n)
    const { shares } = await sharesOf(v3(token, pool))
    const fees = (amountIn * 3n) / 1000n
    expect((shares?.possibleTokens ?? 0n) - (shares?.freeTokens ?? 0n)).toBeLessThan(fees / 100n)
  })

  it("sold nothing to a market where its owner bought all of it and took out the money again", async () => {
    const token = await coin()
    const pool = await addV3Nft(stage, token, { tokens: tenth, ether: parseEther("1"), lp: "burned" })
    const put = { tokens: half, ether: parseEther("5"), lp: "deployer", where: "narrow" } as const
    await addV3Nft(stage, token, put)
    const { tokenId, liquidity } = await newestNft()
    const { deployer } = people
    const amountIn = parseEther("6")
    await stage.devnet.write(deployer, at.WETH, abi.weth, "deposit", [], amountIn)
    await stage.devnet.write(deployer, at.WETH, abi.erc20, "approve", [at.V3_ROUTER, maxUint256])
    await stage.devnet.write(deployer, at.V3_ROUTER, ROUTER, "exactInputSingle", [
      {
        tokenIn: at.WETH,
        tokenOut: token,
        fee: 3000,
        recipient: deployer,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      }
    ])
    const bought = async () => {
      const held = { address: token, abi: abi.erc20, functionName: "balanceOf", args: [pool] } as const
      const tokenReserve = await stage.devnet.client.readContract(held)
      const blockNumber = await Effect.runPromise(rpc.blockNumber)
      const priced = { ...v3(token, pool), tokenReserve, quoteUsd: 1, priceUsd: 1 }
      const fact = await Effect.runPromise(readPurchases(rpc, [priced], blockNumber, null))
      return fact.known ? fact.value.tokens : null
    }
    expect(await bought()).toBeGreaterThan(tenth * 4n)
    await decrease(tokenId, liquidity)
    expect(await bought()).toBeLessThan(tenth)
  })

  it("staked in a gauge is still the staker's", async () => {
    const token = await coin()
    const pool = await addSlipstream(stage, token, { tokens: half, ether: parseEther("5"), lp: "gauge" })
    const { shares } = await sharesOf(slipstream(token, pool))
    expect(shares).toMatchObject({ locked: 0 })
    expect(shares?.known).toBeGreaterThan(0.999)
    expect(shares?.largestFree).toBeGreaterThan(0.999)
  })

  it("is somebody's where a node is a block behind with its events, and says nothing of it", async () => {
    const token = await coin()
    const pool = await addV3Nft(stage, token, { tokens: tenth, ether: parseEther("1"), lp: "burned" })
    await addV3Nft(stage, token, { tokens: half, ether: 0n, lp: "deployer", where: "parked" })
    const behind = withLogs(async (params) => {
      const logs = await stage.devnet.request("eth_getLogs", params)
      return Array.isArray(logs) ? logs.slice(0, -1) : logs
    })
    const { mints, shares } = await sharesOf(v3(token, pool), behind)
    expect(mints.whole.has(lower(pool))).toBe(true)
    expect(shares?.locked).toBe(1)
    expect(shares?.possibleTokens).toBeGreaterThan((half * 99n) / 100n)
  })

  it("is not known where a node serves no events, refuses them, or is silent", async () => {
    const token = await coin()
    const pool = await addV3Nft(stage, token, { tokens: half, ether: parseEther("5"), lp: "burned" })
    const of = v3(token, pool)
    for (const logs of [() => Promise.resolve([]), () => Promise.reject(new Error("no logs here"))]) {
      const { mints, shares } = await sharesOf(of, withLogs(logs))
      expect(mints.whole.size).toBe(0)
      expect(shares).toBeUndefined()
    }
  })
})
