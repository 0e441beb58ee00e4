import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { makeTrouble } from "../../../domain/trouble.ts"
import type { SolanaNode } from "../../verifier/svm/node.ts"
import { everywhere } from "../everywhere.ts"
import type { OpenTransfer, Transfers } from "./transfers.ts"

/** Milliseconds between two sendings: nodes forget transactions, and nobody else sends this one. */
export const RESEND = 2_000

type Stored = Pick<OpenTransfer, "authorizationKey" | "wire">

/** Hands stored bytes to nodes. */
export interface Send {
  /** Now, by whoever has the first turn: to the preferred node, and to another one where that does not answer. */
  readonly first: (transfer: Stored, options: { readonly preflight: boolean }) => Effect.Effect<void>
  /** Once more, to each of our nodes, unless somebody sent it a moment ago: one may take what it passes on to nobody. */
  readonly again: (transfer: Stored) => Effect.Effect<void, UpstreamError>
}

type Node = Pick<SolanaNode, "send">

/** @param nodes each by itself, where `node` is whichever answers */
export const makeSend = (
  node: Node,
  nodes: ReadonlyArray<Node>,
  transfers: Pick<Transfers, "takeTurn">
): Send => {
  // A refusal or a lost answer says nothing: another node may have it.
  const { failed, worked } = makeTrouble("handing settlements to Solana")
  const telling = Effect.matchEffect({
    onFailure: ({ detail, kind }: UpstreamError) =>
      failed(kind, Effect.logWarning("Solana did not take a settlement", kind, detail)),
    onSuccess: () => worked
  })
  return {
    first: ({ wire }, options) => telling(node.send(wire, options)),
    again: (transfer) =>
      Effect.flatMap(transfers.takeTurn(transfer.authorizationKey, RESEND), (isOurs) =>
        isOurs
          ? telling(everywhere(nodes.map((one) => one.send(transfer.wire, { preflight: false }))))
          : Effect.void
      )
  }
}
