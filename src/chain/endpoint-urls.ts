import { Config, type ConfigError, Either, Redacted } from "effect"
import { commaList } from "../domain/comma-list.ts"
import { invalid } from "../domain/settings.ts"

export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

type Urls = readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]

/** A comma-separated list of http(s) URLs, the preferred one first. They can hold keys, so errors do not repeat them. */
export const endpointUrls = (name: string, publicEndpoint: string): Config.Config<Urls> =>
  Config.string(name).pipe(
    Config.withDefault(publicEndpoint),
    Config.mapOrFail((text): Either.Either<Urls, ConfigError.ConfigError> => {
      const [first, ...others] = commaList(text)
      if (first === undefined || ![first, ...others].every(isHttpUrl)) {
        return invalid(
          name,
          "must be http:// or https:// URLs, comma-separated, the preferred one first, such as https://node.example/key"
        )
      }
      // It would be asked again instead of another one, and what one node says is no second word.
      const different = new Set([first, ...others].map((url) => new URL(url).href))
      if (different.size <= others.length) return invalid(name, "must not name a node twice")
      return Either.right([Redacted.make(first), ...others.map((url) => Redacted.make(url))])
    })
  )

/** The host of an endpoint, for logs and proofs: the rest of the URL may hold a key. */
export const hostOf = (url: Redacted.Redacted<string>): string => new URL(Redacted.value(url)).host
