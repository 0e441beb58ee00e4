import { Config, ConfigError, Either, Option } from "effect"

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
    : Either.left(
        ConfigError.InvalidData(
          ["PUBLIC_URL"],
          "must be an http or https URL without path, query and credentials, such as https://risk.example"
        )
      )
}

/** Where to listen. */
export const listenConfig = Config.all({
  host: Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.port("PORT").pipe(Config.withDefault(3402))
})

/** The only source of URLs in challenges, manifests and OpenAPI; never the Host header. No trailing slash. */
export const publicUrlConfig = Config.all([
  Config.option(Config.nonEmptyString("PUBLIC_URL").pipe(Config.mapOrFail(origin))),
  listenConfig
]).pipe(
  Config.map(([configured, { host, port }]) =>
    Option.getOrElse(configured, () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`)
  )
)
