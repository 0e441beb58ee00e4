import type { HttpServerRequest } from "@effect/platform"

/** The request's path, without the query: that may hold anything a caller typed. */
export const pathOf = (request: HttpServerRequest.HttpServerRequest): string =>
  request.url.split("?", 1)[0] ?? ""
