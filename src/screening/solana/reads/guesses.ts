/**
 * What others say about accounts, and what follows from addresses, read a wave before it can be known. Nothing is
 * concluded from a guess: accounts are kept by their address, and where a pool or a token account names another one,
 * that is read as if nobody had guessed.
 */
import { associatedTokenAccount } from "../../../chain/program-address.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../addresses.ts"
import { coinsAmong } from "./wanted.ts"
import { clmmVault, cpmmLpMint, cpmmVault, dammVault, dlmmReserve, pumpSwapLpMint } from "./pdas.ts"
import type { Reads } from "./reads.ts"

/** Owners of token accounts as RugCheck names them, by the account. */
export type ToldOwners = ReadonlyMap<SolanaAddress, SolanaAddress>

export const toldOwners = ({ largest, rugCheck }: Pick<Reads, "largest" | "rugCheck">): ToldOwners => {
  const listed = new Set(largest.known ? largest.value.map(({ address }) => address) : [])
  const told = rugCheck.known ? (rugCheck.value?.topHolders ?? []) : []
  return new Map(
    told.flatMap(({ address, owner }) =>
      owner !== null && isSolanaAddress(address) && isSolanaAddress(owner) && listed.has(address)
        ? [[address, owner] as const]
        : []
    )
  )
}

type AccountsOf = (
  pool: SolanaAddress,
  mint: SolanaAddress,
  quote: SolanaAddress
) => ReadonlyArray<SolanaAddress>

const bothVaults =
  (vault: (pool: SolanaAddress, mint: SolanaAddress) => SolanaAddress): AccountsOf =>
  (pool, mint, quote) => [vault(pool, mint), vault(pool, quote)]

/** What follows from the address of a pool, by what market data calls its venue. */
const BY_VENUE: ReadonlyArray<readonly [name: RegExp, accounts: AccountsOf]> = [
  [
    /pumpswap/,
    (pool, mint, quote) => [
      pumpSwapLpMint(pool),
      associatedTokenAccount(pool, mint, TOKEN_PROGRAM),
      associatedTokenAccount(pool, mint, TOKEN_2022_PROGRAM),
      associatedTokenAccount(pool, quote, TOKEN_PROGRAM)
    ]
  ],
  [/raydium.*cpmm/, (pool, mint, quote) => [cpmmLpMint(pool), cpmmVault(pool, mint), cpmmVault(pool, quote)]],
  [/raydium.*clmm/, bothVaults(clmmVault)],
  [/dlmm/, bothVaults(dlmmReserve)],
  [/dyn2|damm[ _-]?v2/, bothVaults(dammVault)]
]

/** Accounts of the listed pools, as RugCheck names them and as they follow from the pools' addresses. */
export const guessedAccounts = (
  { market, rugCheck }: Reads,
  mint: SolanaAddress,
  listed: ReadonlyArray<SolanaAddress>
): ReadonlyArray<SolanaAddress> => {
  const isListed = new Set<string>(listed)
  const markets = rugCheck.known ? (rugCheck.value?.markets ?? []) : []
  const named = markets.flatMap(({ lpMint, pubkey, vaults }) =>
    isListed.has(pubkey) ? [...vaults, ...(lpMint === null ? [] : [lpMint])] : []
  )
  const derived = (market.known ? market.value : []).flatMap(
    ({ dexId, labels, pairAddress, quoteAddress }) => {
      if (!isListed.has(pairAddress) || !isSolanaAddress(pairAddress)) return []
      if (quoteAddress === null || !isSolanaAddress(quoteAddress)) return []
      const venue = [dexId, ...labels].join(" ").toLowerCase()
      return BY_VENUE.find(([name]) => name.test(venue))?.[1](pairAddress, mint, quoteAddress) ?? []
    }
  )
  return [...named.filter(isSolanaAddress), ...derived]
}

/** Coins that market data calls a pool's quote. */
export const guessedCoins = ({ market }: Reads): ReadonlyArray<SolanaAddress> =>
  coinsAmong(
    (market.known ? market.value : []).flatMap(({ quoteAddress }) =>
      quoteAddress !== null && isSolanaAddress(quoteAddress) ? [quoteAddress] : []
    )
  )
