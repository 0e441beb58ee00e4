import type { CallToolResult } from "@modelcontextprotocol/server"
import type { UnpaidAnswer } from "../http/fast/unpaid-tools.ts"

/** As the library heads a stream, on which it answers callers of the older generations. */
const OF_A_STREAM = {
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "content-type": "text/event-stream",
  "x-accel-buffering": "no"
}

/**
 * A tool's result as the library writes it, around the id of the call: it takes thirty times what the bytes take, and so
 * would whoever asks for nothing but prices. A test compares.
 */
export const writtenOut = ({ _meta, content, isError, structuredContent }: CallToolResult): UnpaidAnswer => ({
  headers: OF_A_STREAM,
  before: `event: message\ndata: {"result":${JSON.stringify({ _meta, content, structuredContent, isError })},"jsonrpc":"2.0","id":`,
  after: "}\n\n"
})
