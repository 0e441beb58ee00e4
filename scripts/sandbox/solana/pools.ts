/** Pools in the byte layouts of PumpSwap and Raydium CPMM, with real vaults, LP mints and derived addresses. */
import { createHash } from "node:crypto"
import type { Address } from "@solana/kit"
import { solanaAddress } from "../accounts.ts"
import * as at from "./addresses.ts"
import type { Place } from "./place.ts"
import { addressBytes } from "./keys.ts"
import { derivedAddress } from "./place.ts"

export interface PoolPlan {
  /** The token that is traded. */
  readonly mint: Address
  /** Smallest units of the token in its vault. */
  readonly tokens: bigint
  /** WSOL when absent. */
  readonly quote?: Address
  /** Smallest units of the quote token in its vault. */
  readonly quoteAmount: bigint
  /** Part of the LP supply that still exists and is withdrawable, 0 (all burned, the default) to 1. */
  readonly unburned?: number
  /** Who holds what is left of the LP tokens. */
  readonly lpOwner?: Address
}

export interface PlacedPool {
  readonly kind: "pumpswap" | "raydium-cpmm"
  readonly address: Address
  readonly mint: Address
  readonly quote: Address
  readonly tokenVault: Address
  readonly quoteVault: Address
  readonly lpMint: Address
  /** LP tokens ever issued, as the pool's own account records it; burns do not change it. */
  readonly lpIssued: bigint
}

const LP_ISSUED = 1_000_000_000_000n
const PUMP_SWAP_SIZE = 300
const CPMM_SIZE = 637

const anchorDiscriminator = (name: string): Buffer =>
  createHash("sha256").update(`account:${name}`).digest().subarray(0, 8)

const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const key = (address: Address): Buffer => Buffer.from(addressBytes(address))

/** Bytes of `size` with each part written at its offset. */
export const layout = (
  size: number,
  parts: ReadonlyArray<readonly [offset: number, bytes: Uint8Array]>
): Buffer => {
  const data = Buffer.alloc(size)
  for (const [offset, bytes] of parts) data.set(bytes, offset)
  return data
}

const placeLp = async (place: Place, lpMint: Address, plan: PoolPlan): Promise<void> => {
  const supply = (LP_ISSUED * BigInt(Math.round((plan.unburned ?? 0) * 10_000))) / 10_000n
  place.mint({ address: lpMint, supply, decimals: 9 })
  if (supply > 0n) {
    const owner = plan.lpOwner ?? solanaAddress("lp holder")
    await place.tokenAccount({ mint: lpMint, owner, amount: supply })
  }
}

/** The canonical pool a token graduates to: index 0, created by the pump program's own pool authority. */
export const placePumpSwapPool = async (place: Place, plan: PoolPlan): Promise<PlacedPool> => {
  const quote = plan.quote ?? at.WSOL_MINT
  const creator = derivedAddress(at.PUMP_PROGRAM, ["pool-authority", key(plan.mint)])
  const address = derivedAddress(at.PUMP_SWAP_PROGRAM, [
    "pool",
    Buffer.from([0, 0]),
    key(creator),
    key(plan.mint),
    key(quote)
  ])
  const lpMint = derivedAddress(at.PUMP_SWAP_PROGRAM, ["pool_lp_mint", key(address)])
  await placeLp(place, lpMint, plan)
  const tokenVault = await place.tokenAccount({ mint: plan.mint, owner: address, amount: plan.tokens })
  const quoteVault = await place.tokenAccount({ mint: quote, owner: address, amount: plan.quoteAmount })
  const data = layout(PUMP_SWAP_SIZE, [
    [0, anchorDiscriminator("Pool")],
    [8, Buffer.from([255])],
    [11, key(creator)],
    [43, key(plan.mint)],
    [75, key(quote)],
    [107, key(lpMint)],
    [139, key(tokenVault)],
    [171, key(quoteVault)],
    [203, u64(LP_ISSUED)]
  ])
  place.account(address, { owner: at.PUMP_SWAP_PROGRAM, data })
  return {
    kind: "pumpswap",
    address,
    mint: plan.mint,
    quote,
    tokenVault,
    quoteVault,
    lpMint,
    lpIssued: LP_ISSUED
  }
}

/** A constant-product pool of Raydium. Its two mints stand in the order of their bytes, as on chain. */
export const placeCpmmPool = async (place: Place, plan: PoolPlan): Promise<PlacedPool> => {
  const quote = plan.quote ?? at.WSOL_MINT
  const tokenFirst = Buffer.compare(key(plan.mint), key(quote)) < 0
  const [mint0, mint1] = tokenFirst ? [plan.mint, quote] : [quote, plan.mint]
  const address = derivedAddress(at.CPMM_PROGRAM, ["pool", key(at.CPMM_CONFIG), key(mint0), key(mint1)])
  const lpMint = derivedAddress(at.CPMM_PROGRAM, ["pool_lp_mint", key(address)])
  const vaultOf = (mint: Address) => derivedAddress(at.CPMM_PROGRAM, ["pool_vault", key(address), key(mint)])
  const [tokenVault, quoteVault] = await Promise.all([vaultOf(plan.mint), vaultOf(quote)])
  const owner = at.CPMM_AUTHORITY
  await placeLp(place, lpMint, plan)
  await place.tokenAccount({ mint: plan.mint, owner, amount: plan.tokens, address: tokenVault })
  await place.tokenAccount({ mint: quote, owner, amount: plan.quoteAmount, address: quoteVault })
  const [vault0, vault1] = tokenFirst ? [tokenVault, quoteVault] : [quoteVault, tokenVault]
  const data = layout(CPMM_SIZE, [
    [0, anchorDiscriminator("PoolState")],
    [8, key(at.CPMM_CONFIG)],
    [40, key(solanaAddress("pool creator"))],
    [72, key(vault0)],
    [104, key(vault1)],
    [136, key(lpMint)],
    [168, key(mint0)],
    [200, key(mint1)],
    [330, Buffer.from([9])],
    [333, u64(LP_ISSUED)]
  ])
  place.account(address, { owner: at.CPMM_PROGRAM, data })
  return {
    kind: "raydium-cpmm",
    address,
    mint: plan.mint,
    quote,
    tokenVault,
    quoteVault,
    lpMint,
    lpIssued: LP_ISSUED
  }
}
