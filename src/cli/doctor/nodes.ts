import { Config, type ConfigError, Effect, Option, type Redacted } from "effect"
import { endpointUrls } from "../../chain/endpoint-urls.ts"
import { BASE_COMPLETE, reportBaseNodes } from "../../chain/nodes/base-node.ts"
import type { NodeReport } from "../../chain/nodes/node-question.ts"
import { SOLANA_COMPLETE, reportSolanaNodes } from "../../chain/nodes/solana-node.ts"
import { problemOf } from "../config-problem.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, ok, warn } from "./check-result.ts"

type Report = (urls: ReadonlyArray<Redacted.Redacted<string>>) => Effect.Effect<ReadonlyArray<NodeReport>>

const judged =
  (chain: string, complete: string) =>
  ({ host, missing, state }: NodeReport): CheckResult => {
    const name = `${chain} node ${host}`
    if (state !== "usable") return fail(name, missing.join("; "))
    return missing.length === 0 ? ok(name, complete) : warn(name, missing.join("; "))
  }

/** Only what the operator named: without the variable there is nothing to say about somebody else's nodes. */
const nodesOf = (
  chain: string,
  variable: string,
  report: Report,
  complete: string
): Effect.Effect<ReadonlyArray<CheckResult>, ConfigError.ConfigError> =>
  Effect.gen(function* () {
    if (Option.isNone(yield* Config.option(Config.string(variable)))) return []
    const nodes = yield* report(yield* endpointUrls(variable, ""))
    return nodes.map(judged(chain, complete))
  })

const unreadable = (chain: string, variable: string) =>
  Effect.catchAll((error: ConfigError.ConfigError) =>
    Effect.succeed([fail(`${chain} nodes`, problemOf(variable, error))])
  )

/** What each node of `BASE_RPC_URL` and `SOLANA_RPC_URL` can do for a screening. Nothing where they are not set. */
export const checkNodes: Effect.Effect<ReadonlyArray<CheckResult>> = Effect.map(
  Effect.all([
    nodesOf("Base", "BASE_RPC_URL", reportBaseNodes, BASE_COMPLETE).pipe(unreadable("Base", "BASE_RPC_URL")),
    nodesOf("Solana", "SOLANA_RPC_URL", reportSolanaNodes, SOLANA_COMPLETE).pipe(
      unreadable("Solana", "SOLANA_RPC_URL")
    )
  ]),
  (chains) => chains.flat()
)
