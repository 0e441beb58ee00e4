/**
 * Milliseconds a statement may run, wait for a row another process holds, or leave a transaction idle. A database that
 * does not answer must be an outage (503), not a request that hangs.
 */
const TIMEOUTS = {
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000
}

/**
 * Milliseconds for which an answer is waited for. The server keeps the limits above; one that is cut off without a word,
 * as in a failover, keeps none, and the system would wait for it for a quarter of an hour.
 */
const SILENCE = 15_000

/** What a URL may set by itself, and the least it may say: the server takes 0 for no limit, a timer of ours for none at all. */
const SETTABLE = [...Object.keys(TIMEOUTS), "query_timeout"]
const leastOf = (name: string) => (name in TIMEOUTS ? 0 : 1)

/** What a timer can wait, and what PostgreSQL takes. */
const MOST_MILLIS = 2 ** 31 - 1

/** Why a server's URL is not taken; `undefined` when it is. Its time-outs reach the driver, which takes any text for one. */
export const postgresUrlReason = (text: string): string | undefined => {
  const { searchParams } = new URL(text)
  const wrong = SETTABLE.find((name) =>
    searchParams
      .getAll(name)
      .some((value) => !/^\d+$/.test(value) || Number(value) < leastOf(name) || Number(value) > MOST_MILLIS)
  )
  return wrong === undefined
    ? undefined
    : `${wrong} must be milliseconds, a whole number from ${leastOf(wrong)} to ${MOST_MILLIS}`
}

/**
 * A server's URL with our time-outs. What stands in it already comes last, and so wins; whoever lets statements run
 * longer says also for how long an answer is waited for (`query_timeout`), or it is waited for without end.
 */
export const withTimeouts = (text: string): string => {
  const url = new URL(text)
  const theirs = url.searchParams.get("options") ?? ""
  const ours = Object.entries(TIMEOUTS).map(([name, millis]) => `-c ${name}=${millis}`)
  url.searchParams.set("options", [...ours, theirs].join(" ").trim())
  const isOurs = !theirs.includes("statement_timeout") && !url.searchParams.has("statement_timeout")
  if (isOurs && !url.searchParams.has("query_timeout")) url.searchParams.set("query_timeout", String(SILENCE))
  return url.toString()
}
