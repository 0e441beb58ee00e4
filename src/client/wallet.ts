import type { TransactionSigner } from "@solana/kit"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { ExactSvmScheme } from "@x402/svm/exact/client"
import { Data, Effect } from "effect"
import type { LocalAccount } from "viem"
import type { Network } from "../domain/chain.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import type { PaymentRequired, PaymentRequirements } from "../domain/x402.ts"

/** The wallet could not sign. Nothing was sent. */
export class SigningFailed extends Data.TaggedError("SigningFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    return `signing failed: ${this.cause instanceof Error ? this.cause.message : "unknown cause"}`
  }
}

/** Signs payments on some networks. `sign` gives the value of the `payment-signature` header. */
export interface Wallet {
  readonly networks: ReadonlyArray<Network>
  readonly sign: (
    challenge: PaymentRequired,
    chosen: PaymentRequirements
  ) => Effect.Effect<string, SigningFailed>
}

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

/** One wallet out of several; for a network that several can sign for, the first does. */
export const combineWallets = (...wallets: ReadonlyArray<Wallet>): Wallet => ({
  networks: [...new Set(wallets.flatMap(({ networks }) => networks))],
  sign: (challenge, chosen) => {
    const wallet = wallets.find(({ networks }) => networks.includes(chosen.network))
    return wallet === undefined
      ? Effect.fail(new SigningFailed({ cause: new Error(`no wallet for ${chosen.network}`) }))
      : wallet.sign(challenge, chosen)
  }
})
