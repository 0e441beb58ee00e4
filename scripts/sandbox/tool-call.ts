/** JSON-RPC text that calls the ping tool for a token on Base, with this `_meta`. */
export const pingToolCall = (address: string, meta: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "check_token_safety_ping",
      arguments: { chain: "base", address },
      _meta: meta
    }
  })
