/** Every PumpSwap and Raydium CPMM pool on the local Solana, decoded from its account when asked. */
import type { Address } from "@solana/kit"
import * as at from "../solana/addresses.ts"
import { addressAt } from "../solana/keys.ts"
import type { SolanaChain } from "../solana/solana-chain.ts"
import type { TokenAccountView } from "../solana/token-balance.ts"
import { allTokenAccounts, readMint, readTokenAccount, untilChange } from "../solana/token-balance.ts"
import type { MarketPool, MarketToken } from "./market-pool.ts"

export interface SolanaPool extends MarketPool {
  readonly marketType: "pump_fun_amm" | "raydium_cpmm"
  readonly lpMint: Address
  readonly baseVault: TokenAccountView
  readonly quoteVault: TokenAccountView
  /** LP tokens ever issued and those that still exist, smallest units. */
  readonly lpIssued: bigint
  readonly lpSupply: bigint
}

interface PoolAccount {
  readonly address: Address
  readonly marketType: SolanaPool["marketType"]
  readonly mints: readonly [Address, Address]
  readonly vaults: readonly [Address, Address]
  readonly lpMint: Address
  readonly lpIssued: bigint
}

const u64At = (data: Uint8Array, offset: number): bigint =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true)

const poolAccounts = untilChange((svm): ReadonlyArray<PoolAccount> => {
  const accountsOf = (program: Address, size: number) =>
    svm
      .getProgramAccounts(program)
      .map(({ address, data }) => ({ address, data: Uint8Array.from(data) }))
      .filter(({ data }) => data.length >= size)
  return [
    ...accountsOf(at.PUMP_SWAP_PROGRAM, 211).map(({ address, data }) => ({
      address,
      marketType: "pump_fun_amm" as const,
      mints: [addressAt(data, 43), addressAt(data, 75)] as const,
      vaults: [addressAt(data, 139), addressAt(data, 171)] as const,
      lpMint: addressAt(data, 107),
      lpIssued: u64At(data, 203)
    })),
    ...accountsOf(at.CPMM_PROGRAM, 637).map(({ address, data }) => ({
      address,
      marketType: "raydium_cpmm" as const,
      mints: [addressAt(data, 168), addressAt(data, 200)] as const,
      vaults: [addressAt(data, 72), addressAt(data, 104)] as const,
      lpMint: addressAt(data, 136),
      lpIssued: u64At(data, 333)
    }))
  ]
})

const quoteRank = (mint: Address): number => (mint === at.USDC_MINT ? 2 : mint === at.WSOL_MINT ? 1 : 0)

const describe = (chain: SolanaChain, mint: Address): MarketToken => {
  if (mint === at.USDC_MINT) return { address: mint, name: "USD Coin", symbol: "USDC" }
  if (mint === at.WSOL_MINT) return { address: mint, name: "Wrapped SOL", symbol: "SOL" }
  const known = Object.values(chain.tokens).find(({ address }) => address === mint)
  return { address: mint, name: known?.name ?? "Sandbox token", symbol: known?.symbol ?? "TOKEN" }
}

const wholeTokens = (chain: SolanaChain, account: TokenAccountView): number =>
  Number(account.amount) / 10 ** (readMint(chain.ledger.svm, account.mint)?.decimals ?? 0)

const solUsd = (chain: SolanaChain): number => {
  const { quoteVault, tokenVault } = chain.referencePool
  const dollars = readTokenAccount(chain.ledger.svm, quoteVault)
  const sol = readTokenAccount(chain.ledger.svm, tokenVault)
  return dollars === null || sol === null ? 0 : wholeTokens(chain, dollars) / wholeTokens(chain, sol)
}

const usdOf = (chain: SolanaChain, mint: Address): number | null =>
  mint === at.USDC_MINT ? 1 : mint === at.WSOL_MINT ? solUsd(chain) : null

const readPool = (chain: SolanaChain, account: PoolAccount): SolanaPool | null => {
  const baseFirst = quoteRank(account.mints[0]) <= quoteRank(account.mints[1])
  const [baseMint, quoteMint] = baseFirst ? account.mints : [account.mints[1], account.mints[0]]
  const [baseAddress, quoteAddress] = baseFirst ? account.vaults : [account.vaults[1], account.vaults[0]]
  const baseVault = readTokenAccount(chain.ledger.svm, baseAddress)
  const quoteVault = readTokenAccount(chain.ledger.svm, quoteAddress)
  if (baseVault === null || quoteVault === null) return null
  const baseReserve = wholeTokens(chain, baseVault)
  const quoteReserve = wholeTokens(chain, quoteVault)
  const isPump = account.marketType === "pump_fun_amm"
  return {
    chainId: "solana",
    dexId: isPump ? "pumpswap" : "raydium",
    labels: isPump ? [] : ["CPMM"],
    pairAddress: account.address,
    base: describe(chain, baseMint),
    quote: describe(chain, quoteMint),
    baseReserve,
    quoteReserve,
    priceNative: quoteReserve / baseReserve,
    quoteUsd: usdOf(chain, quoteMint),
    marketType: account.marketType,
    lpMint: account.lpMint,
    baseVault,
    quoteVault,
    lpIssued: account.lpIssued,
    lpSupply: readMint(chain.ledger.svm, account.lpMint)?.supply ?? 0n
  }
}

/** The pools the mint is in, on either side. */
export const solanaPools = (chain: SolanaChain, mint: string): ReadonlyArray<SolanaPool> =>
  poolAccounts(chain.ledger.svm)
    .filter(({ mints: [first, second] }) => first === mint || second === mint)
    .flatMap((account) => readPool(chain, account) ?? [])

/** Token accounts of a mint, largest first. */
export const holdersOf = (chain: SolanaChain, mint: string): ReadonlyArray<TokenAccountView> =>
  allTokenAccounts(chain.ledger.svm)
    .filter((account) => account.mint === mint && account.amount > 0n)
    .toSorted((left, right) => (left.amount < right.amount ? 1 : left.amount > right.amount ? -1 : 0))
