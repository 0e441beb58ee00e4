/** Buyers with the official x402 clients, paying from the sandbox's accounts. */
import { x402Client } from "@x402/core/client"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { wrapFetchWithPayment } from "@x402/fetch"
import { ExactSvmScheme } from "@x402/svm/exact/client"
import type { KeyPairSigner } from "@solana/kit"
import type { Address } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { SMART_WALLET } from "./base/addresses.ts"

export interface Buyer {
  readonly client: x402Client
  /** `fetch` that answers a 402 by paying. */
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>
}

const buyerOf = (client: x402Client): Buyer => ({
  client,
  fetch: wrapFetchWithPayment(globalThis.fetch, client)
})

/** Pays with USDC on Base; `wallet` pays from a contract wallet for which the account signs (ERC-1271). */
export const baseBuyer = (account: PrivateKeyAccount, wallet?: Address): Buyer =>
  buyerOf(
    new x402Client().register(
      BASE_NETWORK,
      new ExactEvmScheme({
        address: wallet ?? account.address,
        signTypedData: ({ domain, message, primaryType, types }) =>
          account.signTypedData({ domain, message, primaryType, types: { ...types } })
      })
    )
  )

export const smartWalletBuyer = (owner: PrivateKeyAccount): Buyer => baseBuyer(owner, SMART_WALLET)

/** Pays with USDC on Solana; the client reads the mint and a blockhash from `rpcUrl`. */
export const solanaBuyer = (signer: KeyPairSigner, rpcUrl: string): Buyer =>
  buyerOf(new x402Client().register(SOLANA_NETWORK, new ExactSvmScheme(signer, { rpcUrl })))
