/** The sandbox's tokens on Solana, one for every kind the service has to tell apart. */
import type { Address } from "@solana/kit"
import { AccountState, extension } from "@solana-program/token-2022"
import type { ExtensionArgs } from "@solana-program/token-2022"
import { solanaAddress, solanaSigner } from "../accounts.ts"
import * as at from "./addresses.ts"
import type { MintPlan, Place } from "./place.ts"
import type { PlacedPool } from "./pools.ts"
import { placeCpmmPool, placePumpSwapPool } from "./pools.ts"

export interface SolanaToken {
  readonly address: Address
  readonly name: string
  readonly symbol: string
  /** `null` for a token that trades nowhere. */
  readonly pool: PlacedPool | null
}

export interface SolanaTokens {
  /** No authorities; canonical PumpSwap pool with burned LP. */
  readonly clean: SolanaToken
  /** Supply can grow. */
  readonly mintable: SolanaToken
  /** Holders can be frozen. */
  readonly freezable: SolanaToken
  /** Like clean, but the LP tokens are one holder's. */
  readonly unlocked: SolanaToken
  /** Token-2022 with 10 % on every transfer. */
  readonly transferFee: SolanaToken
  /** Token-2022 whose delegate can take anyone's tokens. */
  readonly permanentDelegate: SolanaToken
  /** Token-2022 whose new accounts start frozen. */
  readonly defaultFrozen: SolanaToken
  /** Token-2022 that runs a program on every transfer. */
  readonly transferHook: SolanaToken
  /** Token-2022 that cannot be transferred. */
  readonly nonTransferable: SolanaToken
  /** Token-2022 whose transfers can be paused. */
  readonly pausable: SolanaToken
  /** A plain mint that trades nowhere. */
  readonly unlisted: SolanaToken
}

/** Smallest units (6 decimals): one billion tokens. */
const SUPPLY = 1_000_000_000_000_000n
const HOLDER_SHARE = SUPPLY / 100n
const HOLDERS = 6
const LAMPORTS = 1_000_000_000n

/** Someone who could harm holders; has no key. */
export const ISSUER = solanaAddress("issuer")

interface Plan extends MintPlan {
  readonly name: string
  readonly symbol: string
  readonly pool?: "pumpswap" | "raydium-cpmm"
  /** SOL in the pool. */
  readonly sol?: bigint
  readonly unburned?: number
}

const placeSolanaToken = async (place: Place, plan: Plan): Promise<SolanaToken> => {
  const address = place.mint({ label: plan.symbol, supply: SUPPLY, ...plan })
  await place.metadata({
    mint: address,
    name: plan.name,
    symbol: plan.symbol,
    updateAuthority: ISSUER,
    mutable: false
  })
  for (let index = 0; index < HOLDERS; index++) {
    // Somebody with a key: half of the addresses made of a label alone are ones that only a program could sign for.
    const { address: owner } = await solanaSigner(`holder ${index}`)
    await place.tokenAccount({ mint: address, owner, amount: HOLDER_SHARE })
  }
  const rest = SUPPLY - HOLDER_SHARE * BigInt(HOLDERS)
  const poolPlan = {
    mint: address,
    tokens: rest,
    quoteAmount: (plan.sol ?? 500n) * LAMPORTS,
    unburned: plan.unburned ?? 0,
    lpOwner: ISSUER
  }
  if (plan.pool === undefined) {
    await place.tokenAccount({ mint: address, owner: ISSUER, amount: rest })
    return { address, name: plan.name, symbol: plan.symbol, pool: null }
  }
  const pool =
    plan.pool === "pumpswap" ? await placePumpSwapPool(place, poolPlan) : await placeCpmmPool(place, poolPlan)
  return { address, name: plan.name, symbol: plan.symbol, pool }
}

const fee = { epoch: 0n, maximumFee: SUPPLY, transferFeeBasisPoints: 1_000 }

const dangerous = {
  transferFee: extension("TransferFeeConfig", {
    transferFeeConfigAuthority: ISSUER,
    withdrawWithheldAuthority: ISSUER,
    withheldAmount: 0n,
    olderTransferFee: fee,
    newerTransferFee: fee
  }),
  permanentDelegate: extension("PermanentDelegate", { delegate: ISSUER }),
  defaultFrozen: extension("DefaultAccountState", { state: AccountState.Frozen }),
  transferHook: extension("TransferHook", { authority: ISSUER, programId: solanaAddress("hook program") }),
  nonTransferable: { __kind: "NonTransferable" },
  pausable: extension("PausableConfig", { authority: ISSUER, paused: false })
} as const satisfies Record<string, ExtensionArgs>

export const placeSolanaTokens = async (place: Place): Promise<SolanaTokens> => {
  const cpmm = (name: string, symbol: string, plan: Omit<Plan, "name" | "symbol">) =>
    placeSolanaToken(place, { name, symbol, pool: "raydium-cpmm", ...plan })
  const token2022 = (name: string, symbol: string, item: ExtensionArgs, plan: Partial<Plan> = {}) =>
    cpmm(name, symbol, { extensions: [item], ...plan })
  return {
    clean: await placeSolanaToken(place, { name: "Clean", symbol: "CLEAN", pool: "pumpswap", sol: 800n }),
    mintable: await cpmm("Mintable", "MINT", { mintAuthority: ISSUER }),
    freezable: await cpmm("Freezable", "FREEZE", { freezeAuthority: ISSUER }),
    unlocked: await cpmm("Unlocked", "OPEN", { unburned: 1 }),
    transferFee: await token2022("Transfer fee", "FEE", dangerous.transferFee),
    permanentDelegate: await token2022("Permanent delegate", "TAKE", dangerous.permanentDelegate),
    defaultFrozen: await token2022("Default frozen", "ICE", dangerous.defaultFrozen, {
      freezeAuthority: ISSUER
    }),
    transferHook: await token2022("Transfer hook", "HOOK", dangerous.transferHook),
    nonTransferable: await token2022("Non-transferable", "STUCK", dangerous.nonTransferable),
    pausable: await token2022("Pausable", "PAUSE", dangerous.pausable),
    unlisted: await placeSolanaToken(place, { name: "Unlisted", symbol: "NONE" })
  }
}

/** Dollars per SOL in the reference pool. */
export const SOL_USD = 150n

/** USDC as on mainnet, and a SOL/USDC pool at 150 dollars. */
export const placeSolanaMoney = async (place: Place): Promise<PlacedPool> => {
  place.mint({
    address: at.USDC_MINT,
    supply: 10_000_000_000n * 10n ** 6n,
    mintAuthority: at.USDC_MINT_AUTHORITY,
    freezeAuthority: at.USDC_FREEZE_AUTHORITY
  })
  return placeCpmmPool(place, {
    mint: at.WSOL_MINT,
    tokens: 20_000n * LAMPORTS,
    quote: at.USDC_MINT,
    quoteAmount: 20_000n * SOL_USD * 10n ** 6n
  })
}
