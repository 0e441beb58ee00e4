/** What others notice of an attack: a payer and a health check at another address, and the service's own metrics. */
import { Duration, Effect, Ref, Schedule, Schema } from "effect"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { ask } from "../../test/support/hostile/clients.ts"
import { evmAccount } from "../sandbox/accounts.ts"
import { baseBuyer } from "../sandbox/buyer.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { pingToolCall } from "../sandbox/tool-call.ts"

const PAYER = "127.0.0.1"

export interface Service {
  readonly url: string
  readonly port: number
  readonly sandbox: Sandbox
  /** Where `stall-reporter.mjs` in the service tells what it has seen. */
  readonly stallSocket: string
}

/** Milliseconds; infinite where the answer was not what was paid for. */
const timed = (work: Effect.Effect<boolean>): Effect.Effect<number> =>
  Effect.map(Effect.timed(work), ([took, held]) =>
    held ? Duration.toMillis(took) : Number.POSITIVE_INFINITY
  )

/** A ping paid for real, with the official client. */
export const paidPing = ({ sandbox, url }: Service): Effect.Effect<number> => {
  const { fetch } = baseBuyer(evmAccount("payer"))
  const target = `${url}/api/token-risk/v1/ping?chain=base&address=${sandbox.base.tokens.clean.address}`
  return timed(
    Effect.promise(() =>
      fetch(target).then(
        // Read to its end: a connection whose answer nobody reads is kept beside the others.
        async (response) => response.status === 200 && (await response.text()) !== "",
        () => false
      )
    )
  )
}

export const healthCheck = ({ port }: Service): Effect.Effect<number> =>
  timed(Effect.map(ask(port, { path: "/healthz", from: PAYER }), ({ status }) => status === 200))

/** One gauge, summed over its labels. */
const gauge = (text: string, name: string): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0)

export interface Vitals {
  readonly residentBytes: number
  /** Requests in slots or waiting for one. */
  readonly requests: number
  readonly connections: number
}

export const vitals = ({ port }: Service): Effect.Effect<Vitals> =>
  Effect.map(ask(port, { path: "/metrics", from: PAYER }), ({ text }) => ({
    residentBytes: gauge(text, "token_risk_process_resident_memory_bytes"),
    requests: gauge(text, "token_risk_slots_in_use") + gauge(text, "token_risk_slots_waiting"),
    connections: gauge(text, "token_risk_connections_open")
  }))

const Stalls = Schema.parseJson(Schema.Struct({ stall: Schema.Number, own: Schema.Number }))

/** The longest stalls of the event loop since this was last asked, in milliseconds: in all, and by the service's own doing. */
export const stallsSince = ({ stallSocket }: Service): Effect.Effect<typeof Stalls.Type> =>
  Effect.promise(() => text(connect(stallSocket))).pipe(Effect.flatMap(Schema.decode(Stalls)), Effect.orDie)

export interface Noticed {
  readonly paid: ReadonlyArray<number>
  readonly health: ReadonlyArray<number>
}

const unpaidAsk = ({ port, sandbox }: Service) =>
  ask(port, {
    path: "/api/token-risk/v1/ping",
    body: JSON.stringify({ chain: "base", address: sandbox.base.tokens.clean.address }),
    from: PAYER
  })

/** What the service answers besides: documents, a free screening, the tools. */
const otherAsks = ({ port, sandbox }: Service) => {
  const token = sandbox.base.tokens.clean.address
  const deep = { path: "/api/token-risk/v1/deep", body: JSON.stringify({ chain: "base", address: token }) }
  const tool = {
    path: "/mcp",
    body: pingToolCall(token, {}),
    headers: { accept: "application/json, text/event-stream" }
  }
  const documents = ["/", "/docs", "/docs/api", "/openapi.json", "/llms.txt"].map((path) => ({ path }))
  return Effect.forEach([...documents, deep, tool], (asked) => ask(port, { ...asked, from: PAYER }), {
    discard: true
  })
}

/** So many callers who ask for a price, one request after another, each on a connection of its own. */
const ASKING = 64
/** The same of those who pay, and of those who use everything else. */
const PAYING = 4
const LOOKING = 4

/**
 * What an operator's service does all day, for as long as asked: payers, callers who ask for prices and callers who use
 * everything else, several at once.
 * A process that has served nobody yet is smaller than the same process ever is again: its code is not compiled, its
 * heap has not been filled once. What an attack leaves behind is told from that only against a service in use.
 */
export const ordinaryUse = (service: Service, during: Effect.Effect<unknown>): Effect.Effect<void> => {
  const many = (count: number, call: Effect.Effect<unknown>) =>
    Effect.all(
      Array.from({ length: count }, () => Effect.forever(call)),
      { concurrency: "unbounded", discard: true }
    )
  const use = Effect.all(
    [many(ASKING, unpaidAsk(service)), many(PAYING, paidPing(service)), many(LOOKING, otherAsks(service))],
    { concurrency: "unbounded" }
  )
  return Effect.race(Effect.asVoid(during), Effect.asVoid(use))
}

/** Pays and asks for health all the time while something goes on. */
export const whileWatching = (service: Service, during: Effect.Effect<unknown>): Effect.Effect<Noticed> =>
  Effect.gen(function* () {
    const seen = yield* Ref.make<Noticed>({ paid: [], health: [] })
    const pay = Effect.flatMap(paidPing(service), (took) =>
      Ref.update(seen, (noticed) => ({ ...noticed, paid: [...noticed.paid, took] }))
    )
    const live = Effect.flatMap(healthCheck(service), (took) =>
      Ref.update(seen, (noticed) => ({ ...noticed, health: [...noticed.health, took] }))
    )
    const watching = Effect.all(
      [Effect.repeat(pay, Schedule.spaced("100 millis")), Effect.repeat(live, Schedule.spaced("100 millis"))],
      { concurrency: "unbounded" }
    )
    yield* Effect.race(during, Effect.zipRight(watching, Effect.never))
    return yield* Ref.get(seen)
  })
