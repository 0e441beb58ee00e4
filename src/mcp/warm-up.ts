import { Effect } from "effect"
import { MCP_PATH } from "../domain/catalog.ts"

/** Long enough that nothing of the start is left to do. */
const PAUSE_BEFORE = "500 millis"
/** Between two steps others have the event loop. */
const PAUSE_BETWEEN = "20 millis"

const LATEST = "2026-07-28"
const UNKNOWN = "warm-up/unknown"

const rpc = (message: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ jsonrpc: "2.0", ...message })

const OF_LATEST = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": LATEST,
    "io.modelcontextprotocol/clientInfo": { name: "warm-up", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {}
  }
}

const ofLatest = (method: string): readonly [body: string, headers: Readonly<Record<string, string>>] => [
  rpc({ id: 1, method, params: OF_LATEST }),
  { "mcp-protocol-version": LATEST, "mcp-method": method }
]

/** Requests of both eras that cost nobody anything. Each needs something that the ones before it did not. */
const STEPS: ReadonlyArray<readonly [body: string, headers?: Readonly<Record<string, string>>]> = [
  [""],
  [rpc({ id: 1, result: {} })],
  [rpc({ method: "notifications/initialized" })],
  [rpc({ id: 1, method: UNKNOWN })],
  [rpc({ id: 1, method: "tools/list" })],
  ofLatest(UNKNOWN),
  ofLatest("tools/list")
]

const ask = (
  { fetch }: { readonly fetch: (request: Request) => Promise<Response> },
  [body, headers = {}]: (typeof STEPS)[number]
) =>
  Effect.promise(() =>
    fetch(
      new Request(`http://localhost${MCP_PATH}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers
        },
        body
      })
    ).then((response) => response.text())
  )

/**
 * Lets the library that reads the protocol build its schemas. It does when it first needs them, which stops the event
 * loop for a tenth of a second at somebody's first call; here it does so after the start, a part at a time. What goes
 * wrong makes nothing but the first call slow.
 */
export const warmUp = (handler: Parameters<typeof ask>[0]): Effect.Effect<void> =>
  Effect.sleep(PAUSE_BEFORE).pipe(
    Effect.zipRight(
      Effect.forEach(STEPS, (step) => Effect.zipRight(ask(handler, step), Effect.sleep(PAUSE_BETWEEN)), {
        discard: true
      })
    ),
    Effect.catchAllCause((cause) => Effect.logDebug("the MCP library was not warmed up", cause))
  )
