import { Effect } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import { makeSolanaHistory } from "../../chain/solana-history.ts"
import { listSince } from "../../chain/solana-lists.ts"
import { Whole } from "../../chain/solana-wire.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import { SOLANA_USDC } from "../../domain/chain.ts"
import { usdcAccountOf } from "../../chain/usdc-account.ts"
import type { Trace, Whereabouts } from "../watch/standing.ts"
import { MOST_MOVED } from "../watch/standing.ts"

/** One node's word, which must not be completed by another's. */
const makeTraceAt =
  ({ call, host }: SolanaRpc["nodes"][number]): Trace =>
  (evidence, view) =>
    Effect.gen(function* () {
      const { height, payTo, transaction } = evidence
      const history = makeSolanaHistory(call)
      const account = usdcAccountOf(payTo)
      if (account === undefined || !isSolanaAddress(SOLANA_USDC)) return undefined
      const final = BigInt(view.final)
      // A list by account is written after the blocks, and how far it is shows in the mint, which transfers name. It is
      // asked for before the search, so that the search sees everything it shows.
      const [newest] = yield* history.getSignatures(SOLANA_USDC, { limit: 1, minContextSlot: final })
      const first = yield* call("getFirstAvailableBlock", [], Whole)
      const lowest = Math.max(0, height - MOST_MOVED)
      const { end, listed } = yield* listSince(
        (limit, before) => history.getSignatures(account, { limit, before, minContextSlot: final }),
        lowest
      )
      const found = listed.find(({ signature }) => signature === transaction)
      // The transaction may have moved to any slot from there up to the final one, so the node has to know all of them.
      const isKnowledge = newest !== undefined && newest.slot >= view.final && first <= lowest
      if (found === undefined && (end === "cut" || !isKnowledge)) return undefined
      // A message that landed with an error moved nothing, and lands once.
      const where: Whereabouts =
        found === undefined || found.failed
          ? { absent: { node: host, height: view.final } }
          : { ...evidence, height: found.slot }
      return where
    })

/** Where a wallet's transfer is now, by a list of the account that reaches down past where it was. */
export const makeTrace =
  ({ nodes }: Pick<SolanaRpc, "nodes">): Trace =>
  (evidence, view) =>
    Effect.firstSuccessOf(nodes.map((node) => makeTraceAt(node)(evidence, view)))
