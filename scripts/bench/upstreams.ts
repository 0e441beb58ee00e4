/** The upstreams of cold screenings: counted ones, and far ones. */
import { Effect } from "effect"
import { request } from "undici"
import { startFarLine } from "../sandbox/far-line.ts"
import { type JsonAnswer, serveJson } from "../sandbox/json-server.ts"
import { startRpcProxy } from "../sandbox/rpc-proxy.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"

export const CHAINS = ["base", "solana"] as const
export type Chain = (typeof CHAINS)[number]

/**
 * A market that has its answers ready, as the real ones do: ours computes them by a dozen calls of the very node that the
 * screening asks at the same time, and those would be measured as the screening's.
 */
const startKept = (upstream: string) => {
  const kept = new Map<string, JsonAnswer>()
  return serveJson(async ({ url: { pathname } }) => {
    const known = kept.get(pathname)
    if (known !== undefined) return known
    const { body, statusCode: status } = await request(`${new URL(upstream).origin}${pathname}`)
    const answer = { status, body: null, text: await body.text() }
    kept.set(pathname, answer)
    return answer
  })
}

/** Variables of a service that asks these. */
const environmentOf = (urls: Readonly<Record<Chain | "dexScreener" | "rugCheck", string>>) => ({
  BASE_RPC_URL: urls.base,
  SOLANA_RPC_URL: urls.solana,
  DEXSCREENER_URL: urls.dexScreener,
  RUGCHECK_URL: `${urls.rugCheck}/v1`
})

const startMarket = ({ market }: Sandbox) =>
  Effect.all({ dexScreener: startKept(market.dexScreenerUrl), rugCheck: startKept(market.rugCheckUrl) })

/** What a screening asks of a node; everything else is asked on a timer too. */
const READS =
  /^(?:eth_call|eth_getCode|eth_getStorageAt|eth_getLogs|get(?:Multiple|Program)Accounts|getTokenLargestAccounts|simulateTransaction)$/

/** Upstreams that count what they are asked. */
export const startCounted = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const { dexScreener, rugCheck } = yield* startMarket(sandbox)
    const nodes = {
      base: yield* startRpcProxy(sandbox.base.url),
      solana: yield* startRpcProxy(sandbox.solana.url)
    }
    return {
      environment: environmentOf({
        base: nodes.base.url,
        solana: nodes.solana.url,
        dexScreener: dexScreener.url,
        rugCheck: rugCheck.url
      }),
      /** Requests so far to the market's servers and to this chain's node, by what a screening reads. */
      askedFor: (chain: Chain) =>
        [...nodes[chain].requests].reduce(
          (sum, [method, count]) => sum + (READS.test(method) ? count : 0),
          dexScreener.requests() + rugCheck.requests()
        )
    }
  })

/** Variables that lead to the same upstreams over lines of so many milliseconds. */
export const startFar = (sandbox: Sandbox, millis: number) =>
  Effect.gen(function* () {
    const { dexScreener, rugCheck } = yield* startMarket(sandbox)
    const lineTo = (url: string) => startFarLine(url, millis)
    return environmentOf({
      base: yield* lineTo(sandbox.base.url),
      solana: yield* lineTo(sandbox.solana.url),
      dexScreener: yield* lineTo(dexScreener.url),
      rugCheck: yield* lineTo(rugCheck.url)
    })
  })
export type Environment = Effect.Effect.Success<ReturnType<typeof startFar>>
