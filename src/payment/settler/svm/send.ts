import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { makeTrouble } from "../../../domain/trouble.ts"
import type { SolanaNode } from "../../verifier/svm/node.ts"
import type { OpenTransfer, Transfers } from "./transfers.ts"

/** Milliseconds between two sendings: nodes forget transactions, and nobody else sends this one. */
export const RESEND = 2_000

type Stored = Pick<OpenTransfer, "authorizationKey" | "wire">

/** Hands stored bytes to a node. */
export interface Send {
  /** Now, by whoever has the first turn. */
  readonly first: (transfer: Stored, options: { readonly preflight: boolean }) => Effect.Effect<void>
  /** Once more, unless somebody sent it a moment ago. */
  readonly again: (transfer: Stored) => Effect.Effect<void, UpstreamError>
}

export const makeSend = (node: Pick<SolanaNode, "send">, transfers: Pick<Transfers, "takeTurn">): Send => {
  // A refusal or a lost answer says nothing: another node may have it.
  const { failed, worked } = makeTrouble("handing settlements to Solana")
  const first: Send["first"] = ({ wire }, options) =>
    Effect.matchEffect(node.send(wire, options), {
      onFailure: ({ detail, kind }) =>
        failed(kind, Effect.logWarning("Solana did not take a settlement", kind, detail)),
      onSuccess: () => worked
    })
  return {
    first,
    again: (transfer) =>
      Effect.flatMap(transfers.takeTurn(transfer.authorizationKey, RESEND), (isOurs) =>
        isOurs ? first(transfer, { preflight: false }) : Effect.void
      )
  }
}
