/**
 * What a paid ping on Base asks of its node: requests by method, of our service and of `@x402/hono`, in one run.
 * `npx tsx scripts/bench/calls.ts [PAYMENTS] [CONNECTIONS]`
 */
import { Effect } from "effect"
import { startRpcProxy } from "../sandbox/rpc-proxy.ts"
import { type Sandbox, startSandbox } from "../sandbox/sandbox.ts"
import { openPurses } from "./buying.ts"
import { CASES, type Shop } from "./cases.ts"
import { type Contender, startOurs, startRival } from "./contenders.ts"
import { load, openConnections } from "./load.ts"

const PAYMENTS = Number(process.argv[2] ?? 100)
const CONNECTIONS = Number(process.argv[3] ?? 10)
const ping = CASES.find(({ id }) => id === "ping-base")

const run = async (shop: Shop, contender: Contender, requests: ReadonlyMap<string, number>) => {
  const asked = (await ping?.make(shop, contender, PAYMENTS)) ?? []
  const before = new Map(requests)
  const agent = openConnections(CONNECTIONS)
  const { seconds, statuses } = await load(agent, asked, CONNECTIONS)
  agent.destroy()
  const paid = statuses.get(200)?.count ?? 0
  console.log(
    `${contender.name}: ${paid} of ${PAYMENTS} paid in ${seconds.toFixed(1)} s; requests a payment:`
  )
  for (const [method, count] of requests) {
    const each = (count - (before.get(method) ?? 0)) / PAYMENTS
    if (each > 0) console.log(`  ${method.padEnd(28)}${each.toFixed(2)}`)
  }
}

const program = Effect.gen(function* () {
  const sandbox = yield* startSandbox()
  const shop = { sandbox, purses: yield* openPurses(sandbox) }
  const behindProxy = Effect.map(startRpcProxy(sandbox.base.url), (proxy) => ({
    proxy,
    seen: { ...sandbox, base: { ...sandbox.base, url: proxy.url } } satisfies Sandbox
  }))
  const [first, second] = yield* Effect.all([behindProxy, behindProxy])
  const ours = yield* startOurs(first.seen)
  const hono = yield* startRival(second.seen, "hono")
  // The first round is for the compiler.
  for (const _ of [1, 2]) {
    yield* Effect.promise(() => run(shop, ours, first.proxy.requests))
    yield* Effect.promise(() => run(shop, hono, second.proxy.requests))
  }
})

await Effect.runPromise(Effect.scoped(program))
