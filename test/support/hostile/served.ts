/** The HTTP channel on a real socket over faked services: what hostile clients meet, without chains behind it. */
import { HttpApiBuilder, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Supervisor } from "effect"
import type { Server } from "node:http"
import { Admission, AdmissionLive } from "../../../src/http/admission/admission.ts"
import { ClientAddressLive } from "../../../src/http/client-address.ts"
import { ErrorBoundary } from "../../../src/http/error-boundary.ts"
import { makePublish, PreparedDocumentsLive } from "../../../src/http/fast/documents.ts"
import { UnpaidToolsLive } from "../../../src/http/fast/unpaid-tools.ts"
import { HttpChannelLive, NodeServer } from "../../../src/http/serve.ts"
import { TokenRiskLive } from "../../../src/http/token-risk.ts"
import { McpLive } from "../../../src/mcp/mcp-live.ts"
import type { ConnectionLimits } from "../../../src/server/connections.ts"
import { DEFAULT_LIMITS } from "../../../src/server/connections.ts"
import { makeNodeServer } from "../../../src/server/node-server.ts"
import type { FakeChannel } from "../channels.ts"
import { fakeServices, screeningApi } from "../channels.ts"

/** A served channel: where it listens, and everything that must be zero again when the attackers have gone. */
export class Served extends Context.Tag("test/Served")<
  Served,
  {
    readonly port: number
    readonly load: () => { readonly inUse: number; readonly waiting: number }
    readonly connections: Effect.Effect<number>
    /** Fibers that live, beside those that did when it began to listen. */
    readonly fibers: Effect.Effect<number>
  }
>() {}

const health = HttpApiBuilder.Router.use((router) =>
  router.get("/healthz", HttpServerResponse.text('{"status":"ok"}'))
)

const published = ({ documents = {} }: FakeChannel) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const publish = yield* makePublish(router)
      yield* Effect.forEach(Object.entries(documents), ([path, response]) =>
        publish(`/${path.slice(1)}`, response)
      )
    })
  )

const portOf = ({ address }: Context.Tag.Service<typeof HttpServer.HttpServer>): number =>
  address._tag === "TcpAddress" ? address.port : 0

/**
 * Serves `channel` on a free port of every loopback address, so that attackers and victims can differ in theirs.
 * @param unreadMillis how long whole answers may wait for their readers while others want the connections' places
 */
export const served = (
  channel: FakeChannel = {},
  limits: ConnectionLimits = DEFAULT_LIMITS,
  unreadMillis?: number
) =>
  Layer.unwrapEffect(
    Effect.sync(() => {
      const server: Server = makeNodeServer(limits, unreadMillis)
      const services = fakeServices(channel)
      const addresses = ClientAddressLive
      const api = HttpApiBuilder.api(screeningApi).pipe(Layer.provide(TokenRiskLive))
      const admission = AdmissionLive
      const connections = Effect.async<number>((resume) => {
        server.getConnections((_error, count) => resume(Effect.succeed(count)))
      })
      const supervisor = Supervisor.unsafeTrack()
      const handle = Layer.effect(
        Served,
        Effect.gen(function* () {
          const http = yield* HttpServer.HttpServer
          const { load } = yield* Admission
          const living = Effect.map(supervisor.value, (all) => all.length)
          const atStart = yield* living
          const fibers = Effect.map(living, (count) => Math.max(0, count - atStart))
          return { port: portOf(http), load, connections, fibers }
        })
      )
      return HttpChannelLive.pipe(
        Layer.provide([ErrorBoundary, McpLive, health, published(channel)]),
        Layer.provide(api),
        Layer.merge(handle),
        Layer.provide(admission),
        Layer.provide(addresses),
        Layer.provide(services),
        Layer.provide(PreparedDocumentsLive),
        Layer.provide(UnpaidToolsLive),
        Layer.provide(Layer.succeed(NodeServer, server)),
        Layer.provide(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 })),
        Layer.provide(Supervisor.addSupervisor(supervisor))
      )
    })
  )
