import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import {
  INCINERATOR,
  RAYDIUM_BURN_AND_EARN,
  TIME_LOCKERS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM
} from "../addresses.ts"
import type { LpAccounts } from "./lp-reading.ts"
import { isWallet } from "../../../chain/program-address.ts"
import { authoritiesIn } from "../power/extensions.ts"
import { decodeMetadata } from "../power/metadata.ts"
import { associatedTokenAccount } from "../../../chain/program-address.ts"
import { uncxVault } from "../reads/pdas.ts"
import { decodeBondingCurve } from "./layouts/pump.ts"
import type { DecodedPool, PoolKind } from "./decoded-pool.ts"
import type { Reads } from "../reads/reads.ts"

/** Who locks LP tokens of a kind of pool, and which token programs its LP mints use. */
interface LockPlaces {
  readonly permanentOwners: ReadonlyArray<SolanaAddress>
  readonly timeLockers: ReadonlyArray<SolanaAddress>
  readonly tokenPrograms: ReadonlyArray<SolanaAddress>
}

const { uncxAmm, uncxAmmV2, uncxCpmm } = TIME_LOCKERS

const lockPlaces = (kind: PoolKind): LockPlaces => {
  switch (kind) {
    case "raydium-amm-v4":
      return {
        permanentOwners: [RAYDIUM_BURN_AND_EARN],
        timeLockers: [uncxAmm, uncxAmmV2],
        tokenPrograms: [TOKEN_PROGRAM]
      }
    case "raydium-cpmm":
      return {
        permanentOwners: [RAYDIUM_BURN_AND_EARN],
        timeLockers: [uncxCpmm],
        tokenPrograms: [TOKEN_PROGRAM]
      }
    default:
      return { permanentOwners: [], timeLockers: [], tokenPrograms: [TOKEN_2022_PROGRAM, TOKEN_PROGRAM] }
  }
}

const accountsOf = (
  owners: ReadonlyArray<SolanaAddress>,
  lpMint: SolanaAddress,
  tokenPrograms: ReadonlyArray<SolanaAddress>
): ReadonlyArray<SolanaAddress> =>
  owners.flatMap((owner) =>
    tokenPrograms.map((tokenProgram) => associatedTokenAccount(owner, lpMint, tokenProgram))
  )

/**
 * Where the LP tokens of one pool can lie: with whoever burns or locks them, and with the wallets tied to the token.
 * All of it derivable, so that no enumeration of LP holders is needed.
 */
export const lpAccountsOf = (
  pool: { readonly address: SolanaAddress; readonly kind: PoolKind; readonly lpMint: SolanaAddress },
  extraLockers: ReadonlyArray<SolanaAddress>,
  wallets: ReadonlyArray<SolanaAddress>
): LpAccounts => {
  const { permanentOwners, timeLockers, tokenPrograms } = lockPlaces(pool.kind)
  const owners = [INCINERATOR, ...permanentOwners]
  const lockers = extraLockers.filter((locker) => !owners.includes(locker))
  const people = wallets.filter((wallet) => isWallet(wallet) && !extraLockers.includes(wallet))
  return {
    permanent: accountsOf(owners, pool.lpMint, tokenPrograms),
    operator: accountsOf(lockers, pool.lpMint, tokenPrograms),
    timed: timeLockers.map((locker) => ({ locker, vault: uncxVault(locker, pool.address) })),
    wallets: accountsOf(people, pool.lpMint, tokenPrograms)
  }
}

/** Wallets that could have kept the LP tokens: everybody the token's own accounts name. */
export const suspects = (
  { book, derived, reading, rugCheck }: Pick<Reads, "reading" | "book" | "derived" | "rugCheck">,
  pool: DecodedPool,
  mint: SolanaAddress
): ReadonlyArray<SolanaAddress> => {
  const metadata = decodeMetadata(book.get(derived.metadata) ?? null, mint)
  const curve = decodeBondingCurve(book.get(derived.curve) ?? null, null)
  const reported = rugCheck.known ? (rugCheck.value?.creator ?? null) : null
  const named = [
    pool.creator,
    reported !== null && isSolanaAddress(reported) ? reported : null,
    metadata?.updateAuthority ?? null,
    curve?.creator ?? null,
    ...(reading.kind === "mint"
      ? [
          reading.mint.mintAuthority,
          reading.mint.freezeAuthority,
          ...authoritiesIn(reading.mint.walk.extensions)
        ]
      : [])
  ]
  return [...new Set(named.filter((address) => address !== null))]
}
