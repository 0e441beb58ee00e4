import { describe, expect, it } from "@effect/vitest"
import { evmDialect } from "../../src/chain/evm-dialect.ts"

const kindOf = (code: number, message: string) => evmDialect.readError({ code, message, data: undefined })

/** What nodes say to a question that is too large: asking it again, or later, does not make it smaller. */
const TOO_LARGE: ReadonlyArray<readonly [code: number, message: string]> = [
  [-32005, "query returned more than 10000 results. Try with this block range [0x1, 0x2]."],
  [-32005, "query exceeds max block range 100000"],
  [-32005, "query timeout exceeded"],
  [-32602, "query exceeds max results 20000, retry with the range 25766988-25775072"],
  [-32602, "range 1000000 exceeds limit of 10000"],
  [-32602, "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range"],
  [-32600, "You can make eth_getLogs requests with up to a 500 block range."],
  [-32614, "eth_getLogs is limited to a 10,000 range"],
  [-32000, "block range is larger than max block range, block range = 5120, max block range = 5000"],
  [-32012, "requested range too large"],
  [-32020, "backend response too large"],
  [-32005, "please limit your query to at most 1000 blocks"],
  [-32005, "requested too many blocks from 1 to 20000, maximum is set to 2048"]
]

/** What they say to whoever asks too often. */
const TOO_OFTEN: ReadonlyArray<readonly [code: number, message: string]> = [
  [-32005, "limit exceeded"],
  [-32005, "daily request count exceeded, request rate limited"],
  [-32005, "project ID request rate exceeded"],
  [-32016, "over rate limit"],
  [-32029, "your app has exceeded its compute units per second capacity"],
  [429, "Too Many Requests"],
  [-32000, "too many requests, slow down"]
]

/** What a node says that is behind the others. */
const BEHIND: ReadonlyArray<readonly [code: number, message: string]> = [
  [-32000, "header not found"],
  [-32602, "block range extends beyond current head block"],
  [-32602, "block range extends beyond current head block: requested 125011129, head 125011127"],
  [-32014, "block not yet imported"]
]

describe("an error of a Base node", () => {
  it.each(TOO_LARGE)("%i %s is of the question, not of how often it is asked", (code, message) => {
    expect(kindOf(code, message)).toBe("rejected")
  })

  it.each(TOO_OFTEN)("%i %s is a limit of requests", (code, message) => {
    expect(kindOf(code, message)).toBe("rate-limited")
  })

  it.each(BEHIND)("%i %s may be over in a moment", (code, message) => {
    expect(kindOf(code, message)).toBe("transport")
  })
})
