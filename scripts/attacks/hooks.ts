/** Hooks of V4 pools at addresses that say what they may do, and trades in such pools as wallets make them. */
import type { Address, Hex } from "viem"
import { concatHex, encodePacked, keccak256, maxUint160, maxUint256, numberToHex, zeroAddress } from "viem"
import type { Pool } from "../../src/screening/base/pools/pool.ts"
import { poolIdOf } from "../../src/screening/base/pools/v4.ts"
import { routerSwap } from "../../src/screening/base/simulation/universal-router.ts"
import { keccakHex } from "../../src/chain/keccak.ts"
import * as abi from "../sandbox/base/abi.ts"
import * as at from "../sandbox/base/addresses.ts"
import { DYNAMIC_FEE, SPACING } from "./concentrated.ts"
import type { ListedCase } from "./listed-case.ts"
import type { Stage } from "./stage.ts"
import { people } from "./stage.ts"

/** The deterministic deployment proxy: `CREATE2` with the salt before the code. Source: Arachnid's proxy, in anvil. */
const FACTORY: Address = "0x4e59b44847b379578588920ca78fbf26c0b4956c"
/** Low bits of a hook's address are its permissions. Source: Uniswap v4-core Hooks. */
const FLAG_BITS = 0x3fffn

/** Deploys a hook where its address has these permissions. */
export const deployHook = async ({ devnet }: Stage, data: Hex, flags: bigint): Promise<Address> => {
  const codeHash = keccak256(data)
  for (let salt = 0n; ; salt++) {
    const salted = numberToHex(salt, { size: 32 })
    const hash = keccakHex(
      encodePacked(["bytes1", "address", "bytes32", "bytes32"], ["0xff", FACTORY, salted, codeHash])
    )
    if ((BigInt(hash) & FLAG_BITS) !== flags) continue
    await devnet.send(people.deployer, FACTORY, concatHex([salted, data]))
    return `0x${hash.slice(26)}`
  }
}

const poolOf = ({ pool, terms, token }: ListedCase): Pool => {
  const key = { currency0: zeroAddress, currency1: token, tickSpacing: SPACING, ...terms }
  return {
    kind: "v4",
    dex: "uniswap-v4",
    address: pool,
    token,
    quote: zeroAddress,
    feePips: terms.fee,
    tickSpacing: SPACING,
    v4: { poolId: poolIdOf(key), hooks: terms.hooks, dynamicFee: terms.fee === DYNAMIC_FEE },
    quoteReserve: 0n,
    tokenReserve: 0n,
    quoteUsd: 0,
    priceUsd: null
  }
}

const swapBy = async (
  { devnet }: Stage,
  listed: ListedCase,
  by: Address,
  { buying, amount, gas }: { readonly buying: boolean; readonly amount: bigint; readonly gas?: bigint }
): Promise<void> => {
  const pool = poolOf(listed)
  const [tokenIn, tokenOut] = buying ? [zeroAddress, listed.token] : [listed.token, zeroAddress]
  const data = routerSwap(pool, tokenIn, tokenOut, amount, by)
  if (data === null) throw new Error("the pool has no key")
  await devnet.send(by, at.UNIVERSAL_ROUTER, data, buying ? amount : 0n, gas)
}

/** Buys for ether through the Universal Router. */
export const buyV4 = (stage: Stage, listed: ListedCase, by: Address, wei: bigint): Promise<void> =>
  swapBy(stage, listed, by, { buying: true, amount: wei })

/** Sells through Permit2 and the Universal Router. Rejects where the sale reverts. */
export const sellV4 = async (
  stage: Stage,
  listed: ListedCase,
  by: Address,
  amount: bigint
): Promise<void> => {
  const { devnet } = stage
  await devnet.write(by, listed.token, abi.erc20, "approve", [at.PERMIT2, maxUint256])
  await devnet.write(by, at.PERMIT2, abi.permit2, "approve", [
    listed.token,
    at.UNIVERSAL_ROUTER,
    maxUint160,
    2 ** 47
  ])
  await swapBy(stage, listed, by, { buying: false, amount })
}

/** Ether that all V4 pools hold together. */
export const etherInV4 = ({ devnet }: Stage): Promise<bigint> =>
  devnet.client.getBalance({ address: at.V4_MANAGER })
