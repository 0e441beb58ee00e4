import { Config, ConfigError, Effect, Either, Option, Schema } from "effect"
import type { Address } from "viem"
import { isAddress } from "viem"
import { isHttpUrl } from "../../../chain/endpoint-urls.ts"
import { getJson } from "../../../chain/http-exchange.ts"
import { lower } from "../addresses.ts"

/** Accounts that an index names. They are read on chain like all others; nothing the index says is taken as evidence. */
export interface IndexedHolders {
  readonly holders: ReadonlyArray<Address>
  /** Who deployed the token. */
  readonly creator: Address | null
}

const NO_INDEX: IndexedHolders = { holders: [], creator: null }

/** Asks an index about a token; an index that is absent, slow or wrong names nobody. */
export type HolderIndex = (token: Address) => Effect.Effect<IndexedHolders>

export const noIndex: HolderIndex = () => Effect.succeed(NO_INDEX)

const Holders = Schema.Struct({
  items: Schema.Array(Schema.Struct({ address: Schema.Struct({ hash: Schema.String }) }))
})
const Account = Schema.Struct({
  creator_address_hash: Schema.optional(Schema.NullOr(Schema.String))
})

const TIMEOUT = "3 seconds"
const MAX_BYTES = 1024 * 1024
const MAX_HOLDERS = 50

const addressOf = (text: string): ReadonlyArray<Address> =>
  isAddress(text, { strict: false }) ? [lower(text)] : []

const ask = <A, I>(fetch: typeof globalThis.fetch, url: string, schema: Schema.Schema<A, I>) =>
  Effect.tryPromise((signal) => getJson({ fetch, url, maxBytes: MAX_BYTES, signal })).pipe(
    Effect.flatMap(Schema.decodeUnknown(schema)),
    Effect.timeout(TIMEOUT),
    Effect.option
  )

/** A Blockscout-compatible API (`/api/v2/tokens/…/holders`, `/api/v2/addresses/…`). */
export const makeHolderIndex =
  (base: string, fetch: typeof globalThis.fetch = globalThis.fetch): HolderIndex =>
  (token) =>
    Effect.map(
      Effect.all(
        [
          ask(fetch, `${base}/api/v2/tokens/${token}/holders`, Holders),
          ask(fetch, `${base}/api/v2/addresses/${token}`, Account)
        ],
        { concurrency: 2 }
      ),
      ([holders, account]) => ({
        holders: Option.match(holders, {
          onNone: () => [],
          onSome: ({ items }) => items.slice(0, MAX_HOLDERS).flatMap(({ address }) => addressOf(address.hash))
        }),
        creator: Option.match(account, {
          onNone: () => null,
          onSome: ({ creator_address_hash: hash }) => addressOf(hash ?? "")[0] ?? null
        })
      })
    )

/** `BLOCKSCOUT_URL`: a Blockscout-compatible API for holders and creator on Base; unset, none is asked. */
export const holderIndexConfig: Config.Config<HolderIndex> = Config.nonEmptyString("BLOCKSCOUT_URL").pipe(
  Config.mapOrFail((text) =>
    isHttpUrl(text)
      ? Either.right(text.replace(/\/+$/, ""))
      : Either.left(ConfigError.InvalidData([], "must be an http:// or https:// URL"))
  ),
  Config.option,
  Config.map(Option.match({ onNone: () => noIndex, onSome: (base) => makeHolderIndex(base) }))
)
