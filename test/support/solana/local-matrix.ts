/** Authorities, extensions and LP states of a mint on the local chain, each with the exact signals it must give. */
import { address as kitAddress } from "@solana/kit"
import type { Address } from "@solana/kit"
import { AccountState, extension } from "@solana-program/token-2022"
import type { ExtensionArgs } from "@solana-program/token-2022"
import type { MintPlan } from "../../../scripts/sandbox/solana/place.ts"
import { wallet } from "./encode.ts"

export const issuer = kitAddress(wallet("issuer with a key"))
const nobody = kitAddress("11111111111111111111111111111111")
const hookProgram = kitAddress(wallet("hook program"))
const fee = (bps: number) => ({ epoch: 0n, maximumFee: 10n ** 15n, transferFeeBasisPoints: bps })
const feeConfig = (authority: Address, bps: number) =>
  extension("TransferFeeConfig", {
    transferFeeConfigAuthority: authority,
    withdrawWithheldAuthority: nobody,
    withheldAmount: 0n,
    olderTransferFee: fee(bps),
    newerTransferFee: fee(bps)
  })

export interface Row {
  readonly mint?: Partial<MintPlan>
  readonly extensions?: ReadonlyArray<ExtensionArgs>
  readonly unburned?: number
  readonly lpOwner?: Address
  readonly pool?: "pumpswap" | "raydium-cpmm"
  readonly quote?: "sol" | "usdc"
  readonly mutable?: boolean
  readonly verdict: "allow" | "caution" | "avoid"
  readonly safe: boolean | null
  readonly lpLocked?: boolean | null
  readonly signals: ReadonlyArray<string>
}

/** Whoever can withdraw the pool holds the tokens in it. */
const ALL_WITH_ONE = [
  "DOMINANT_HOLDER:fail",
  "INSIDER_GROUP:fail",
  "CLOSED_CIRCLE:fail",
  "HOLDER_CONCENTRATION:fail",
  "INSIDER_HOLDINGS:fail"
]

const LP_WITH_ISSUER = {
  unburned: 1,
  lpOwner: issuer,
  verdict: "caution",
  safe: false,
  lpLocked: false,
  signals: ["LP_UNLOCKED:fail", ...ALL_WITH_ONE]
} as const

/** Authorities, extensions and LP states, each with the exact signals it must give at both depths. */
export const matrix: Readonly<Record<string, Row>> = {
  "nothing wrong, against SOL": { verdict: "allow", safe: true, signals: [] },
  "nothing wrong, against USDC": { quote: "usdc", verdict: "allow", safe: true, signals: [] },
  "nothing wrong, on PumpSwap": { pool: "pumpswap", verdict: "allow", safe: true, signals: [] },
  "nothing wrong, Token-2022": {
    mint: { program: "token-2022" },
    pool: "pumpswap",
    verdict: "allow",
    safe: true,
    signals: []
  },
  "mint authority": {
    mint: { mintAuthority: issuer },
    verdict: "caution",
    safe: false,
    signals: ["MINT_AUTHORITY:fail"]
  },
  "freeze authority": {
    mint: { freezeAuthority: issuer },
    verdict: "caution",
    safe: false,
    signals: ["FREEZE_AUTHORITY:fail"]
  },
  "both authorities": {
    mint: { mintAuthority: issuer, freezeAuthority: issuer },
    verdict: "avoid",
    safe: false,
    signals: ["MINT_AUTHORITY:fail", "FREEZE_AUTHORITY:fail"]
  },
  "mutable metadata": { mutable: true, verdict: "allow", safe: true, signals: ["METADATA_MUTABLE:fail"] },
  "LP tokens with a wallet": {
    ...LP_WITH_ISSUER
  },
  "LP tokens with a wallet, and a mint authority": {
    ...LP_WITH_ISSUER,
    mint: { mintAuthority: issuer },
    verdict: "avoid",
    signals: ["MINT_AUTHORITY:fail", "LP_UNLOCKED:fail", ...ALL_WITH_ONE]
  },
  // Less than half could be taken, but no ledger of this chain goes back so far that it was left there for a month.
  "40 % of the LP tokens with a wallet": {
    unburned: 0.4,
    lpOwner: issuer,
    verdict: "caution",
    safe: false,
    lpLocked: false,
    signals: ["LP_UNLOCKED:fail", "HOLDER_CONCENTRATION:fail"]
  },
  "5 % of the LP tokens with a wallet": {
    unburned: 0.05,
    lpOwner: issuer,
    verdict: "allow",
    safe: true,
    signals: []
  },
  "PumpSwap LP tokens with a wallet": {
    pool: "pumpswap",
    ...LP_WITH_ISSUER
  },
  "permanent delegate": {
    extensions: [extension("PermanentDelegate", { delegate: issuer })],
    verdict: "avoid",
    safe: false,
    signals: ["PERMANENT_DELEGATE:fail"]
  },
  "permanent delegate set to nobody": {
    extensions: [extension("PermanentDelegate", { delegate: nobody })],
    verdict: "allow",
    safe: true,
    signals: []
  },
  "frozen by default": {
    extensions: [extension("DefaultAccountState", { state: AccountState.Frozen })],
    verdict: "avoid",
    safe: false,
    signals: ["DEFAULT_FROZEN:fail", "HOLDER_SALE_FAILS:fail"]
  },
  "usable by default": {
    extensions: [extension("DefaultAccountState", { state: AccountState.Initialized })],
    verdict: "allow",
    safe: true,
    signals: []
  },
  "non-transferable": {
    extensions: [{ __kind: "NonTransferable" }],
    verdict: "avoid",
    safe: false,
    signals: ["NON_TRANSFERABLE:fail", "HOLDER_SALE_FAILS:fail"]
  },
  paused: {
    extensions: [extension("PausableConfig", { authority: issuer, paused: true })],
    verdict: "avoid",
    safe: false,
    signals: ["PAUSED:fail", "PAUSE_AUTHORITY:fail", "HOLDER_SALE_FAILS:fail"]
  },
  pausable: {
    extensions: [extension("PausableConfig", { authority: issuer, paused: false })],
    verdict: "caution",
    safe: false,
    signals: ["PAUSE_AUTHORITY:fail"]
  },
  "pausable by nobody": {
    extensions: [extension("PausableConfig", { authority: null, paused: false })],
    verdict: "allow",
    safe: true,
    signals: []
  },
  "transfer hook for good": {
    extensions: [extension("TransferHook", { authority: nobody, programId: hookProgram })],
    verdict: "caution",
    safe: false,
    signals: ["TRANSFER_HOOK:fail", "HOLDER_SALE_FAILS:unknown"]
  },
  "transfer hook that can be swapped": {
    extensions: [extension("TransferHook", { authority: issuer, programId: hookProgram })],
    verdict: "avoid",
    safe: false,
    signals: ["TRANSFER_HOOK:fail", "TRANSFER_HOOK_AUTHORITY:fail", "HOLDER_SALE_FAILS:unknown"]
  },
  "transfer hook that can be set": {
    extensions: [extension("TransferHook", { authority: issuer, programId: nobody })],
    verdict: "caution",
    safe: false,
    signals: ["TRANSFER_HOOK_AUTHORITY:fail"]
  },
  "1 % fee for good": {
    extensions: [feeConfig(nobody, 100)],
    verdict: "allow",
    safe: true,
    signals: ["TRANSFER_FEE:fail"]
  },
  "10 % fee for good": {
    extensions: [feeConfig(nobody, 1000)],
    verdict: "caution",
    safe: false,
    signals: ["TRANSFER_FEE:fail", "HIGH_TRANSFER_FEE:fail"]
  },
  "50 % fee": {
    extensions: [feeConfig(nobody, 5000)],
    verdict: "avoid",
    safe: false,
    signals: ["TRANSFER_FEE:fail", "HIGH_TRANSFER_FEE:fail"]
  },
  "no fee but somebody to set one": {
    extensions: [feeConfig(issuer, 0)],
    verdict: "caution",
    safe: false,
    signals: ["TRANSFER_FEE_AUTHORITY:fail"]
  },
  "close authority": {
    extensions: [extension("MintCloseAuthority", { closeAuthority: issuer })],
    verdict: "allow",
    safe: true,
    signals: ["MINT_CLOSE_AUTHORITY:fail"]
  },
  "confidential transfers": {
    extensions: [
      extension("ConfidentialTransferMint", {
        authority: issuer,
        autoApproveNewAccounts: true,
        auditorElgamalPubkey: null
      })
    ],
    verdict: "allow",
    safe: true,
    signals: ["CONFIDENTIAL_TRANSFERS:fail"]
  },
  "interest-bearing": {
    extensions: [
      extension("InterestBearingConfig", {
        rateAuthority: issuer,
        initializationTimestamp: 0n,
        preUpdateAverageRate: 0,
        lastUpdateTimestamp: 0n,
        currentRate: 5
      })
    ],
    verdict: "allow",
    safe: true,
    signals: ["DISPLAYED_AMOUNT:fail"]
  },
  "scaled amounts": {
    extensions: [
      extension("ScaledUiAmountConfig", {
        authority: issuer,
        multiplier: 1,
        newMultiplierEffectiveTimestamp: 0n,
        newMultiplier: 1
      })
    ],
    verdict: "allow",
    safe: true,
    signals: ["DISPLAYED_AMOUNT:fail"]
  }
}
