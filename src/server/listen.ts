import { Config, type ConfigError, Either, Option } from "effect"
import { invalid, wholeNumber } from "../domain/settings.ts"
import { isIP } from "node:net"

/**
 * Everybody reads it: a secret that got into it would be published, and clients refuse such addresses. It is a host alone:
 * indexes, keys and `did:web` are looked for below `/.well-known`, which is at a host's root (RFC 8615).
 */
const isPublic = ({ hash, password, pathname, protocol, search, username }: URL): boolean =>
  /^https?:$/.test(protocol) &&
  pathname === "/" &&
  [hash, password, search, username].every((part) => part === "")

const origin = (text: string): Either.Either<string, ConfigError.ConfigError> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && isPublic(url)
    ? Either.right(url.origin)
    : invalid(
        "PUBLIC_URL",
        "must be an http or https URL without path, query and credentials, such as https://risk.example"
      )
}

/** As it stands in a URL. */
const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/** What a URL can hold as it is: without `PUBLIC_URL` it is published. 127.1 and 999.1.1.1 are no addresses, nor names. */
const isHost = (host: string): boolean => {
  const url = `http://${inUrl(host)}`
  return URL.canParse(url) && (isIP(host) !== 0 || new URL(url).hostname === host.toLowerCase())
}

const host = Config.nonEmptyString("HOST").pipe(
  Config.mapOrFail((text) =>
    isHost(text)
      ? Either.right(text)
      : invalid(
          "HOST",
          "must be an address or a host name, without scheme, port and brackets, such as 127.0.0.1 or ::1"
        )
  ),
  Config.withDefault("127.0.0.1")
)

/** Where to listen. */
export const listenConfig = Config.all({
  host,
  port: wholeNumber("PORT", { noun: "port", least: 1, most: 65_535, fallback: 3402 })
})

/** The only source of URLs in challenges, manifests and OpenAPI; never the Host header. No trailing slash. */
export const publicUrlConfig = Config.all([
  Config.option(Config.nonEmptyString("PUBLIC_URL").pipe(Config.mapOrFail(origin))),
  listenConfig
]).pipe(
  Config.map(([configured, { host, port }]) =>
    Option.getOrElse(configured, () => `http://${inUrl(host)}:${port}`)
  )
)
