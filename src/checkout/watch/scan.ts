/**
 * How far a receiving account was read. Everything up to `cursor` is in the journal, and no reorganisation puts anything
 * before it: what is newer is read again at every look. While more has happened than one
 * look reads, the account is read page by page from the newest back to the cursor: `head` is the next cursor, `before`
 * where the next page starts. `hasGap`: something on the way could not be read, or was left for later, so the cursor
 * must stay and all of it is read again. All are transaction ids; reading one twice does no harm.
 */
export interface Scan {
  readonly cursor: string | null
  readonly head: string | null
  readonly before: string | null
  readonly hasGap: boolean
}

export const FRESH: Scan = { cursor: null, head: null, before: null, hasGap: false }

/** What one page was like. `isDone`: everything on it is in the journal. */
export interface PageRead {
  /** Its newest transaction that stays in the chain. */
  readonly newest: string | null
  readonly oldest: string | null
  readonly isLast: boolean
  readonly isDone: boolean
}

/** The scan after a page. `isComplete`: nothing the node knew when the page was read is missing. */
export const advance = (
  scan: Scan,
  page: PageRead
): { readonly scan: Scan; readonly isComplete: boolean } => {
  const isTop = scan.before === null
  const head = scan.head ?? page.newest
  const hasGap = scan.hasGap || !page.isDone
  if (!page.isLast) {
    return { scan: { cursor: scan.cursor, head, before: page.oldest, hasGap }, isComplete: false }
  }
  // What came while older pages were read is above the head: the next look begins there.
  const cursor = hasGap ? scan.cursor : (head ?? scan.cursor)
  return { scan: { ...FRESH, cursor }, isComplete: isTop && !hasGap }
}
