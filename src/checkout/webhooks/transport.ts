import { Context, Data, Effect, Layer } from "effect"
import type { LookupAddress } from "node:dns"
import { lookup } from "node:dns/promises"
import { request } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { hostOf, isPublicAddress, webhookUrlFault } from "./url.ts"

/** Seconds-long receivers would hold the worker; Standard Webhooks advises 15 to 30 s at most. */
const TIMEOUT_MILLIS = 10_000

/** Why an event did not arrive. `forbidden`: the address is not public. Never the receiver's own words. */
export class WebhookFailed extends Data.TaggedError("WebhookFailed")<{
  readonly kind: "forbidden" | "timeout" | "transport"
}> {}

/** Sends one signed event to a merchant's address. The status the receiver answered. */
export class WebhookTransport extends Context.Tag("WebhookTransport")<
  WebhookTransport,
  {
    readonly send: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string
    ) => Effect.Effect<number, WebhookFailed>
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

const publicInternet: TransportOptions = {
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
  isAllowed: isPublicAddress
}

const forbidden = new WebhookFailed({ kind: "forbidden" })
const transport = new WebhookFailed({ kind: "transport" })

/** Every address of the name must be public: one private among them is a rebinding attempt. */
const addressOf = (host: string, options: TransportOptions): Effect.Effect<LookupAddress, WebhookFailed> => {
  const literal = isIP(host)
  const addresses =
    literal === 0
      ? Effect.tryPromise({ try: () => options.resolve(host), catch: () => transport })
      : Effect.succeed([{ address: host, family: literal }])
  return Effect.flatMap(addresses, (found) => {
    const [first] = found
    if (first === undefined) return Effect.fail(transport)
    return found.every(({ address }) => options.isAllowed(address))
      ? Effect.succeed(first)
      : Effect.fail(forbidden)
  })
}

/** Node asks for one address or for all of them; the answer is the one that was checked. */
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
  Effect.async<number, WebhookFailed>((resume) => {
    const call = request(url, {
      method: "POST",
      agent: false,
      lookup: pinnedTo(pinned),
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      ...tls
    })
    call.on("error", () => resume(Effect.fail(transport)))
    call.on("response", (response) => {
      resume(Effect.succeed(response.statusCode ?? 0))
      // Only the status counts: not a byte of the body is waited for.
      response.destroy()
    })
    call.end(body)
    return Effect.sync(() => call.destroy())
  })

/**
 * A transport that resolves the name once, refuses every address it is not allowed to reach, connects to exactly the
 * address it checked, follows no redirect and reads no body.
 */
export const makeWebhookTransport = (options: TransportOptions) =>
  WebhookTransport.of({
    send: Effect.fn("WebhookTransport.send")(
      function* (text, headers, body) {
        if (webhookUrlFault(text) !== undefined) return yield* forbidden
        const url = new URL(text)
        const pinned = yield* addressOf(hostOf(url), options)
        return yield* post(url, pinned, headers, body, options.tls)
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
