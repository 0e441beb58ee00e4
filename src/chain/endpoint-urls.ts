import { Config, type ConfigError, Either, Redacted } from "effect"
import { commaList } from "../domain/comma-list.ts"
import { invalid } from "../domain/settings.ts"

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

type Urls = readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]

/** A comma-separated list of http(s) URLs, the preferred one first. They can hold keys, so errors do not repeat them. */
export const endpointUrls = (name: string, publicEndpoint: string): Config.Config<Urls> =>
  Config.string(name).pipe(
    Config.withDefault(publicEndpoint),
    Config.mapOrFail((text): Either.Either<Urls, ConfigError.ConfigError> => {
      const [first, ...others] = commaList(text)
      return first !== undefined && [first, ...others].every(isHttpUrl)
        ? Either.right([Redacted.make(first), ...others.map((url) => Redacted.make(url))])
        : invalid(
            name,
            "must be http:// or https:// URLs, comma-separated, the preferred one first, such as https://node.example/key"
          )
    })
  )

/** The host of an endpoint, for logs and proofs: the rest of the URL may hold a key. */
export const hostOf = (url: Redacted.Redacted<string>): string => new URL(Redacted.value(url)).host
