/** RugCheck's report on a mint of the local Solana, computed from its accounts. */
import { isAddress } from "@solana/kit"
import * as at from "../solana/addresses.ts"
import type { SolanaChain } from "../solana/solana-chain.ts"
import type { MintView } from "../solana/token-balance.ts"
import { readMint } from "../solana/token-balance.ts"
import type { SolanaPool } from "./solana-pools.ts"
import { holdersOf, solanaPools } from "./solana-pools.ts"

interface Risk {
  readonly name: string
  readonly value: string
  readonly description: string
  readonly score: number
  readonly level: "warn" | "danger"
}

const TOP_HOLDERS = 20
const TRANSFER_FEE_CONFIG = 1
const PERMANENT_DELEGATE = 12
const EXTENSIONS_OFFSET = 166
/** Offset of the newer fee's basis points in TransferFeeConfig. */
const NEWER_BASIS_POINTS = 106

const extensionValue = (chain: SolanaChain, mint: string, wanted: number): Uint8Array | null => {
  const account = isAddress(mint) ? chain.ledger.svm.getAccount(mint) : null
  if (account === null || !account.exists) return null
  const data = Uint8Array.from(account.data)
  const view = new DataView(data.buffer)
  for (let at = EXTENSIONS_OFFSET; at + 4 <= data.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === wanted) {
      return data.subarray(at + 4, at + 4 + view.getUint16(at + 2, true))
    }
  }
  return null
}

const lockedPercent = ({ lpIssued, lpSupply }: SolanaPool): number =>
  lpIssued === 0n ? 0 : (Number(lpIssued - lpSupply) / Number(lpIssued)) * 100

const marketJson = (pool: SolanaPool) => {
  const quoteUSD = pool.quoteReserve * (pool.quoteUsd ?? 0)
  const lpLockedPct = lockedPercent(pool)
  return {
    pubkey: pool.pairAddress,
    marketType: pool.marketType,
    mintA: pool.base.address,
    mintB: pool.quote.address,
    mintLP: pool.lpMint,
    liquidityA: pool.baseVault.address,
    liquidityB: pool.quoteVault.address,
    lp: {
      baseMint: pool.base.address,
      quoteMint: pool.quote.address,
      lpMint: pool.lpMint,
      quotePrice: pool.quoteUsd ?? 0,
      basePrice: pool.priceNative * (pool.quoteUsd ?? 0),
      base: pool.baseReserve,
      quote: pool.quoteReserve,
      quoteUSD,
      baseUSD: quoteUSD,
      reserveSupply: pool.lpIssued,
      currentSupply: pool.lpSupply,
      lpLocked: pool.lpIssued - pool.lpSupply,
      lpUnlocked: pool.lpSupply,
      lpLockedPct,
      lpLockedUSD: (2 * quoteUSD * lpLockedPct) / 100,
      lpTotalSupply: pool.lpIssued,
      holders: []
    }
  }
}

const danger = (name: string, description: string, score: number): Risk => ({
  name,
  value: "",
  description,
  score,
  level: "danger"
})

const risksOf = (
  view: MintView,
  pools: ReadonlyArray<SolanaPool>,
  feeBps: number,
  hasDelegate: boolean
): ReadonlyArray<Risk> => [
  ...(view.mintAuthority === null
    ? []
    : [danger("Mint Authority still enabled", "More tokens can be minted by the owner", 50_000)]),
  ...(view.freezeAuthority === null
    ? []
    : [danger("Freeze Authority still enabled", "Tokens can be frozen", 7_500)]),
  ...(pools.every((pool) => lockedPercent(pool) >= 50)
    ? []
    : [danger("Large Amount of LP Unlocked", "LP tokens can be withdrawn", 11_000)]),
  ...(feeBps === 0 ? [] : [danger("Transfer Fee", "Every transfer pays a fee", feeBps * 5)]),
  ...(hasDelegate ? [danger("Permanent Delegate", "A delegate can move anyone's tokens", 50_000)] : [])
]

const holdersJson = (chain: SolanaChain, mint: string, view: MintView) =>
  holdersOf(chain, mint)
    .slice(0, TOP_HOLDERS)
    .map(({ address, amount, owner }) => {
      const uiAmount = Number(amount) / 10 ** view.decimals
      const pct = (Number(amount) / Number(view.supply)) * 100
      return {
        address,
        amount,
        decimals: view.decimals,
        pct,
        uiAmount,
        uiAmountString: String(uiAmount),
        owner,
        insider: false
      }
    })

const normalised = (score: number): number => Math.min(100, Math.round(10 * Math.log10(score) ** 1.2))

/** The body of `/tokens/{mint}/report`; `null` for what is no mint. */
export const rugReport = (chain: SolanaChain, mint: string) => {
  const view = isAddress(mint) ? readMint(chain.ledger.svm, mint) : null
  if (view === null) return null
  const pools = solanaPools(chain, mint).filter(({ base }) => base.address === mint)
  const fee = extensionValue(chain, mint, TRANSFER_FEE_CONFIG)
  const feeBps =
    fee === null ? 0 : new DataView(fee.buffer, fee.byteOffset).getUint16(NEWER_BASIS_POINTS, true)
  const hasDelegate = extensionValue(chain, mint, PERMANENT_DELEGATE) !== null
  const risks = risksOf(view, pools, feeBps, hasDelegate)
  const score = risks.reduce((sum, risk) => sum + risk.score, 1)
  const markets = pools.map(marketJson)
  const { decimals, freezeAuthority, mintAuthority, supply } = view
  return {
    mint,
    tokenProgram: view.program,
    creator: null,
    token: { mintAuthority, supply, decimals, isInitialized: true, freezeAuthority },
    token_extensions: null,
    topHolders: holdersJson(chain, mint, view),
    mintAuthority,
    freezeAuthority,
    risks,
    score,
    score_normalised: normalised(score),
    lockers: {},
    lockerOwners: {},
    markets,
    totalMarketLiquidity: markets.reduce((sum, { lp }) => sum + 2 * lp.quoteUSD, 0),
    price: markets[0]?.lp.basePrice ?? 0,
    rugged: false,
    tokenType: "",
    transferFee: { pct: feeBps / 100, maxAmount: 0, authority: at.SYSTEM_PROGRAM },
    knownAccounts: Object.fromEntries(
      pools.map(({ baseVault, dexId }) => [baseVault.owner, { name: dexId, type: "AMM" }])
    )
  }
}

/** The body of `/tokens/{mint}/report/summary`, which has no authority fields. */
export const rugSummary = (chain: SolanaChain, mint: string) => {
  const report = rugReport(chain, mint)
  if (report === null) return null
  const [market] = report.markets
  return {
    tokenProgram: report.tokenProgram,
    tokenType: "",
    risks: report.risks,
    score: report.score,
    score_normalised: report.score_normalised,
    lpLockedPct: market?.lp.lpLockedPct ?? 0
  }
}
