import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Jwks } from "../domain/attestation.ts"
import { parseStrictJson } from "../domain/strict-json.ts"
import { jsonIn } from "./answer.ts"
import { EXIT, Stop } from "./exit.ts"
import { readInput } from "./read-input.ts"
import { plain } from "./text.ts"

const decode = Schema.decodeUnknown(Jwks)

const fromFile = (path: string) =>
  readInput(path, "the key set").pipe(
    Effect.flatMap((text) => decode(parseStrictJson(text))),
    Effect.catchTag(
      "ParseError",
      () => new Stop({ code: EXIT.usage, message: `${plain(path)} is not a JSON Web Key Set` })
    )
  )

const fromUrl = (url: string) =>
  HttpClient.HttpClient.pipe(
    Effect.flatMap((client) => HttpClient.filterStatusOk(client).get(url)),
    Effect.flatMap(jsonIn),
    Effect.flatMap(decode),
    Effect.timeout("10 seconds"),
    Effect.mapError(
      () => new Stop({ code: EXIT.unavailable, message: `no key set could be read from ${plain(url)}` })
    ),
    Effect.provide(FetchHttpClient.layer)
  )

/** The key set in a file or behind an http(s) URL. */
export const readJwks = (source: string): Effect.Effect<Jwks, Stop> =>
  /^https?:\/\//i.test(source) ? fromUrl(source) : fromFile(source)
