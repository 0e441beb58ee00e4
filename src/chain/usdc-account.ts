import { Effect } from "effect"
import { isSolanaAddress, SolanaAddress } from "../domain/address.ts"
import { toBase58 } from "../domain/base58.ts"
import { SOLANA_USDC } from "../domain/chain.ts"
import { UpstreamError } from "../domain/errors.ts"
import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"
import type { ChainRpc, SolanaAccount } from "./chain-rpc.ts"
import { associatedTokenAccount } from "./program-address.ts"

const USDC = SolanaAddress.make(SOLANA_USDC)

/**
 * Offsets of an SPL token account's owner, its amount and its state byte, and that byte's value. Source: spl-token `Account`.
 */
const OWNER_OFFSET = 32
const AMOUNT_OFFSET = 64
const STATE_OFFSET = 108
const INITIALIZED = 1

/** The wallet's associated token account for USDC: where every official x402 client sends the money. */
export const usdcAccountOf = (wallet: string): SolanaAddress | undefined =>
  isSolanaAddress(wallet) ? associatedTokenAccount(wallet, USDC) : undefined

/**
 * The same for wallets that were accepted before; anything else is a defect of ours, because there is no account to ask
 * about.
 */
export const knownUsdcAccount = (wallet: string): Effect.Effect<SolanaAddress, UpstreamError> => {
  const account = usdcAccountOf(wallet)
  return account === undefined
    ? new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail: "not a wallet's address" })
    : Effect.succeed(account)
}

/** Whether a wallet can receive USDC on Solana, or why not. */
export type UsdcAccount = "ready" | "missing" | "frozen" | "given-away" | "not-a-wallet"

/**
 * Who owns programs and what belongs to them: nothing that came for one can be moved. Source: Solana's `solana-sdk-ids`.
 */
const LOADERS: ReadonlySet<string> = new Set([
  "NativeLoader1111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "LoaderV411111111111111111111111111111111111"
])

const isTokenProgram = (owner: string): boolean =>
  owner === SOLANA_PROGRAMS.token || owner === SOLANA_PROGRAMS.token2022

/** An account keeps its address when its owner signs it away, as a fraud has one do: money would come to somebody else. */
const isOwnedBy = (wallet: string, { data }: SolanaAccount): boolean =>
  data.length > STATE_OFFSET && toBase58(data, OWNER_OFFSET) === wallet

const accountState = (
  owner: string,
  wallet: SolanaAccount | null,
  tokens: SolanaAccount | null
): UsdcAccount => {
  if (wallet !== null && (isTokenProgram(wallet.owner) || LOADERS.has(wallet.owner))) return "not-a-wallet"
  if (tokens === null || !isTokenProgram(tokens.owner)) return "missing"
  if (!isOwnedBy(owner, tokens)) return "given-away"
  return tokens.data[STATE_OFFSET] === INITIALIZED ? "ready" : "frozen"
}

/** A wallet's associated token account for USDC, and what is in it, smallest units. */
export interface UsdcHolding {
  readonly account: UsdcAccount
  readonly amount: bigint
}

const amountIn = ({ data }: SolanaAccount): bigint =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(AMOUNT_OFFSET, true)

/** What the chain says of a wallet's associated token account for USDC. */
export const readUsdcHolding = (
  solana: Pick<ChainRpc["Type"]["solana"], "getAccounts">,
  owner: string
): Effect.Effect<UsdcHolding, UpstreamError> => {
  const tokens = usdcAccountOf(owner)
  if (tokens === undefined || !isSolanaAddress(owner))
    return Effect.succeed({ account: "not-a-wallet", amount: 0n })
  return Effect.map(solana.getAccounts([owner, tokens]), ({ accounts: [wallet = null, held = null] }) => {
    const account = accountState(owner, wallet, held)
    return { account, amount: account === "ready" && held !== null ? amountIn(held) : 0n }
  })
}

/** The same of the account alone, which must exist before anybody can pay into it. */
export const readUsdcAccount = (
  { solana }: Pick<ChainRpc["Type"], "solana">,
  owner: string
): Effect.Effect<UsdcAccount, UpstreamError> =>
  Effect.map(readUsdcHolding(solana, owner), ({ account }) => account)
