import type { TransactionSigner } from "@solana/kit"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { ExactSvmScheme } from "@x402/svm/exact/client"
import { Effect } from "effect"
import type { LocalAccount } from "viem"
import type { Network } from "../domain/chain.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import type { PaymentRequirements } from "../domain/x402.ts"
import type { Wallet } from "./wallet.ts"
import { SigningFailed } from "./wallet.ts"

interface Scheme {
  readonly createPaymentPayload: (
    version: number,
    requirements: PaymentRequirements
  ) => Promise<{ readonly payload: Record<string, unknown> }>
}

const walletOf = (network: Network, scheme: Scheme): Wallet => ({
  networks: [network],
  sign: (challenge, chosen) =>
    Effect.tryPromise({
      try: () => scheme.createPaymentPayload(challenge.x402Version, chosen),
      catch: (cause) => new SigningFailed({ cause })
    }).pipe(
      Effect.map(({ payload }) => {
        const envelope = {
          x402Version: challenge.x402Version,
          resource: challenge.resource,
          accepted: chosen,
          payload,
          ...(challenge.extensions === undefined ? {} : { extensions: challenge.extensions })
        }
        return Buffer.from(JSON.stringify(envelope), "utf8").toString("base64")
      })
    )
})

/** Pays on Base with an EIP-3009 authorization signed by a viem account. */
export const evmWallet = (account: LocalAccount): Wallet =>
  walletOf(BASE_NETWORK, new ExactEvmScheme(account))

/** Pays on Solana with a transfer signed by a kit signer. `rpcUrl` is read for the mint and a blockhash. */
export const solanaWallet = (signer: TransactionSigner, rpcUrl: string): Wallet =>
  walletOf(SOLANA_NETWORK, new ExactSvmScheme(signer, { rpcUrl }))
