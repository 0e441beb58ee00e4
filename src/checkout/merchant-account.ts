import { Context, Effect, Layer } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import type { SolanaAccount } from "../chain/chain-rpc.ts"
import { associatedTokenAccount } from "../chain/program-address.ts"
import { isSolanaAddress, SolanaAddress } from "../domain/address.ts"
import { toBase58 } from "../domain/base58.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../domain/chain.ts"
import type { Network } from "../domain/chain.ts"
import { UpstreamError } from "../domain/errors.ts"
import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"

const USDC = SolanaAddress.make(SOLANA_USDC)

/** Offsets of an SPL token account's owner and of its state byte, and that byte's value. Source: spl-token `Account`. */
const OWNER_OFFSET = 32
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

/** `unknown`: the chain did not answer. The other words say why the merchant cannot be paid. */
export type MerchantAccount = "ready" | "missing" | "frozen" | "given-away" | "not-a-wallet" | "unknown"

const isTokenProgram = (owner: string): boolean =>
  owner === SOLANA_PROGRAMS.token || owner === SOLANA_PROGRAMS.token2022

/** An account keeps its address when its owner signs it away, as a fraud has one do: money would come to somebody else. */
const isOwnedBy = (wallet: string, { data }: SolanaAccount): boolean =>
  data.length > STATE_OFFSET && toBase58(data, OWNER_OFFSET) === wallet

const accountState = (
  payTo: string,
  wallet: SolanaAccount | null,
  tokens: SolanaAccount | null
): MerchantAccount => {
  if (wallet !== null && isTokenProgram(wallet.owner)) return "not-a-wallet"
  if (tokens === null || !isTokenProgram(tokens.owner)) return "missing"
  if (!isOwnedBy(payTo, tokens)) return "given-away"
  return tokens.data[STATE_OFFSET] === INITIALIZED ? "ready" : "frozen"
}

/** Can this merchant receive USDC? On Base any address can; on Solana the token account must exist beforehand. */
export class MerchantAccounts extends Context.Tag("token-risk/MerchantAccounts")<
  MerchantAccounts,
  { readonly check: (network: Network, payTo: string) => Effect.Effect<MerchantAccount> }
>() {}

export const MerchantAccountsLive = Layer.effect(
  MerchantAccounts,
  Effect.map(ChainRpc, ({ solana }) => {
    const check = Effect.fn("MerchantAccounts.check")(
      function* (network: Network, payTo: string) {
        if (network !== SOLANA_NETWORK) return "ready" as const
        const tokens = usdcAccountOf(payTo)
        if (tokens === undefined || !isSolanaAddress(payTo)) return "not-a-wallet" as const
        const { accounts } = yield* solana.getAccounts([payTo, tokens])
        return accountState(payTo, accounts[0] ?? null, accounts[1] ?? null)
      },
      Effect.catchTag("UpstreamError", () => Effect.succeed("unknown" as const))
    )
    return MerchantAccounts.of({ check })
  })
)
