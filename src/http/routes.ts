import { HttpApi } from "@effect/platform"
import { makeApi } from "../api/api.ts"
import { MCP_PATH } from "../domain/catalog.ts"
import { DOCUMENT_PATHS } from "./documents.ts"
import { HEALTH } from "./health.ts"

/** The router's own terms: letter case, doubled slashes and a trailing slash do not matter; `:name` is one segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+")}/?$`, "i")

interface Route {
  readonly path: string
  readonly pattern: RegExp
  readonly methods: ReadonlySet<string>
}

const routes = (checkoutService: string): ReadonlyArray<Route> => {
  const table = new Map<string, Set<string>>()
  const add = (path: string, method: string) => {
    const methods = table.get(path) ?? new Set(["OPTIONS"])
    table.set(path, methods.add(method))
    if (method === "GET") methods.add("HEAD")
  }
  for (const path of [...DOCUMENT_PATHS, ...Object.values(HEALTH)]) add(path, "GET")
  add(MCP_PATH, "POST")
  HttpApi.reflect(makeApi(checkoutService), {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => add(endpoint.path, endpoint.method)
  })
  return Array.from(table, ([path, methods]) => ({ path, pattern: patternOf(path), methods }))
}

const normal = (path: string): string => path.replace(/\/{2,}/g, "/")

/** Words come before names, as in the router. */
const routeAt = (table: ReadonlyArray<Route>, path: string): Route | undefined => {
  const matching = table.filter(({ pattern }) => pattern.test(normal(path)))
  return matching.find((route) => !route.path.includes(":")) ?? matching[0]
}

/** Methods of a path, for `Allow`; `undefined` where nothing lives. The router itself only knows "not found". */
export const makeAllowedMethods = (checkoutService: string) => {
  const table = routes(checkoutService)
  return (path: string): ReadonlyArray<string> | undefined => {
    const route = routeAt(table, path)
    return route === undefined ? undefined : [...route.methods].toSorted()
  }
}

/**
 * A path in words that the router would take for another one's `:name` where its own has not the method: that name
 * belongs to it, so nobody else answers there.
 */
export const makeTakesForName = (checkoutService: string) => {
  const table = routes(checkoutService)
  const shadowed = table.filter(
    ({ path }) =>
      !path.includes(":") && table.some((other) => other.path !== path && other.pattern.test(path))
  )
  return (path: string, method: string): boolean =>
    shadowed.some(({ methods, pattern }) => !methods.has(method) && pattern.test(normal(path)))
}

/** The route of a path as we write it, `other` where nothing lives: a label that callers cannot multiply. */
export const makeRouteOf = (checkoutService: string) => {
  const table = routes(checkoutService)
  return (path: string): string => routeAt(table, path)?.path ?? "other"
}
