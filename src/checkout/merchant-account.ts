import { Context, Effect, Layer } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { readUsdcAccount, type UsdcAccount } from "../chain/usdc-account.ts"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { Network } from "../domain/chain.ts"

/** `unknown`: the chain did not answer. The other words say why the merchant cannot be paid. */
export type MerchantAccount = UsdcAccount | "unknown"

/** Can this merchant receive USDC? On Base any address can; on Solana the token account must exist beforehand. */
export class MerchantAccounts extends Context.Tag("token-risk/MerchantAccounts")<
  MerchantAccounts,
  { readonly check: (network: Network, payTo: string) => Effect.Effect<MerchantAccount> }
>() {}

export const MerchantAccountsLive = Layer.effect(
  MerchantAccounts,
  Effect.map(ChainRpc, (chains) => {
    const check = Effect.fn("MerchantAccounts.check")(
      (network: Network, payTo: string): Effect.Effect<MerchantAccount> =>
        network === SOLANA_NETWORK
          ? Effect.orElseSucceed(readUsdcAccount(chains, payTo), () => "unknown")
          : Effect.succeed("ready")
    )
    return MerchantAccounts.of({ check })
  })
)
