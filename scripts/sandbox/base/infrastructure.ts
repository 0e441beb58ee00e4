/** Places what stands on Base whatever tokens there are: USDC, WETH, Multicall3, the feed, Uniswap. */
import type { Address, Hex } from "viem"
import { encodeAbiParameters, pad, parseEther } from "viem"
import { ownArtifact, uniswapV2Factory, uniswapV2Router, uniswapV3Factory } from "../artifacts.ts"
import * as abi from "./abi.ts"
import * as at from "./addresses.ts"
import type { Devnet } from "./devnet.ts"

/** USD per ETH, 8 decimals, that the feed answers at first. */
export const ETH_USD = 3_000n * 10n ** 8n

const FOREVER = 2n ** 64n

const word = (address: Address): Hex => pad(address, { size: 32 })

const placeOwnContracts = async (devnet: Devnet, deployer: Address, walletOwner: Address): Promise<void> => {
  await Promise.all([
    devnet.setCode(at.USDC, ownArtifact("Usdc").deployedBytecode),
    devnet.setCode(at.WETH, ownArtifact("Weth").deployedBytecode),
    devnet.setCode(at.MULTICALL3, ownArtifact("Multicall").deployedBytecode),
    devnet.setCode(at.ETH_USD_FEED, ownArtifact("PriceFeed").deployedBytecode),
    devnet.setCode(at.SMART_WALLET, ownArtifact("SmartWallet").deployedBytecode),
    devnet.setCode(at.V3_MINTER, ownArtifact("V3Minter").deployedBytecode)
  ])
  await devnet.write(deployer, at.USDC, abi.usdc, "initialize", [deployer])
  await devnet.write(deployer, at.ETH_USD_FEED, abi.priceFeed, "initialize", [deployer, ETH_USD])
  await devnet.write(deployer, at.SMART_WALLET, abi.smartWallet, "initialize", [walletOwner])
}

const placeUniswapV2 = async (devnet: Devnet, deployer: Address): Promise<void> => {
  await devnet.setCode(at.V2_FACTORY, uniswapV2Factory().deployedBytecode)
  // Slot 1 is `feeToSetter`, the only thing the constructor writes.
  await devnet.setStorage(at.V2_FACTORY, 1n, word(deployer))
  // The router's immutables (factory, WETH) are in its code, so the code is taken from a real deployment.
  const copy = await devnet.deploy(
    deployer,
    uniswapV2Router().bytecode,
    encodeAbiParameters([{ type: "address" }, { type: "address" }], [at.V2_FACTORY, at.WETH])
  )
  const code = await devnet.client.getCode({ address: copy })
  if (code === undefined) throw new Error("the router has no code")
  await devnet.setCode(at.V2_ROUTER, code)
}

const placeUniswapV3 = async (devnet: Devnet, deployer: Address): Promise<void> => {
  const copy = await devnet.deploy(deployer, uniswapV3Factory().bytecode)
  const code = await devnet.client.getCode({ address: copy })
  if (code === undefined) throw new Error("the V3 factory has no code")
  // NoDelegateCall keeps the contract's own address as an immutable: move it along with the code.
  const moved = code.slice(2).replaceAll(copy.slice(2).toLowerCase(), at.V3_FACTORY.slice(2).toLowerCase())
  await devnet.setCode(at.V3_FACTORY, `0x${moved}`)
  // Slots 0–2 are the deployer's `parameters`, slot 3 is `owner`.
  await devnet.setStorage(at.V3_FACTORY, 3n, word(deployer))
  for (const [fee, spacing] of [
    [100, 1],
    [500, 10],
    [3000, 60],
    [10_000, 200]
  ] as const) {
    await devnet.write(deployer, at.V3_FACTORY, abi.v3Factory, "enableFeeAmount", [fee, spacing])
  }
}

/** A WETH/USDC pool at the feed's price: what a service can check the feed against. */
const createReferencePool = async (devnet: Devnet, deployer: Address): Promise<void> => {
  const ether = parseEther("200")
  const dollars = (200n * ETH_USD) / 100n
  await devnet.write(deployer, at.USDC, abi.usdc, "mint", [deployer, dollars])
  await devnet.write(deployer, at.USDC, abi.erc20, "approve", [at.V2_ROUTER, dollars])
  await devnet.write(
    deployer,
    at.V2_ROUTER,
    abi.v2Router,
    "addLiquidityETH",
    [at.USDC, dollars, 0n, 0n, at.BURN, FOREVER],
    ether
  )
}

export const placeInfrastructure = async (
  devnet: Devnet,
  deployer: Address,
  walletOwner: Address
): Promise<void> => {
  await placeOwnContracts(devnet, deployer, walletOwner)
  await placeUniswapV2(devnet, deployer)
  await placeUniswapV3(devnet, deployer)
  await createReferencePool(devnet, deployer)
}
