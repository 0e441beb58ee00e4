import { fail, pass, unknown } from "../../../domain/signal.ts"
import type { SolanaSignal } from "./shared.ts"
import { acceptedOfListed, ofMint } from "./shared.ts"

/**
 * What the mint account itself says. Weights: a live mint authority is the gravest single finding of every tool
 * compared (facts/risk.md F1: RugCheck 20,000-50,000, token-intel -30, TokenSafe 30), the freeze authority the second
 * (7,500; 25). Either alone is a power, not a crime: it ends in caution; together, or with unlocked liquidity, in avoid.
 */
export const mintSignals: ReadonlyArray<SolanaSignal> = [
  {
    id: "NOT_A_MINT",
    source: "solana-rpc",
    reads: "owner, length and kind of the account at the address",
    hard: true,
    critical: true,
    points: 100,
    unknownPoints: 35,
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
  },
  {
    id: "MINT_AUTHORITY",
    source: "solana-rpc",
    reads: "mint authority of the mint account",
    hard: false,
    critical: true,
    points: 40,
    unknownPoints: 20,
    judge: ofMint(({ mintAuthority }, { trusted }) => {
      if (mintAuthority === null) return pass("The mint authority is off: nobody can mint more.")
      return trusted === null
        ? fail("The mint authority is live: its holder can mint without limit.")
        : acceptedOfListed("The mint authority is live")
    })
  },
  {
    id: "FREEZE_AUTHORITY",
    source: "solana-rpc",
    reads: "freeze authority of the mint account",
    hard: false,
    critical: true,
    points: 35,
    unknownPoints: 20,
    judge: ofMint(({ freezeAuthority }, { trusted }) => {
      if (freezeAuthority === null) return pass("The freeze authority is off: nobody can freeze balances.")
      return trusted === null
        ? fail("The freeze authority is live: its holder can freeze any balance, so it cannot be sold.")
        : acceptedOfListed("The freeze authority is live")
    })
  },
  {
    id: "COPYCAT",
    source: "solana-rpc",
    reads: "symbol in the metadata, folded and compared with the listed issuers' (never shown)",
    hard: true,
    critical: false,
    points: 70,
    unknownPoints: 3,
    judge: ({ metadata, trusted }) => {
      if (trusted !== null) return pass("This is the listed mint itself.")
      if (!metadata.known) return unknown("The metadata could not be read.")
      return metadata.value?.imitatesListed === true
        ? fail("It carries the symbol of an established token, but is another mint.")
        : pass("Its symbol is not one of an established token.")
    }
  },
  {
    // Established tokens are mutable too: RugCheck gives 100-500 of its 50,000 points (D4).
    id: "METADATA_MUTABLE",
    source: "solana-rpc",
    reads: "isMutable of the Metaplex metadata, update authority of Token-2022 metadata",
    hard: false,
    critical: false,
    points: 3,
    unknownPoints: 2,
    judge: ({ metadata, trusted }) => {
      if (trusted !== null) return acceptedOfListed("Name and picture may be changeable")
      if (!metadata.known) return unknown("The metadata could not be read.")
      return metadata.value?.mutable === true
        ? fail("Name, symbol and picture can still be changed.")
        : pass("Name, symbol and picture cannot be changed.")
    }
  }
]
