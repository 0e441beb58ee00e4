import { Effect, Schema } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import type { SolanaHistory, SolanaSignature } from "../../chain/solana-history.ts"
import { makeSolanaHistory } from "../../chain/solana-history.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import { SOLANA_USDC } from "../../domain/chain.ts"
import { usdcAccountOf } from "../../chain/usdc-account.ts"
import type { Trace, Whereabouts } from "../watch/standing.ts"
import { MOST_MOVED } from "../watch/standing.ts"

/** Transactions one page lists, and pages that are read; where there are more, nothing is concluded. */
const LISTED = 1_000
const MOST_PAGES = 10

const Slot = Schema.Union(Schema.NonNegativeInt, Schema.NumberFromString)

/** Looks for a transaction among an account's newest, down to a slot. Undefined: the list was cut short. */
const makeSearch = (history: SolanaHistory) =>
  Effect.fnUntraced(function* (account: SolanaAddress, transaction: string, bottom: number, final: bigint) {
    let before: string | undefined = undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const listed: ReadonlyArray<SolanaSignature> = yield* history.getSignatures(account, {
        limit: LISTED,
        before,
        minContextSlot: final
      })
      const found = listed.find(({ signature }) => signature === transaction)
      if (found !== undefined) return found
      const last = listed.at(-1)
      // A node may give fewer than it was asked for: only an empty page is the end.
      if (last === undefined || last.slot < bottom) return "none" as const
      before = last.signature
    }
    return undefined
  })

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
      const first = yield* call("getFirstAvailableBlock", [], Slot)
      const search = makeSearch(history)
      const lowest = Math.max(0, height - MOST_MOVED)
      const found = yield* search(account, transaction, lowest, final)
      // The transaction may have moved to any slot from there up to the final one, so the node has to know all of them.
      const isKnowledge = newest !== undefined && newest.slot >= view.final && first <= lowest
      if (found === undefined || (found === "none" && !isKnowledge)) return undefined
      // A message that landed with an error moved nothing, and lands once.
      const where: Whereabouts =
        found === "none" || found.failed
          ? { absent: { node: host, height: view.final } }
          : { ...evidence, height: found.slot }
      return where
    })

/** Where a wallet's transfer is now, by a list of the account that reaches down past where it was. */
export const makeTrace =
  ({ nodes }: Pick<SolanaRpc, "nodes">): Trace =>
  (evidence, view) =>
    Effect.firstSuccessOf(nodes.map((node) => makeTraceAt(node)(evidence, view)))
