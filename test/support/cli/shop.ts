/** A service small enough to be told what to do: it sells pings, to anyone who signs anything. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"
import { challengeFor, header, pingResult } from "../answers.ts"
import { termsFor } from "../payment/terms.ts"
import type { Ran } from "./run.ts"

export interface Shop {
  readonly url: string
  readonly payTo: string
  /** Requests so far, and those of them that carried a payment. */
  readonly asked: () => number
  readonly paid: () => number
  /** What the next pings say; `silent` never answers, `silent when paid` takes the payment and says nothing. */
  mode: Mode
  /** What the next requests meet, one each, before `mode` holds. */
  readonly next: Array<Mode>
}

type Mode = "safe" | "unsafe" | "silent" | "silent when paid" | "no json"

const PAY_TO = "0x000000000000000000000000000000000000dEaD"
const challengeOf = (url: string) => challengeFor(url, [termsFor(PAY_TO, 5_000n)])

export const openShop = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<Shop & { readonly close: () => void }>((resolve) => {
        let [asked, paid] = [0, 0]
        const server = createServer((request, response) => {
          asked += 1
          const payment = request.headers["payment-signature"]
          if (payment !== undefined) paid += 1
          const mode = shop.next.shift() ?? shop.mode
          const silent = mode === "silent" || (mode === "silent when paid" && payment !== undefined)
          if (silent) return
          if (mode === "no json") {
            response.writeHead(200, { "content-type": "text/html" }).end("<h1>It works</h1>")
          } else if (payment === undefined) {
            response.writeHead(402, { "payment-required": header(challengeOf(shop.url)) }).end("{}")
          } else {
            const receipt = { success: true, transaction: `0x${"1".repeat(64)}`, network: BASE_NETWORK }
            response
              .writeHead(200, { "content-type": "application/json", "payment-response": header(receipt) })
              .end(JSON.stringify(pingResult(mode === "safe")))
          }
        })
        const shop: Shop & { close: () => void; url: string } = {
          url: "",
          payTo: PAY_TO,
          mode: "safe",
          next: [],
          asked: () => asked,
          paid: () => paid,
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        }
        server.listen(0, "127.0.0.1", () => {
          const address: AddressInfo | string | null = server.address()
          shop.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
          resolve(shop)
        })
      })
  ),
  (shop) => Effect.sync(shop.close)
)

/** Milliseconds that a command is given at first, and beyond which it is given no more. */
const LIMITS = { first: 300, last: 20_000 } as const

/**
 * Runs a command that loses an answer to its own time limit: with one twice as long, as often as it was over before so many
 * payments came, as where other work has the processors.
 */
export const losing = Effect.fnUntraced(function* (
  shop: Shop,
  payments: number,
  command: (limit: string) => Effect.Effect<Ran>
) {
  let limit: number = LIMITS.first
  for (;;) {
    const before = shop.paid()
    const ran = yield* command(`${limit}ms`)
    limit *= 2
    if (shop.paid() === before + payments || limit > LIMITS.last) return ran
  }
})
