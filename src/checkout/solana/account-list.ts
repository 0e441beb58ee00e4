import { Effect, Either } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import type { RpcCall } from "../../chain/rpc-call.ts"
import type { SolanaSignature } from "../../chain/solana-history.ts"
import { makeSolanaHistory } from "../../chain/solana-history.ts"
import { olderThan } from "../../chain/solana-lists.ts"
import { Whole } from "../../chain/solana-wire.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { UpstreamError } from "../../domain/errors.ts"

/** One page of an account's past, between the cursor and a newer transaction. Times are Unix milliseconds. */
export interface Range {
  readonly owner: string
  /** Only what is newer than this transaction. */
  readonly cursor: string | null
  /** Only what is older than this transaction. */
  readonly before: string | null
  /** Older transactions are of no interest. */
  readonly from: number
  /** What came before this was seen already, or is of no interest. */
  readonly since: number
  /** The node must have seen this slot. */
  readonly slot: bigint
  /** Up to this slot no reorganisation takes anything away. */
  readonly final: bigint
  /** Whether the newest transaction below the page is asked for the balance it left. */
  readonly wantsLeft: boolean
}

/** A page of the list, newest first. */
export interface ListPage {
  readonly entries: ReadonlyArray<SolanaSignature>
  /** The list ends here, or nothing lies between this page and the cursor. */
  readonly isLast: boolean
  /**
   * Nothing is missing below a last page that came since then. 0 where the list itself shows it, by the cursor or by
   * something older than `from`; else as far back as the node has kept anything. Null where that is not known.
   */
  readonly knownSince: number | null
  /** The newest that landed below the page; null where nothing ever did, undefined where the list does not show it. */
  readonly below: SolanaSignature | null | undefined
}

/** Transactions one look lists and reads. */
const PAGE = 200

/** The page where the list itself shows what is below it; undefined where the list just ends. */
const shownBy = (listed: ReadonlyArray<SolanaSignature>, { cursor, from }: Range): ListPage | undefined => {
  const end = listed.findIndex(
    ({ blockTime, signature }) => signature === cursor || (blockTime !== null && blockTime * 1000 < from)
  )
  if (end === -1 && listed.length < PAGE) return undefined
  const entries = end === -1 ? listed : listed.slice(0, end)
  const below = listed.slice(entries.length).find(({ failed }) => !failed)
  return { entries, isLast: end !== -1, knownSince: 0, below }
}

/**
 * A node's pages below the range's upper end. The list includes the cursor: a node that shows it has kept everything that
 * came after it.
 */
const pagesAt =
  (call: RpcCall, account: SolanaAddress, { before, slot }: Range) =>
  (limit: number, behind: string | undefined = before ?? undefined) =>
    makeSolanaHistory(call).getSignatures(account, { limit, before: behind, minContextSlot: slot })

/** How far back a node has kept anything. Asked for after its list, for it only ever drops more. */
const keptSince = (call: RpcCall) =>
  Effect.gen(function* () {
    const first = yield* call("getFirstAvailableBlock", [], Whole)
    if (first === 0) return 0
    const time = yield* makeSolanaHistory(call).getBlockTime(BigInt(first))
    return time === null ? null : time * 1000
  }).pipe(Effect.orElseSucceed(() => null))

/** One node's answer: what its list does not show, only the same node may complete. */
const pageAt = (
  call: RpcCall,
  account: SolanaAddress,
  range: Range
): Effect.Effect<ListPage, UpstreamError> =>
  Effect.gen(function* () {
    const pages = pagesAt(call, account, range)
    const listed = yield* pages(PAGE)
    const shown = shownBy(listed, range)
    if (shown !== undefined) return shown
    const older = yield* olderThan(pages, listed)
    if (older === undefined) return yield* lost()
    if (older.length > 0)
      return {
        entries: listed,
        isLast: false,
        knownSince: 0,
        below: older.find(({ failed }) => !failed)
      }
    const knownSince = yield* keptSince(call)
    const page: ListPage = {
      entries: listed,
      isLast: true,
      knownSince,
      below: knownSince === 0 ? null : undefined
    }
    return page
  })

/** A node that does not know where its own list was to go on. */
const lost = () =>
  new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: "a list without its end" })

const reach = ({ knownSince }: ListPage): number => knownSince ?? Number.POSITIVE_INFINITY

/**
 * Lists an account. A list that just ends proves nothing by itself: a node drops what is old, the cursor among it. Then
 * each node is asked how far back its own list goes. Where none goes far enough, the page is that of the node that goes
 * furthest; and where one of them did not answer, it is not known how far back the page goes.
 */
export const makeAccountList =
  ({ call, nodes }: Pick<SolanaRpc, "call" | "nodes">) =>
  (account: SolanaAddress, range: Range): Effect.Effect<ListPage, UpstreamError> =>
    Effect.gen(function* () {
      const shown = nodes.length > 1 ? shownBy(yield* pagesAt(call, account, range)(PAGE), range) : undefined
      if (shown !== undefined) return shown
      let best: ListPage | undefined
      let failure: UpstreamError | undefined
      for (const node of nodes) {
        const page = yield* Effect.either(pageAt(node.call, account, range))
        if (Either.isLeft(page)) failure = page.left
        else if (reach(page.right) <= range.since) return page.right
        else if (best === undefined || reach(page.right) < reach(best)) best = page.right
      }
      if (best !== undefined)
        return failure === undefined ? best : { ...best, knownSince: null, below: undefined }
      return yield* (
        failure ?? new UpstreamError({ upstream: "solana-rpc", kind: "transport", detail: "no node" })
      )
    })
