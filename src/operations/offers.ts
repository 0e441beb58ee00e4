import { Context } from "effect"
import type { TokenRef } from "../domain/token.ts"
import { tokenKey } from "../domain/token.ts"
import type { PaymentRequired, PaymentRequirements } from "../domain/x402.ts"
import type { Method, OperationId } from "../domain/catalog.ts"

/** How a caller reached us, which decides the resource a challenge names. */
export type Channel = Method | "mcp"

/** A challenge, ready to send: the same JSON in the body and, base64, in `PAYMENT-REQUIRED`. */
export interface PreparedChallenge {
  readonly challenge: PaymentRequired
  readonly json: string
  readonly base64: string
}

/** Equal exactly for requests one payment may be shown for: the channel, the operation and the token. */
export const fingerprintOf = (channel: "http" | "mcp", id: OperationId, token: TokenRef): string =>
  `${channel} ${id} ${tokenKey(token)}`

/** The service's price list: what each operation costs, to whom, on which networks, as it is now. */
export class Offers extends Context.Tag("token-risk/Offers")<
  Offers,
  {
    readonly publicUrl: string
    /** The deep report's free tier in words, where anybody has free calls. */
    readonly freeTier: string | undefined
    readonly priceUsd: (id: OperationId) => string
    readonly accepts: (id: OperationId) => ReadonlyArray<PaymentRequirements>
    readonly resourceUrl: (id: OperationId, channel: Channel) => string
    readonly challenge: (id: OperationId, channel: Channel) => PreparedChallenge
  }
>() {}
