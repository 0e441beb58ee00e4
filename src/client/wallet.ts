import { textToBase64 } from "./base64.ts"
import { SigningFailed } from "./errors.ts"
import type { Network, PaymentRequired, PaymentRequirements } from "./types.ts"

/** Signs payments on some networks. `sign` gives the value of the `payment-signature` header. */
export interface Wallet {
  readonly networks: ReadonlyArray<Network>
  readonly sign: (challenge: PaymentRequired, chosen: PaymentRequirements) => Promise<string>
}

/** A wallet from a function that makes one network's payload; the envelope is x402 v2's. */
export const walletOf = (
  network: Network,
  payloadOf: (chosen: PaymentRequirements) => Promise<Readonly<Record<string, unknown>>>
): Wallet => ({
  networks: [network],
  sign: async (challenge, chosen) => {
    const envelope = {
      x402Version: challenge.x402Version,
      resource: challenge.resource,
      accepted: chosen,
      payload: await payloadOf(chosen),
      ...(challenge.extensions === undefined ? {} : { extensions: challenge.extensions })
    }
    return textToBase64(JSON.stringify(envelope))
  }
})

/**
 * One wallet out of several; where several can sign for a network, the first one does. Without any wallet: one that
 * cannot pay.
 */
export const combineWallets = (...wallets: ReadonlyArray<Wallet>): Wallet => ({
  networks: [...new Set(wallets.flatMap(({ networks }) => networks))],
  sign: async (challenge, chosen) => {
    const wallet = wallets.find(({ networks }) => networks.includes(chosen.network))
    if (wallet === undefined) throw new SigningFailed(new Error(`no wallet for ${chosen.network}`))
    return wallet.sign(challenge, chosen)
  }
})
