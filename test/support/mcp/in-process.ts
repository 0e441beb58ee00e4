/** The MCP endpoint in this process, over operations that are told what to answer. */
import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { Layer } from "effect"
import { ErrorBoundary } from "../../../src/http/error-boundary.ts"
import { UnpaidToolsLive } from "../../../src/http/fast/unpaid-tools.ts"
import { TokenRiskLive } from "../../../src/http/token-risk.ts"
import { McpLive } from "../../../src/mcp/mcp-live.ts"
import type { FakeChannel } from "../channels.ts"
import { fakeServices, screeningApi, toWeb } from "../channels.ts"

export const MCP_URL = new URL("https://risk.test/api/token-risk/mcp")

export const openMcp = (channel: FakeChannel = {}) => {
  const app = HttpApiBuilder.api(screeningApi).pipe(
    Layer.provide(TokenRiskLive),
    Layer.merge(ErrorBoundary),
    Layer.merge(McpLive),
    Layer.provide(UnpaidToolsLive),
    Layer.provide(fakeServices(channel)),
    Layer.merge(HttpServer.layerContext)
  )
  return toWeb(app)
}
