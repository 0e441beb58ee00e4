/** The whole plan on a local Solana, through the real RPC and market-data clients. */
import { expect, layer } from "@effect/vitest"
import { address as kitAddress } from "@solana/kit"
import type { Address } from "@solana/kit"
import { AccountState, extension } from "@solana-program/token-2022"
import type { ExtensionArgs } from "@solana-program/token-2022"
import { Effect, Either } from "effect"
import type { MintPlan } from "../../../scripts/sandbox/solana/place.ts"
import { wallet } from "./fake-world.ts"
import { findings } from "./fake-world.ts"
import { LOCKER, LocalWorld, screen } from "./local-world.ts"

const issuer = kitAddress(wallet("issuer with a key"))
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

interface Row {
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

/** Authorities, extensions and LP states, each with the exact signals it must give at both depths. */
const matrix: Readonly<Record<string, Row>> = {
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
    unburned: 1,
    lpOwner: issuer,
    verdict: "caution",
    safe: false,
    lpLocked: false,
    signals: ["LP_UNLOCKED:fail"]
  },
  "LP tokens with a wallet, and a mint authority": {
    unburned: 1,
    lpOwner: issuer,
    mint: { mintAuthority: issuer },
    verdict: "avoid",
    safe: false,
    lpLocked: false,
    signals: ["MINT_AUTHORITY:fail", "LP_UNLOCKED:fail"]
  },
  // Less than half could be taken: the lock is not critical then, but it is not there either.
  "40 % of the LP tokens with a wallet": {
    unburned: 0.4,
    lpOwner: issuer,
    verdict: "caution",
    safe: true,
    lpLocked: false,
    signals: ["LP_UNLOCKED:fail"]
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
    unburned: 1,
    lpOwner: issuer,
    verdict: "caution",
    safe: false,
    lpLocked: false,
    signals: ["LP_UNLOCKED:fail"]
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
    signals: ["DEFAULT_FROZEN:fail"]
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
    signals: ["NON_TRANSFERABLE:fail"]
  },
  paused: {
    extensions: [extension("PausableConfig", { authority: issuer, paused: true })],
    verdict: "avoid",
    safe: false,
    signals: ["PAUSED:fail", "PAUSE_AUTHORITY:fail"]
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
    signals: ["TRANSFER_HOOK:fail"]
  },
  "transfer hook that can be swapped": {
    extensions: [extension("TransferHook", { authority: issuer, programId: hookProgram })],
    verdict: "avoid",
    safe: false,
    signals: ["TRANSFER_HOOK:fail", "TRANSFER_HOOK_AUTHORITY:fail"]
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

/** Six holders, a pool with 30,000 dollars on the quote side, metadata. */
const placeRow = (label: string, row: Row) =>
  Effect.gen(function* () {
    const { chain } = yield* LocalWorld
    return yield* Effect.promise(async () => {
      const mint = chain.place.mint({
        label: `matrix ${label}`,
        ...row.mint,
        ...(row.extensions === undefined ? {} : { extensions: row.extensions })
      })
      await chain.place.metadata({
        mint,
        name: "Matrix",
        symbol: "ROW",
        updateAuthority: issuer,
        mutable: row.mutable ?? false
      })
      for (let index = 0; index < 20; index++) {
        await chain.place.tokenAccount({
          mint,
          owner: kitAddress(wallet(`holder ${index}`)),
          amount: 10n ** 13n
        })
      }
      const plan = {
        mint,
        tokens: 8n * 10n ** 14n,
        unburned: row.unburned ?? 0,
        ...(row.lpOwner === undefined ? {} : { lpOwner: row.lpOwner }),
        ...(row.quote === "usdc"
          ? { quote: chain.referencePool.quote, quoteAmount: 30_000n * 10n ** 6n }
          : { quoteAmount: 200n * 10n ** 9n })
      }
      await (row.pool === "pumpswap" ? chain.placePumpSwapPool(plan) : chain.placeCpmmPool(plan))
      return mint
    })
  })

layer(LocalWorld.layer, { excludeTestServices: true, timeout: "60 seconds" })("on a local Solana", (it) => {
  for (const [label, row] of Object.entries(matrix)) {
    it.effect(`${label}: ${row.verdict}`, () =>
      Effect.gen(function* () {
        const mint = yield* placeRow(label, row)
        for (const depth of ["ping", "deep"] as const) {
          const { assessment, screening } = yield* screen(mint, depth)
          expect({ depth, signals: findings(screening) }).toEqual({ depth, signals: row.signals })
          expect({ verdict: assessment.verdict, safe: assessment.safe }).toEqual({
            verdict: row.verdict,
            safe: row.safe
          })
          expect(screening).toMatchObject({
            pairs: 1,
            liquidityUsd: 60_000,
            lpLocked: row.lpLocked ?? true,
            mintAuthorityOff: row.mint?.mintAuthority == null
          })
          expect(screening.priceUsd).toBeCloseTo(30_000 / 8e8, 9)
        }
      })
    )
  }

  it.effect(
    "LP tokens in a locker the operator named count as locked, even where RugCheck does not know it",
    () =>
      Effect.gen(function* () {
        const mint = yield* placeRow("locker", {
          unburned: 0.5,
          lpOwner: kitAddress(LOCKER),
          verdict: "allow",
          safe: true,
          signals: []
        })
        const { assessment, screening } = yield* screen(mint, "deep")
        expect(findings(screening)).toEqual([])
        expect(screening.lpLocked).toBe(true)
        expect(assessment).toMatchObject({ safe: true, verdict: "allow" })
      })
  )

  it.effect("a deep report takes at most four round trips, a ping one", () =>
    Effect.gen(function* () {
      const { chain } = yield* LocalWorld
      const counted = (depth: "ping" | "deep") =>
        Effect.gen(function* () {
          const before = [...chain.requests.values()].reduce((sum, n) => sum + n, 0)
          yield* screen(chain.tokens.clean.address, depth)
          return [...chain.requests.values()].reduce((sum, n) => sum + n, 0) - before
        })
      expect(yield* counted("ping")).toBe(1)
      expect(yield* counted("deep")).toBe(4)
    })
  )

  it.effect("a mint that trades nowhere is unknown, USDC itself is allowed", () =>
    Effect.gen(function* () {
      const { chain } = yield* LocalWorld
      const outcome = yield* Effect.either(screen(chain.tokens.unlisted.address, "ping"))
      expect(Either.isLeft(outcome) && outcome.left._tag).toBe("UnknownToken")
      const usdc = yield* screen(chain.referencePool.quote, "deep")
      expect(usdc.assessment.verdict).toBe("allow")
      expect(usdc.screening).toMatchObject({ mintAuthorityOff: false, priceUsd: 1 })
    })
  )
})
