/** Screenings of tokens nobody has asked for before, every upstream 50 ms away. */
import { Effect } from "effect"
import { startRpcProxy } from "../sandbox/rpc-proxy.ts"
import { startSandbox } from "../sandbox/sandbox.ts"
import { startOurs } from "./contenders.ts"
import { ask, openConnections, quantile } from "./load.ts"

const UPSTREAM_MILLIS = 50

export interface ColdFigures {
  readonly chain: "base" | "solana"
  readonly operation: "ping" | "deep"
  readonly p50Millis: number
  /** Time in units of one upstream exchange. */
  readonly roundTrips: number
}

/** Time of cold pings and deep reports on both chains, after the service has compiled its code. */
export const coldScreenings = Effect.scoped(
  Effect.gen(function* () {
    const sandbox = yield* startSandbox()
    const [base, solana] = yield* Effect.all([
      startRpcProxy(sandbox.base.url),
      startRpcProxy(sandbox.solana.url)
    ])
    const { dexScreener, rugCheck } = sandbox.market
    const service = yield* startOurs(sandbox, {
      BASE_RPC_URL: base.url,
      SOLANA_RPC_URL: solana.url,
      CACHE_TTL: "1 millis",
      PING_PRICE_USD: "0.005"
    })
    for (const faults of [base.httpFaults, solana.httpFaults, dexScreener.faults, rugCheck.faults])
      faults.delayMs = UPSTREAM_MILLIS
    const agent = openConnections(1)
    const screen = async (chain: ColdFigures["chain"], address: string): Promise<number> => {
      const { millis, status } = await ask(agent, {
        method: "POST",
        url: `${service.url}/api/token-risk/v1/deep`,
        headers: { "content-type": "application/json", "x-client-id": "bench" },
        body: JSON.stringify({ chain, address })
      })
      if (status !== 200) throw new Error(`cold deep on ${chain}: ${status}`)
      return millis
    }
    const figures: Array<ColdFigures> = []
    for (const chain of ["base", "solana"] as const) {
      const address = sandbox[chain].tokens.clean.address
      const millis: Array<number> = []
      for (let run = 0; run < 20; run++) {
        const took = yield* Effect.promise(() => screen(chain, address))
        if (run >= 5) millis.push(took)
      }
      const p50Millis = quantile(millis, 0.5)
      figures.push({ chain, operation: "deep", p50Millis, roundTrips: p50Millis / UPSTREAM_MILLIS })
    }
    agent.destroy()
    const lines = figures.map(
      (one) =>
        `cold ${one.operation}, ${one.chain}, ${UPSTREAM_MILLIS} ms per upstream: ${one.p50Millis.toFixed(0)} ms ` +
        `(${one.roundTrips.toFixed(1)} round trips)`
    )
    return { figures, lines }
  })
)
