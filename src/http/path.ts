import type { HttpServerRequest } from "@effect/platform"

/** Where a request goes, and what it asks there. */
interface Target {
  readonly path: string
  readonly query: string
}

/** A scheme and a host before the path, as requests to proxies have them. */
const ORIGIN = /^https?:\/\/.*?\//

/** The target cut as the router cuts it, which takes `;` and `#` for the beginning of a query too. */
const targetOf = ({ url }: HttpServerRequest.HttpServerRequest): Target => {
  // Of another first character than a slash the router takes no notice.
  const text = url.startsWith("/") ? url : `/${url.replace(ORIGIN, "/").slice(1)}`
  const end = text.search(/[?;#]/)
  return end < 0 ? { path: text, query: "" } : { path: text.slice(0, end), query: text.slice(end + 1) }
}

/** The request's path as it was written, without the query: that may hold anything a caller typed. */
export const pathOf = (request: HttpServerRequest.HttpServerRequest): string => targetOf(request).path

/** What stands behind the path, in any of the router's spellings. */
export const queryOf = (request: HttpServerRequest.HttpServerRequest): string => targetOf(request).query

/**
 * The path that the router looks up: what a request is depends on it, and not on how it was written. Not for logs: an
 * escape may stand for any character. One that cannot be undone leads nowhere.
 */
export const routedPathOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const path = pathOf(request)
  if (!path.includes("%")) return path
  try {
    // An escaped percent sign stays one.
    return decodeURI(path.replaceAll("%25", "%2525"))
  } catch {
    return path
  }
}
