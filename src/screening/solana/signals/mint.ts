import { isWallet } from "../../../chain/program-address.ts"
import { critical, fail, hard, minor, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaSignal } from "./shared.ts"
import { acceptedOfListed, held, ofMint, signal } from "./shared.ts"

/** Wearing a lesser asset's name may be chance: enough for `caution`, no proof of bad faith. */
const LISTED_POINTS = 36

/**
 * What the mint account itself says. Weights: a live mint authority is the gravest single finding of every tool
 * compared, the freeze authority the second. Either alone is a power, not a crime: it ends in caution; together, or with unlocked liquidity, in avoid.
 */
export const mintSignals: ReadonlyArray<SolanaSignal> = [
  signal("NOT_A_MINT", hard(100, 35), {
    reads: "owner, length and kind of the account at the address",
    judge: ({ reading }) => {
      switch (reading.kind) {
        case "mint":
          return pass("The address is an initialized mint of a token program.")
        case "absent":
          return fail("No account exists at this address: it is not a token.")
        case "token-account":
          return fail(`This is somebody's token account, not a token; it holds the mint ${reading.mint}.`)
        case "wallet":
          return fail("This is a wallet, not a token.")
        case "other":
          return fail("The account belongs to a program that is not a token program.")
        case "unreadable":
          return fail("A token program owns the account, but it is not an initialized mint.")
      }
    }
  }),
  signal("MINT_AUTHORITY", critical(40, 20), {
    reads: "mint authority of the mint account",
    judge: ofMint(({ mintAuthority }, { isStakePoolToken, trusted }) => {
      if (mintAuthority === null) return pass("The mint authority is off: nobody can mint more.")
      if (isStakePoolToken)
        return pass("The mint authority is a stake pool's own: it mints for stake put in.")
      return held(
        trusted,
        isWallet(mintAuthority)
          ? "The mint authority is live: its holder can mint without limit."
          : "The mint authority is live: a program's address holds it, and by what rules it mints was not read.",
        "The mint authority is live"
      )
    })
  }),
  signal("FREEZE_AUTHORITY", critical(35, 20), {
    reads: "freeze authority of the mint account",
    judge: ofMint(({ freezeAuthority }, { trusted }) => {
      if (freezeAuthority === null) return pass("The freeze authority is off: nobody can freeze balances.")
      return held(
        trusted,
        isWallet(freezeAuthority)
          ? "The freeze authority is live: its holder can freeze any balance, so it cannot be sold."
          : "The freeze authority is live: a program's address holds it, and by what rules it freezes was not read.",
        "The freeze authority is live"
      )
    })
  }),
  signal("COPYCAT", hard(70, 10), {
    reads:
      "name and symbol in every metadata account, and at market data and RugCheck, folded and compared with known assets (never shown)",
    judge: ({ metadata, trusted }) => {
      if (trusted !== null) return pass("This is the listed mint itself.")
      if (!metadata.known) return unknown(`Its name is not known: ${metadata.why}.`)
      const { worn, wornElsewhere } = metadata.value
      switch (worn ?? (wornElsewhere === null ? null : "listed")) {
        case "major":
          return fail("It carries the name or symbol of an established token, but is another mint.")
        case "listed":
          return fail("It can be taken for another known token, and is not that token.", {
            points: LISTED_POINTS,
            hard: false
          })
        case null:
          return pass("Its name and symbol are not those of a known token.")
      }
    }
  }),
  signal("CUSTODIAL_ISSUER", minor(20, 20), {
    reads: "the mint itself, in the list of wrapped and tokenised assets",
    critical: ({ trusted }) => trusted?.backing === "custodial",
    judge: ({ trusted }) =>
      trusted?.backing === "custodial"
        ? unknown("A keeper outside the chain holds what backs it: whether it does cannot be read here.")
        : pass("No keeper outside the chain stands between the token and its worth, as far as is known.")
  }),
  // Established tokens are mutable too: RugCheck gives 100-500 of its 50,000 points.
  signal("METADATA_MUTABLE", minor(3, 2), {
    reads:
      "isMutable of the Metaplex metadata, update authority of Token-2022 metadata, authority of the pointer to it",
    judge: ({ metadata, trusted }) => {
      if (trusted !== null) return acceptedOfListed("Name and picture may be changeable")
      if (!metadata.known) return unknown("The metadata could not be read.")
      return metadata.value.mutable
        ? fail("Name, symbol and picture can still be changed.")
        : pass("Name, symbol and picture cannot be changed.")
    }
  })
]
