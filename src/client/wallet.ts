import { Data, Effect } from "effect"
import type { Network } from "../domain/chain.ts"
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

/** One wallet out of several; for a network that several can sign for, the first does. Of none, one that cannot pay. */
export const combineWallets = (...wallets: ReadonlyArray<Wallet>): Wallet => ({
  networks: [...new Set(wallets.flatMap(({ networks }) => networks))],
  sign: (challenge, chosen) => {
    const wallet = wallets.find(({ networks }) => networks.includes(chosen.network))
    return wallet === undefined
      ? Effect.fail(new SigningFailed({ cause: new Error(`no wallet for ${chosen.network}`) }))
      : wallet.sign(challenge, chosen)
  }
})
