/** Transactions that name an account, newest first, as a node lists them page by page. */
import { Effect } from "effect"

interface Named {
  readonly signature: string
}

interface Placed extends Named {
  readonly slot: number
}

/**
 * One node's page of at most so many: the newest, or what is older than one. A node may give fewer than it was asked for, so
 * only an empty page may be the end.
 */
type Pages<A, E> = (limit: number, before: string | undefined) => Effect.Effect<ReadonlyArray<A>, E>

/** The longest page of a node. Source: agave. */
export const LONGEST_PAGE = 1_000
/** Pages of one list that are read. */
const MOST_PAGES = 10

/**
 * Whether the list ends with what was listed of it, where an empty page followed. A node gives one, too, when it does not know
 * the transaction behind which it was to go on, as one behind another that gave the page before. Asked to go on one earlier, it
 * must name the last again, and nothing after it.
 */
export const isWholeList = <A extends Named, E>(
  pages: Pages<A, E>,
  listed: ReadonlyArray<A>
): Effect.Effect<boolean, E> => {
  const last = listed.at(-1)
  return last === undefined
    ? Effect.succeed(true)
    : Effect.map(
        pages(LONGEST_PAGE, listed.at(-2)?.signature),
        (page) => page.at(-1)?.signature === last.signature
      )
}

/** The newest that is older than a page: none where the list ends with the page, `undefined` where the node does not tell. */
export const olderThan = <A extends Named, E>(
  pages: Pages<A, E>,
  page: ReadonlyArray<A>
): Effect.Effect<ReadonlyArray<A> | undefined, E> => {
  const last = page.at(-1)
  if (last === undefined) return Effect.succeed([])
  return Effect.flatMap(pages(1, last.signature), (older) =>
    older.length > 0
      ? Effect.succeed(older)
      : Effect.map(isWholeList(pages, page), (isWhole) => (isWhole ? [] : undefined))
  )
}

/**
 * The list down to before a slot. `passed`: something older was listed; `ended`: nothing older names the account, as far back
 * as the node knows; `cut`: there may be more.
 */
export const listSince = Effect.fnUntraced(function* <A extends Placed, E>(pages: Pages<A, E>, slot: number) {
  const listed: Array<A> = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const more = yield* pages(LONGEST_PAGE, listed.at(-1)?.signature)
    listed.push(...more)
    const oldest = more.at(-1)
    if (oldest === undefined)
      return { listed, end: (yield* isWholeList(pages, listed)) ? "ended" : "cut" } as const
    if (oldest.slot < slot) return { listed, end: "passed" } as const
  }
  return { listed, end: "cut" } as const
})
