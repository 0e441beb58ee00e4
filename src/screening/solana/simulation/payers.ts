import { Config, type ConfigError, Either } from "effect"
import { SolanaAddress, isSolanaAddress } from "../../../domain/address.ts"
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USD1, USDC, USDT, WSOL } from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { associatedTokenAccount } from "../../../chain/program-address.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import { commaList } from "../../../domain/comma-list.ts"
import { invalid } from "../../../domain/settings.ts"

/**
 * Accounts known to hold much SOL and USDC: hot wallets of exchanges, as many public lists name them. Simulations check
 * no signatures, so they can lend a fresh wallet its means; what they hold is read with every screening, and where one
 * has gone poor the next serves, or a holder of the token. Nothing is ever sent.
 */
export const KNOWN_PAYERS: ReadonlyArray<SolanaAddress> = [
  "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9", // Binance
  "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", // Binance
  "H8sMJSCQxfKiFTCfDR3DUMLPwcRbM61LGFJ8N4dK3WjS", // Coinbase
  "AC5RDfQFmDS1deWZos921JfqscXdByf8BKHs5ACWjtW2" // Bybit
].map((text) => SolanaAddress.make(text))

const MOST_PAYERS = 8

const parse = (text: string): Either.Either<ReadonlyArray<SolanaAddress>, ConfigError.ConfigError> => {
  const entries = commaList(text)
  const payers = entries.filter(isSolanaAddress)
  return payers.length === entries.length && payers.length <= MOST_PAYERS
    ? Either.right(payers)
    : invalid(
        "SOLANA_SIMULATION_PAYERS",
        `must be base58 addresses separated by commas, at most ${MOST_PAYERS}`
      )
}

/** `SOLANA_SIMULATION_PAYERS`: who pays for simulated trades; nobody's key is needed. Empty: none are made. */
export const payersConfig = Config.string("SOLANA_SIMULATION_PAYERS").pipe(
  Config.withDefault(KNOWN_PAYERS.join(",")),
  Config.mapOrFail(parse)
)

/** What such accounts hold besides SOL: looked at with every screening. In pools against other dollars only real holders sell. */
const LENT = [USDC, USDT, USD1] as const

const tokenAccounts = (
  payer: SolanaAddress
): ReadonlyArray<readonly [mint: string, account: SolanaAddress]> =>
  LENT.map((quote) => [quote, associatedTokenAccount(payer, quote, TOKEN_PROGRAM)] as const)

/** A payer with the accounts its means lie in, derived once. */
export interface Payer {
  readonly address: SolanaAddress
  readonly tokens: ReadonlyArray<readonly [mint: string, account: SolanaAddress]>
}

export const payersOf = (addresses: ReadonlyArray<SolanaAddress>): ReadonlyArray<Payer> =>
  addresses.map((address) => ({ address, tokens: tokenAccounts(address) }))

export const payerAccounts = (payers: ReadonlyArray<Payer>): ReadonlyArray<SolanaAddress> =>
  payers.flatMap(({ address, tokens }) => [address, ...tokens.map(([, account]) => account)])

export interface Need {
  readonly lamports: bigint
  readonly quote?: string
  readonly amount?: bigint
}

const hasLamports = (book: AccountBook, address: SolanaAddress, lamports: bigint): boolean => {
  const account = book.get(address)
  return (
    account != null && account.owner === SYSTEM_PROGRAM && account.space === 0 && account.lamports >= lamports
  )
}

/** The first that is a plain account with so many lamports, and so much of the quote where that is not SOL. */
export const payerFor = (
  payers: ReadonlyArray<Payer>,
  book: AccountBook,
  { amount = 0n, lamports, quote }: Need
): SolanaAddress | null => {
  const found = payers.find(({ address, tokens }) => {
    if (!hasLamports(book, address, lamports)) return false
    if (quote === undefined || quote === WSOL) return true
    const held = tokens.find(([mint]) => mint === quote)?.[1]
    const balance = held === undefined ? null : decodeTokenAccount(book.get(held) ?? null)
    return balance !== null && !balance.frozen && balance.amount >= amount
  })
  return found?.address ?? null
}

/** A wallet that can pay in SOL, of those the node itself has just shown: such a list cannot become outdated. */
export const payerAmong = (
  wallets: ReadonlyArray<SolanaAddress>,
  book: AccountBook,
  { lamports, quote }: Need
): SolanaAddress | null =>
  quote === undefined || quote === WSOL
    ? (wallets.find((address) => hasLamports(book, address, lamports)) ?? null)
    : null
