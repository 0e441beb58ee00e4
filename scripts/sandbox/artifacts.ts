/** Byte code of the contracts the sandbox places: our own (`../contracts/artifacts`) and Uniswap's npm artifacts. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { Schema } from "effect"
import type { Hex } from "viem"

export interface Artifact {
  /** Creation code without constructor arguments. */
  readonly bytecode: Hex
  /** Code as it stands on chain, immutables zero. */
  readonly deployedBytecode: Hex
}

export type OwnContract =
  | "BlacklistToken"
  | "CleanToken"
  | "FeeToken"
  | "HoneypotToken"
  | "MintableToken"
  | "PlainToken"
  | "Multicall"
  | "PriceFeed"
  | "SmartWallet"
  | "Usdc"
  | "V3Minter"
  | "Weth"
  | "GaugeVoter"
  | "OnePercentHook"
  | "OwnerFeeHook"
  | "PoolDeployer"
  | "PositionGauge"
  | "SlipstreamFactory"
  | "SlipstreamRouter"
  | "SwapRouterV3"

const PrefixedArtifact = Schema.Struct({ bytecode: Schema.String, deployedBytecode: Schema.String })
const CompilerArtifact = Schema.Struct({
  evm: Schema.Struct({
    bytecode: Schema.Struct({ object: Schema.String }),
    deployedBytecode: Schema.Struct({ object: Schema.String })
  })
})

const hex = (text: string): Hex => `0x${text.replace(/^0x/, "")}`

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"))

const prefixed = (path: string): Artifact => {
  const { bytecode, deployedBytecode } = Schema.decodeUnknownSync(PrefixedArtifact)(readJson(path))
  return { bytecode: hex(bytecode), deployedBytecode: hex(deployedBytecode) }
}

const compilerOutput = (path: string): Artifact => {
  const { evm } = Schema.decodeUnknownSync(CompilerArtifact)(readJson(path))
  return { bytecode: hex(evm.bytecode.object), deployedBytecode: hex(evm.deployedBytecode.object) }
}

const npm = createRequire(import.meta.url)

export const ownArtifact = (name: OwnContract): Artifact =>
  prefixed(join(import.meta.dirname, "..", "contracts", "artifacts", `${name}.json`))

export const uniswapV2Factory = (): Artifact =>
  compilerOutput(npm.resolve("@uniswap/v2-core/build/UniswapV2Factory.json"))

export const uniswapV2Router = (): Artifact =>
  compilerOutput(npm.resolve("@uniswap/v2-periphery/build/UniswapV2Router02.json"))

export const uniswapV3Factory = (): Artifact =>
  prefixed(npm.resolve("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"))

export const uniswapV3Pool = (): Artifact =>
  prefixed(npm.resolve("@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json"))

export const uniswapV3Positions = (): Artifact =>
  prefixed(
    npm.resolve(
      "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json"
    )
  )

export const uniswapV2Pair = (): Artifact =>
  compilerOutput(npm.resolve("@uniswap/v2-core/build/UniswapV2Pair.json"))

export const pancakeV3Factory = (): Artifact =>
  prefixed(npm.resolve("@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json"))

export const pancakeV3Pool = (): Artifact =>
  prefixed(npm.resolve("@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json"))

export const universalRouter = (): Artifact =>
  prefixed(
    npm.resolve("@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json")
  )

const FoundryArtifact = Schema.Struct({
  bytecode: Schema.Struct({ object: Schema.String }),
  deployedBytecode: Schema.Struct({ object: Schema.String })
})

export const uniswapV4PoolManager = (): Artifact => {
  const path = npm.resolve("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json")
  const { bytecode, deployedBytecode } = Schema.decodeUnknownSync(FoundryArtifact)(readJson(path))
  return { bytecode: hex(bytecode.object), deployedBytecode: hex(deployedBytecode.object) }
}

const Periphery = Schema.Struct({
  positionManager: Schema.String,
  stateView: Schema.String,
  permit2: Schema.String
})

/**
 * Creation code of V4's PositionManager and StateView, and Permit2 as it stands on chain. Their package weighs 80 MB, so
 * that these three were taken out of it; the file names package, version and licence.
 */
export const v4Periphery = (): Readonly<Record<"positionManager" | "stateView" | "permit2", Hex>> => {
  const path = join(import.meta.dirname, "base", "v4-periphery.json")
  const { permit2, positionManager, stateView } = Schema.decodeUnknownSync(Periphery)(readJson(path))
  return { positionManager: hex(positionManager), stateView: hex(stateView), permit2: hex(permit2) }
}
