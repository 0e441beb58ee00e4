import type { HttpApiBuilder, HttpApp } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import type { PreparedAnswer } from "./prepared-answer.ts"
import { prepareAnswer } from "./prepared-answer.ts"

/** Documents that are the same bytes for everybody, by path. Filled while the routes are made. */
export class PreparedDocuments extends Context.Tag("token-risk/PreparedDocuments")<
  PreparedDocuments,
  {
    readonly keep: (path: string, response: HttpServerResponse.HttpServerResponse) => void
    readonly find: (path: string) => PreparedAnswer | undefined
  }
>() {}

export const PreparedDocumentsLive = Layer.sync(PreparedDocuments, () => {
  const known = new Map<string, PreparedAnswer>()
  return PreparedDocuments.of({
    keep: (path, response) => {
      const prepared = prepareAnswer(response)
      if (prepared !== undefined) known.set(path, prepared)
    },
    find: (path) => known.get(path)
  })
})

/** Adds a `GET` route to the router; where it always gives the same answer, to the fast path too. */
export const makePublish = (router: HttpApiBuilder.Router["Type"]) =>
  Effect.map(
    PreparedDocuments,
    (documents) =>
      (path: `/${string}`, handler: HttpApp.Default<unknown>): Effect.Effect<void> => {
        if (HttpServerResponse.isServerResponse(handler)) documents.keep(path, handler)
        return router.get(path, handler)
      }
  )
