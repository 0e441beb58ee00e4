import { HttpApi } from "@effect/platform"
import { Api } from "../api/api.ts"

/** Paths outside the API that answer `GET`: documents, keys, health. */
export const DOCUMENTS = [
  "/openapi.json",
  "/docs",
  "/llms.txt",
  "/healthz",
  "/readyz",
  "/.well-known/jwks.json",
  "/.well-known/x402",
  "/.well-known/x402.json",
  "/.well-known/security.txt",
  "/.well-known/mcp-server-card",
  "/.well-known/mcp.json",
  "/.well-known/mcp/server-card.json"
] as const

/** The router's own terms: letter case, doubled slashes and a trailing slash do not matter; `:name` is one segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+")}/?$`, "i")

const routes = (): ReadonlyArray<{ readonly pattern: RegExp; readonly methods: ReadonlySet<string> }> => {
  const table = new Map<string, Set<string>>()
  const add = (path: string, method: string) => {
    const methods = table.get(path) ?? new Set(["OPTIONS"])
    table.set(path, methods.add(method))
    if (method === "GET") methods.add("HEAD")
  }
  for (const path of DOCUMENTS) add(path, "GET")
  add("/api/token-risk/mcp", "POST")
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => add(endpoint.path, endpoint.method)
  })
  return Array.from(table, ([path, methods]) => ({ pattern: patternOf(path), methods }))
}

const table = routes()

/** Methods of a path, for `Allow`; `undefined` where nothing lives. The router itself only knows "not found". */
export const allowedMethods = (path: string): ReadonlyArray<string> | undefined => {
  const normal = path.replace(/\/{2,}/g, "/")
  const route = table.find(({ pattern }) => pattern.test(normal))
  return route === undefined ? undefined : [...route.methods].toSorted()
}
