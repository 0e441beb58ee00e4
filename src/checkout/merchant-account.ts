import { address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit"
import { Context, Effect, Layer } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import type { SolanaAccount } from "../chain/chain-rpc.ts"
import type { SolanaAddress } from "../domain/address.ts"
import { isSolanaAddress } from "../domain/address.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../domain/chain.ts"
import type { Network } from "../domain/chain.ts"

const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
const ASSOCIATED_TOKEN_PROGRAM = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")

/** Offset and value of an SPL token account's state byte. Source: spl-token `Account`. */
const STATE_OFFSET = 108
const INITIALIZED = 1

const encoder = getAddressEncoder()

/** The wallet's associated token account for USDC: where every official x402 client sends the money. */
export const usdcAccountOf = async (wallet: string): Promise<SolanaAddress | undefined> => {
  const [derived] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    seeds: [
      encoder.encode(address(wallet)),
      encoder.encode(TOKEN_PROGRAM),
      encoder.encode(address(SOLANA_USDC))
    ]
  })
  return isSolanaAddress(derived) ? derived : undefined
}

/** `unknown`: the chain did not answer. The other words say why the merchant cannot be paid. */
export type MerchantAccount = "ready" | "missing" | "frozen" | "not-a-wallet" | "unknown"

const isTokenProgram = (owner: string): boolean => owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM

const accountState = (wallet: SolanaAccount | null, tokens: SolanaAccount | null): MerchantAccount => {
  if (wallet !== null && isTokenProgram(wallet.owner)) return "not-a-wallet"
  if (tokens === null || !isTokenProgram(tokens.owner)) return "missing"
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
        const tokens = yield* Effect.promise(() => usdcAccountOf(payTo))
        if (tokens === undefined || !isSolanaAddress(payTo)) return "not-a-wallet" as const
        const { accounts } = yield* solana.getAccounts([payTo, tokens])
        return accountState(accounts[0] ?? null, accounts[1] ?? null)
      },
      Effect.catchTag("UpstreamError", () => Effect.succeed("unknown" as const))
    )
    return MerchantAccounts.of({ check })
  })
)
