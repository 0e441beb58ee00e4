import { Config, Effect, Option } from "effect"
import { endpointUrls } from "../../chain/endpoint-urls.ts"
import { reportNodes, shortcomings } from "../../chain/node-report.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, ok, warn } from "./check-result.ts"

/** Only what the operator named: without `BASE_RPC_URL` here there is nothing to say about somebody else's nodes. */
const configured = Config.option(Config.string("BASE_RPC_URL")).pipe(Effect.orDie)

/** What each node of `BASE_RPC_URL` can do: overrides, `eth_simulateV1`, batches. Nothing where it is not set. */
export const checkNodes: Effect.Effect<ReadonlyArray<CheckResult>> = Effect.gen(function* () {
  if (Option.isNone(yield* configured)) return []
  const urls = yield* endpointUrls("BASE_RPC_URL", "")
  const nodes = yield* reportNodes(urls)
  return nodes.map((node): CheckResult => {
    const name = `Base node ${node.host}`
    const missing = shortcomings(node)
    if (!node.isOurs) return fail(name, missing.join("; "))
    return missing.length === 0
      ? ok(name, "overrides, eth_simulateV1, batches of ten")
      : warn(name, missing.join("; "))
  })
}).pipe(
  Effect.catchAll(() =>
    Effect.succeed([fail("Base nodes", "BASE_RPC_URL must be http:// or https:// URLs, comma-separated")])
  )
)
