/** Places the exchanges beyond Uniswap V2 and V3's factory: real contracts of npm packages, small stand-ins around them. */
import type { Address, Hex } from "viem"
import { encodeAbiParameters, getAddress, keccak256, numberToHex, parseAbi, zeroAddress } from "viem"
import {
  ownArtifact,
  pancakeV3Factory,
  pancakeV3Pool,
  uniswapV2Pair,
  uniswapV3Pool,
  uniswapV3Positions,
  uniswapV4PoolManager,
  universalRouter,
  v4Periphery
} from "../artifacts.ts"
import type { OwnContract } from "../artifacts.ts"
import * as at from "./addresses.ts"
import type { Devnet } from "./devnet.ts"

/** First slots of a contract, where constructors write their counters and names. */
const SLOTS = 32n
const address = { type: "address" } as const

/** Deploys and moves a contract: code with its immutables (its own address among them) and the first words it stores. */
const place = async (
  devnet: Devnet,
  deployer: Address,
  to: Address,
  bytecode: Hex,
  constructorArguments: Hex = "0x"
): Promise<void> => {
  const copy = await devnet.deploy(deployer, bytecode, constructorArguments)
  const code = (await devnet.client.getCode({ address: copy })) ?? "0x"
  const moved = code.slice(2).replaceAll(copy.slice(2).toLowerCase(), to.slice(2).toLowerCase())
  await devnet.setCode(to, `0x${moved}`)
  for (let slot = 0n; slot < SLOTS; slot++) {
    const value = await devnet.client.getStorageAt({ address: copy, slot: numberToHex(slot) })
    if (value !== undefined && BigInt(value) !== 0n) await devnet.setStorage(to, slot, value)
  }
}

const placeOwn = (devnet: Devnet, name: OwnContract, to: Address): Promise<void> =>
  devnet.setCode(to, ownArtifact(name).deployedBytecode)

/** Where a deployer of pools finds their creation code. */
const codeOf = (deployer: Address): Address => getAddress(numberToHex(BigInt(deployer) ^ 1n, { size: 20 }))

const placeV4 = async (devnet: Devnet, deployer: Address): Promise<void> => {
  const { permit2, positionManager, stateView } = v4Periphery()
  await devnet.setCode(at.PERMIT2, permit2)
  await place(
    devnet,
    deployer,
    at.V4_MANAGER,
    uniswapV4PoolManager().bytecode,
    encodeAbiParameters([address], [deployer])
  )
  await place(devnet, deployer, at.V4_STATE_VIEW, stateView, encodeAbiParameters([address], [at.V4_MANAGER]))
  await place(
    devnet,
    deployer,
    at.V4_POSITIONS,
    positionManager,
    encodeAbiParameters(
      [address, address, { type: "uint256" }, address, address],
      [at.V4_MANAGER, at.PERMIT2, 300_000n, zeroAddress, at.WETH]
    )
  )
  await placeOwn(devnet, "OnePercentHook", at.ONE_PERCENT_HOOK)
  await place(devnet, deployer, at.OWNER_FEE_HOOK, ownArtifact("OwnerFeeHook").bytecode)
}

const placeUniversalRouter = (devnet: Devnet, deployer: Address): Promise<void> => {
  const hash = { type: "bytes32" } as const
  const parameters = {
    type: "tuple",
    components: [address, address, address, address, hash, hash, address, address, address]
  } as const
  return place(
    devnet,
    deployer,
    at.UNIVERSAL_ROUTER,
    universalRouter().bytecode,
    encodeAbiParameters(
      [parameters],
      [
        [
          at.PERMIT2,
          at.WETH,
          at.V2_FACTORY,
          at.V3_FACTORY,
          keccak256(uniswapV2Pair().bytecode),
          keccak256(uniswapV3Pool().bytecode),
          at.V4_MANAGER,
          at.V3_POSITIONS,
          at.V4_POSITIONS
        ]
      ]
    )
  )
}

const positions = (devnet: Devnet, deployer: Address, to: Address, factory: Address): Promise<void> =>
  place(
    devnet,
    deployer,
    to,
    uniswapV3Positions().bytecode,
    encodeAbiParameters([address, address, address], [factory, at.WETH, zeroAddress])
  )

const placeSlipstream = async (devnet: Devnet, deployer: Address): Promise<void> => {
  await placeOwn(devnet, "SlipstreamFactory", at.SLIPSTREAM_FACTORY)
  await devnet.setCode(codeOf(at.SLIPSTREAM_FACTORY), uniswapV3Pool().bytecode)
  await placeOwn(devnet, "SlipstreamRouter", at.SLIPSTREAM_ROUTER)
  await placeOwn(devnet, "GaugeVoter", at.AERODROME_VOTER)
  await placeOwn(devnet, "PositionGauge", at.SLIPSTREAM_GAUGE)
  await positions(devnet, deployer, at.SLIPSTREAM_POSITIONS, at.SLIPSTREAM_FACTORY)
}

const placePancakeV3 = async (devnet: Devnet, deployer: Address): Promise<void> => {
  await placeOwn(devnet, "PoolDeployer", at.PANCAKE_V3_DEPLOYER)
  await devnet.setCode(codeOf(at.PANCAKE_V3_DEPLOYER), pancakeV3Pool().bytecode)
  await place(
    devnet,
    deployer,
    at.PANCAKE_V3_FACTORY,
    pancakeV3Factory().bytecode,
    encodeAbiParameters([address], [at.PANCAKE_V3_DEPLOYER])
  )
  // Fees and their spacings lie in mappings, which are not moved.
  const fees = parseAbi(["function enableFeeAmount(uint24 fee, int24 tickSpacing)"])
  await devnet.write(deployer, at.PANCAKE_V3_FACTORY, fees, "enableFeeAmount", [2500, 50])
}

/** Everything that stands on Base beside Uniswap V2 and V3's factory, which must be there before. */
export const placeVenues = async (devnet: Devnet, deployer: Address): Promise<void> => {
  await placeV4(devnet, deployer)
  await placeOwn(devnet, "SwapRouterV3", at.V3_ROUTER)
  await positions(devnet, deployer, at.V3_POSITIONS, at.V3_FACTORY)
  await placeUniversalRouter(devnet, deployer)
  await placeSlipstream(devnet, deployer)
  await placePancakeV3(devnet, deployer)
}
