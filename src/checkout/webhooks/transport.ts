import { Array as Arr, Context, Data, Effect, Layer } from "effect"
import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { request } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { hostOf, isPublicAddress, webhookUrlReason } from "./url.ts"

/** A delivery, name look-up and all addresses together. Standard Webhooks advises 15 to 30 s at most. */
const TIMEOUT_MILLIS = 10_000
/** How long an address that does not answer keeps the next one waiting. */
const CONNECT_MILLIS = 3_000
/** Addresses of one name that are tried, in the order the name server gave them. */
const MAX_ADDRESSES = 4

/** Why an event did not arrive. `forbidden`: the address is not public. Never the receiver's own words. */
export class WebhookFailed extends Data.TaggedError("WebhookFailed")<{
  readonly kind: "forbidden" | "timeout" | "transport"
}> {}

/** What a receiver answered. */
export interface WebhookAnswer {
  readonly status: number
  /** Its `Retry-After` as it stands there: anybody's text. */
  readonly retryAfter: string | undefined
}

/** Sends one signed event to a merchant's address. */
export class WebhookTransport extends Context.Tag("token-risk/WebhookTransport")<
  WebhookTransport,
  {
    readonly send: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string
    ) => Effect.Effect<WebhookAnswer, WebhookFailed>
  }
>() {}

/** What a transport needs of the outside; tests replace it, nothing else does. */
export interface TransportOptions {
  readonly resolve: (host: string) => Promise<ReadonlyArray<LookupAddress>>
  readonly isAllowed: (address: string) => boolean
  /** Extra TLS roots and the port behind the resolved address. */
  readonly tls?: { readonly ca: string; readonly port: number }
  readonly timeoutMillis?: number
}

/**
 * Asks the name servers from the event loop. The system's own look-up would wait in a pool of four threads that file
 * and database work share, and a stranger's slow name server would hold them all. Without `nameServers` the system's
 * are asked.
 */
export const makeResolve =
  (nameServers: ReadonlyArray<string> = []): TransportOptions["resolve"] =>
  async (host) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 1 })
    if (nameServers.length > 0) resolver.setServers(nameServers)
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((result, index) =>
      result.status === "fulfilled"
        ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : []
    )
  }

const publicInternet: TransportOptions = { resolve: makeResolve(), isAllowed: isPublicAddress }

/** Nothing was sent: another address of the same name may take it. */
class NotConnected extends Data.TaggedError("NotConnected")<{}> {}

const forbidden = new WebhookFailed({ kind: "forbidden" })
const transport = new WebhookFailed({ kind: "transport" })

/** Every address of the name must be public: one private among them is a rebinding attempt. */
const addressesOf = (
  host: string,
  options: TransportOptions
): Effect.Effect<Arr.NonEmptyReadonlyArray<LookupAddress>, WebhookFailed> => {
  const literal = isIP(host)
  const addresses =
    literal === 0
      ? Effect.tryPromise({ try: () => options.resolve(host), catch: () => transport })
      : Effect.succeed([{ address: host, family: literal }])
  return Effect.flatMap(addresses, (found) => {
    if (!Arr.isNonEmptyReadonlyArray(found)) return Effect.fail(transport)
    return found.every(({ address }) => options.isAllowed(address))
      ? Effect.succeed(found)
      : Effect.fail(forbidden)
  })
}

/** Node asks for one address or for all of them; either way it gets the addresses that were checked. */
const pinnedTo =
  (pinned: LookupAddress): LookupFunction =>
  (_host, { all }, done) =>
    all === true ? done(null, [pinned]) : done(null, pinned.address, pinned.family)

const post = (
  url: URL,
  pinned: LookupAddress,
  headers: Readonly<Record<string, string>>,
  body: string,
  tls: TransportOptions["tls"]
) =>
  Effect.async<WebhookAnswer, NotConnected | WebhookFailed>((resume) => {
    let isConnected = false
    const call = request(url, {
      method: "POST",
      agent: false,
      lookup: pinnedTo(pinned),
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      ...tls
    })
    const connecting = setTimeout(() => call.destroy(), CONNECT_MILLIS)
    call.on("socket", (socket) =>
      socket.once("secureConnect", () => {
        isConnected = true
        clearTimeout(connecting)
      })
    )
    call.on("close", () => clearTimeout(connecting))
    call.on("error", () => resume(Effect.fail(isConnected ? transport : new NotConnected())))
    call.on("close", () => resume(Effect.fail(isConnected ? transport : new NotConnected())))
    call.on("response", (response) => {
      const { headers, statusCode: status = 0 } = response
      resume(Effect.succeed({ status, retryAfter: headers["retry-after"] }))
      // Only the head counts: not a byte of the body is waited for.
      response.destroy()
    })
    call.end(body)
    return Effect.sync(() => call.destroy())
  })

/** The name's addresses in turn until one takes the connection; what happens then is the answer. */
const untilConnected = (
  [first, ...others]: Arr.NonEmptyReadonlyArray<LookupAddress>,
  to: (address: LookupAddress) => Effect.Effect<WebhookAnswer, NotConnected | WebhookFailed>
): Effect.Effect<WebhookAnswer, WebhookFailed> =>
  others
    .reduce((attempt, next) => Effect.catchTag(attempt, "NotConnected", () => to(next)), to(first))
    .pipe(Effect.catchTag("NotConnected", () => transport))

/**
 * A transport that resolves the name once, refuses every address it is not allowed to reach, connects to exactly the
 * addresses it checked, follows no redirect and reads no body.
 */
export const makeWebhookTransport = (options: TransportOptions) =>
  WebhookTransport.of({
    send: Effect.fn("WebhookTransport.send")(
      function* (text, headers, body) {
        if (webhookUrlReason(text) !== undefined) return yield* forbidden
        const url = new URL(text)
        const [first, ...others] = yield* addressesOf(hostOf(url), options)
        const to = (pinned: LookupAddress) => post(url, pinned, headers, body, options.tls)
        return yield* untilConnected([first, ...others.slice(0, MAX_ADDRESSES - 1)], to)
      },
      (effect) =>
        Effect.timeoutFail(effect, {
          duration: options.timeoutMillis ?? TIMEOUT_MILLIS,
          onTimeout: () => new WebhookFailed({ kind: "timeout" })
        })
    )
  })

/** Webhooks over the public internet. */
export const WebhookTransportLive = Layer.succeed(WebhookTransport, makeWebhookTransport(publicInternet))
