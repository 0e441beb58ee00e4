import { critical, fail, hard, minor, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaSignal } from "./shared.ts"
import { acceptedOfListed, held, ofExtension, ofMint, signal } from "./shared.ts"

/** More than any token in use has; a u64 holds nineteen digits. */
const MOST_DECIMALS = 18

/**
 * Token-2022 extensions. Hard: what already makes selling impossible or lets a stranger take the
 * tokens. Critical without hard: a live power to do so later, worth the unknown floor of 35 by itself.
 */
export const extensionSignals: ReadonlyArray<SolanaSignal> = [
  signal("UNKNOWN_EXTENSION", critical(30, 30), {
    reads: "types of all extensions of the mint",
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
  }),
  signal("PERMANENT_DELEGATE", hard(80, 25), {
    reads: "PermanentDelegate extension",
    judge: ofExtension("permanentDelegate", "There is no permanent delegate.", (delegate, { trusted }) => {
      if (delegate === null) return pass("The permanent delegate is set to nobody.")
      return held(
        trusted,
        "A permanent delegate can take or burn anybody's tokens at any time.",
        "A permanent delegate exists"
      )
    })
  }),
  signal("DEFAULT_FROZEN", hard(80, 25), {
    reads: "DefaultAccountState extension",
    judge: ofExtension("defaultAccountState", "New accounts start usable.", (state) => {
      if (state === 2) return fail("New accounts start frozen: whoever buys cannot sell.")
      return state === 1
        ? pass("New accounts start usable.")
        : unknown("The default account state is not a known one.")
    })
  }),
  signal("NON_TRANSFERABLE", hard(80, 25), {
    reads: "NonTransferable extension",
    judge: ofExtension("nonTransferable", "The token is transferable.", () =>
      fail("The token cannot be transferred, so it cannot be sold.")
    )
  }),
  signal("PAUSED", hard(80, 25, "pause"), {
    reads: "PausableConfig extension: paused",
    judge: ofExtension("pausable", "Transfers cannot be paused.", (pausable) =>
      pausable?.paused === true
        ? fail("All transfers are paused now.")
        : pass("Transfers are not paused now.")
    )
  }),
  signal("PAUSE_AUTHORITY", critical(35, 25, "pause"), {
    reads: "PausableConfig extension: authority",
    judge: ofExtension("pausable", "Transfers cannot be paused.", (pausable, { trusted }) => {
      if (pausable === null || pausable.authority === null) return pass("Nobody can pause transfers.")
      return held(trusted, "An authority can pause all transfers at any time.", "Transfers can be paused")
    })
  }),
  // No listed program is trusted: a hook runs foreign code on every transfer and can refuse every sale.
  signal("TRANSFER_HOOK", critical(60, 25, "hook"), {
    reads: "TransferHook extension: program",
    judge: ofExtension("transferHook", "No program runs on transfers.", (hook, { trusted }) => {
      if (hook === null || hook.programId === null) return pass("No program runs on transfers.")
      if (trusted !== null) return acceptedOfListed("A program runs on every transfer")
      return hook.authority === null
        ? fail("An unknown program runs on every transfer and can refuse sales.")
        : fail("An unknown program runs on every transfer, and an authority can swap it at any time.", {
            points: 75
          })
    })
  }),
  signal("TRANSFER_HOOK_AUTHORITY", critical(35, 25, "hook"), {
    reads: "TransferHook extension: authority",
    judge: ofExtension("transferHook", "No transfer hook can be set.", (hook, { trusted }) => {
      if (hook === null || hook.authority === null) return pass("Nobody can set a transfer hook.")
      return held(trusted, "An authority can set a program that refuses sales.", "A transfer hook can be set")
    })
  }),
  signal("HIDDEN_SUPPLY", critical(40, 20, "confidential"), {
    reads: "ConfidentialMintBurn extension",
    judge: ofExtension("confidentialMintBurn", "The supply is public.", (_value, { trusted }) =>
      held(
        trusted,
        "The supply changes in secret: new tokens cannot be seen.",
        "The supply changes confidentially"
      )
    )
  }),
  signal("CONFIDENTIAL_TRANSFERS", minor(3, 2, "confidential"), {
    reads: "ConfidentialTransferMint and ConfidentialTransferFee extensions",
    judge: ofMint(({ walk }, { trusted }) => {
      const { confidentialTransfer, confidentialTransferFee } = walk.extensions
      if (confidentialTransfer !== undefined || confidentialTransferFee !== undefined) {
        return held(trusted, "Balances can be hidden.", "Balances can be hidden")
      }
      return walk.kind === "malformed"
        ? unknown("The mint's extensions could not be read.")
        : pass("Balances are public.")
    })
  }),
  signal("MINT_CLOSE_AUTHORITY", minor(5, 3), {
    reads: "MintCloseAuthority extension",
    judge: ofExtension("mintCloseAuthority", "The mint cannot be closed.", (authority, { trusted }) => {
      if (authority === null) return pass("The mint cannot be closed.")
      return held(
        trusted,
        "The mint can be closed and created anew once its supply is zero.",
        "The mint can be closed"
      )
    })
  }),
  signal("PERMISSIONED_BURN", minor(8, 4), {
    reads: "PermissionedBurn extension",
    judge: ofExtension("permissionedBurn", "Burning needs nobody's consent.", (burn, { trusted }) => {
      if (burn === null || burn.authority === null) return pass("Burning needs nobody's consent.")
      return held(trusted, "Burning needs an authority's consent.", "Burning needs the issuer's consent")
    })
  }),
  signal("DISPLAYED_AMOUNT", minor(36, 4), {
    reads: "decimals, ScaledUiAmountConfig and InterestBearingConfig extensions",
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
  })
]
