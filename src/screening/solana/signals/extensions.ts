import { fail, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaSignal } from "./shared.ts"
import { acceptedOfListed, ofExtension, ofMint } from "./shared.ts"

/** More than any token in use has; a u64 holds nineteen digits. */
const MOST_DECIMALS = 18

/**
 * Token-2022 extensions. Hard: what already makes selling impossible or lets a stranger take the
 * tokens. Critical without hard: a live power to do so later, worth the unknown floor of 35 by itself.
 */
export const extensionSignals: ReadonlyArray<SolanaSignal> = [
  {
    id: "UNKNOWN_EXTENSION",
    source: "solana-rpc",
    reads: "types of all extensions of the mint",
    hard: false,
    critical: true,
    points: 30,
    unknownPoints: 30,
    judge: ofMint(({ walk }) => {
      switch (walk.kind) {
        case "complete":
          return pass("Every extension of the mint is understood.")
        case "unknown-type":
          return unknown(`The mint carries an extension of unknown type ${walk.type}.`)
        case "malformed":
          return unknown("The mint's extensions could not be read to the end.")
      }
    })
  },
  {
    id: "PERMANENT_DELEGATE",
    source: "solana-rpc",
    reads: "PermanentDelegate extension",
    hard: true,
    critical: true,
    points: 80,
    unknownPoints: 25,
    judge: ofExtension(
      "permanentDelegate",
      "There is no permanent delegate.",
      (delegate, _mint, { trusted }) => {
        if (delegate === null) return pass("The permanent delegate is set to nobody.")
        return trusted === null
          ? fail("A permanent delegate can take or burn anybody's tokens at any time.")
          : acceptedOfListed("A permanent delegate exists")
      }
    )
  },
  {
    id: "DEFAULT_FROZEN",
    source: "solana-rpc",
    reads: "DefaultAccountState extension",
    hard: true,
    critical: true,
    points: 80,
    unknownPoints: 25,
    judge: ofExtension("defaultAccountState", "New accounts start usable.", (state) => {
      if (state === 2) return fail("New accounts start frozen: whoever buys cannot sell.")
      return state === 1
        ? pass("New accounts start usable.")
        : unknown("The default account state is not a known one.")
    })
  },
  {
    id: "NON_TRANSFERABLE",
    source: "solana-rpc",
    reads: "NonTransferable extension",
    hard: true,
    critical: true,
    points: 80,
    unknownPoints: 25,
    judge: ofExtension("nonTransferable", "The token is transferable.", () =>
      fail("The token cannot be transferred, so it cannot be sold.")
    )
  },
  {
    id: "PAUSED",
    source: "solana-rpc",
    reads: "PausableConfig extension: paused",
    group: "pause",
    hard: true,
    critical: true,
    points: 80,
    unknownPoints: 25,
    judge: ofExtension("pausable", "Transfers cannot be paused.", (pausable) =>
      pausable?.paused === true
        ? fail("All transfers are paused now.")
        : pass("Transfers are not paused now.")
    )
  },
  {
    id: "PAUSE_AUTHORITY",
    source: "solana-rpc",
    reads: "PausableConfig extension: authority",
    group: "pause",
    hard: false,
    critical: true,
    points: 35,
    unknownPoints: 25,
    judge: ofExtension("pausable", "Transfers cannot be paused.", (pausable, _mint, { trusted }) => {
      if (pausable === null || pausable.authority === null) return pass("Nobody can pause transfers.")
      return trusted === null
        ? fail("An authority can pause all transfers at any time.")
        : acceptedOfListed("Transfers can be paused")
    })
  },
  {
    // No listed program is trusted: a hook runs foreign code on every transfer and can refuse every sale.
    id: "TRANSFER_HOOK",
    source: "solana-rpc",
    reads: "TransferHook extension: program",
    group: "hook",
    hard: false,
    critical: true,
    points: 60,
    unknownPoints: 25,
    judge: ofExtension("transferHook", "No program runs on transfers.", (hook, _mint, { trusted }) => {
      if (hook === null || hook.programId === null) return pass("No program runs on transfers.")
      if (trusted !== null) return acceptedOfListed("A program runs on every transfer")
      return hook.authority === null
        ? fail("An unknown program runs on every transfer and can refuse sales.")
        : fail("An unknown program runs on every transfer, and an authority can swap it at any time.", {
            points: 75
          })
    })
  },
  {
    id: "TRANSFER_HOOK_AUTHORITY",
    source: "solana-rpc",
    reads: "TransferHook extension: authority",
    group: "hook",
    hard: false,
    critical: true,
    points: 35,
    unknownPoints: 25,
    judge: ofExtension("transferHook", "No transfer hook can be set.", (hook, _mint, { trusted }) => {
      if (hook === null || hook.authority === null) return pass("Nobody can set a transfer hook.")
      return trusted === null
        ? fail("An authority can set a program that refuses sales.")
        : acceptedOfListed("A transfer hook can be set")
    })
  },
  {
    id: "HIDDEN_SUPPLY",
    source: "solana-rpc",
    reads: "ConfidentialMintBurn extension",
    group: "confidential",
    hard: false,
    critical: true,
    points: 40,
    unknownPoints: 20,
    judge: ofExtension("confidentialMintBurn", "The supply is public.", (_value, _mint, { trusted }) =>
      trusted === null
        ? fail("The supply changes in secret: new tokens cannot be seen.")
        : acceptedOfListed("The supply changes confidentially")
    )
  },
  {
    id: "CONFIDENTIAL_TRANSFERS",
    source: "solana-rpc",
    reads: "ConfidentialTransferMint and ConfidentialTransferFee extensions",
    group: "confidential",
    hard: false,
    critical: false,
    points: 3,
    unknownPoints: 2,
    judge: ofMint(({ walk }, { trusted }) => {
      const { confidentialTransfer, confidentialTransferFee } = walk.extensions
      if (confidentialTransfer !== undefined || confidentialTransferFee !== undefined) {
        return trusted === null ? fail("Balances can be hidden.") : acceptedOfListed("Balances can be hidden")
      }
      return walk.kind === "malformed"
        ? unknown("The mint's extensions could not be read.")
        : pass("Balances are public.")
    })
  },
  {
    id: "MINT_CLOSE_AUTHORITY",
    source: "solana-rpc",
    reads: "MintCloseAuthority extension",
    hard: false,
    critical: false,
    points: 5,
    unknownPoints: 3,
    judge: ofExtension(
      "mintCloseAuthority",
      "The mint cannot be closed.",
      (authority, _mint, { trusted }) => {
        if (authority === null) return pass("The mint cannot be closed.")
        return trusted === null
          ? fail("The mint can be closed and created anew once its supply is zero.")
          : acceptedOfListed("The mint can be closed")
      }
    )
  },
  {
    id: "PERMISSIONED_BURN",
    source: "solana-rpc",
    reads: "PermissionedBurn extension",
    hard: false,
    critical: false,
    points: 8,
    unknownPoints: 4,
    judge: ofExtension("permissionedBurn", "Burning needs nobody's consent.", (burn, _mint, { trusted }) => {
      if (burn === null || burn.authority === null) return pass("Burning needs nobody's consent.")
      return trusted === null
        ? fail("Burning needs an authority's consent.")
        : acceptedOfListed("Burning needs the issuer's consent")
    })
  },
  {
    id: "DISPLAYED_AMOUNT",
    source: "solana-rpc",
    reads: "decimals, ScaledUiAmountConfig and InterestBearingConfig extensions",
    hard: false,
    critical: false,
    points: 36,
    unknownPoints: 4,
    judge: ofMint(({ decimals, walk }, { trusted }) => {
      if (decimals > MOST_DECIMALS)
        return fail(`With ${decimals} decimals no wallet shows amounts or prices anybody could read.`)
      const { interestBearing, scaledUiAmount } = walk.extensions
      if (scaledUiAmount === undefined && interestBearing === undefined) {
        return walk.kind === "malformed"
          ? unknown("The mint's extensions could not be read.")
          : pass("Amounts are shown as they are.")
      }
      if (trusted !== null) return acceptedOfListed("Shown amounts are scaled")
      return scaledUiAmount !== undefined && scaledUiAmount.authority !== null
        ? fail("An authority can change the multiplier of shown amounts.", { points: 10 })
        : fail("Shown amounts differ from real ones.", { points: 5 })
    })
  }
]
