import { readFileSync } from "node:fs"
import type { Address } from "viem"
import { encodeAbiParameters, keccak256, parseAbiParameters, zeroAddress } from "viem"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import type { TestChain } from "./chain.ts"
import { asAddress, basePool, weth } from "./chain.ts"
import { compile, shipped } from "./compile.ts"

const ether = 10n ** 18n
const uniswapV3Router: Address = "0x2626664c2603336e57b271c5c0b26f421741e481"
const priceOfOne = 79228162514264337593543950336n
const depth = 1000n * ether

const sorted = (a: Address, b: Address): readonly [Address, Address] =>
  BigInt(a) < BigInt(b) ? [a, b] : [b, a]

/** As many of both tokens. */
const filled = (address: Address, token: Address, quote: Address) => ({
  address,
  token,
  quote,
  quoteReserve: depth,
  tokenReserve: depth
})

/** Real Uniswap V3 pools (npm artifacts), filled over all ticks at a price of one; our double as their router. */
export const makeV3 = async (chain: TestChain) => {
  const artifact = shipped("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json")
  const factory = await chain.deploy(artifact)
  await chain.move(await chain.deploy(chain.tokens("V3RouterDouble"), [factory]), uniswapV3Router)
  const url = new URL("../../../../scripts/contracts/artifacts/V3Minter.json", import.meta.url)
  const minter = await chain.deploy(JSON.parse(readFileSync(url, "utf8")))
  return async (token: Address, quote: Address = weth): Promise<Pool> => {
    await chain.send(factory, "createPool(address,address,uint24)", [token, quote, 3000])
    const read = { address: factory, abi: artifact.abi, functionName: "getPool", args: [token, quote, 3000] }
    const address = asAddress(await chain.client.readContract(read))
    await chain.send(address, "initialize(uint160)", [priceOfOne])
    await chain.send(token, "transfer(address,uint256)", [minter, 2n * depth])
    await chain.send(quote, "transfer(address,uint256)", [minter, 2n * depth])
    await chain.send(token, "setExempt(address)", [minter])
    await chain.send(minter, "mint(address,int24,int24,uint128)", [address, -887220, 887220, depth])
    await chain.send(token, "setPool(address)", [address])
    return {
      ...basePool,
      ...filled(address, token, quote),
      kind: "v3",
      dex: "uniswap-v3"
    }
  }
}

const hookFlags = { none: 0n, takes: 0x44n, traps: 0x80n }

/** The real V4 PoolManager (npm artifact) with hookless pools and pools of two hooks of ours. */
export const makeV4 = async (chain: TestChain) => {
  const manager = await chain.deploy(shipped("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json"), [
    chain.account
  ])
  const contracts = compile("V4Liquidity.sol")
  const filler = await chain.deploy(contracts("V4Liquidity"))
  await chain.client.setBalance({ address: filler, value: 100_000n * ether })
  // A hook's address says what it does; the codes are moved to addresses that say it truly.
  const at = async (name: string, flags: bigint): Promise<Address> => {
    const address: Address = `0x${((0xabcdefn << 100n) | flags).toString(16).padStart(40, "0")}`
    await chain.move(await chain.deploy(contracts(name)), address)
    return address
  }
  const hooks = {
    none: zeroAddress,
    takes: await at("TakingHook", hookFlags.takes),
    traps: await at("TrapHook", hookFlags.traps)
  }
  return async (token: Address, quote: Address, hook: keyof typeof hooks = "none"): Promise<Pool> => {
    const [currency0, currency1] = sorted(token, quote)
    const key = [currency0, currency1, 3000, 60, hooks[hook]] as const
    await chain.send(token, "transfer(address,uint256)", [filler, 2n * depth])
    if (quote !== zeroAddress) await chain.send(quote, "transfer(address,uint256)", [filler, 2n * depth])
    await chain.send(token, "setExempt(address)", [filler])
    const signature = "open(address,(address,address,uint24,int24,address),int24,uint256)"
    await chain.send(filler, signature, [manager, key, 887220, depth])
    await chain.send(token, "setPool(address)", [manager])
    const poolId = keccak256(
      encodeAbiParameters(parseAbiParameters("address, address, uint24, int24, address"), [...key])
    )
    return {
      ...basePool,
      kind: "v4",
      dex: "uniswap-v4",
      address: manager,
      token,
      quote,
      tickSpacing: 60,
      v4: { poolId, hooks: hooks[hook] },
      quoteReserve: depth,
      tokenReserve: depth
    }
  }
}

/** Doubles of Aerodrome's pools, see the contract. */
export const makeAerodrome =
  (chain: TestChain) =>
  async (token: Address, stable: boolean): Promise<Pool> => {
    const address = await chain.deploy(chain.tokens("AerodromePoolDouble"), [token, weth, stable])
    await chain.send(token, "transfer(address,uint256)", [address, depth])
    await chain.send(weth, "transfer(address,uint256)", [address, depth])
    await chain.send(address, "sync()")
    await chain.send(token, "setPool(address)", [address])
    return {
      ...basePool,
      ...filled(address, token, weth),
      kind: "aerodrome-v2",
      dex: "aerodrome",
      stable
    }
  }
