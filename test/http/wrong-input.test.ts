import { describe, expect, it } from "@effect/vitest"
import { problemOfBody, problemOfQuery } from "../../src/http/fast/wrong-input.ts"
import { WETH, WSOL } from "../support/two-ways.ts"

const ADDRESS_RULE =
  "address: must be a token contract on base (0x and 40 hex digits) or a mint on solana (base58 of 32 bytes)"

describe("what is wrong with an input", () => {
  it.each([
    ["{", "body: must be JSON"],
    ["nothing", "body: must be JSON"],
    ["[]", "body: must be a JSON object"],
    ["null", "body: must be a JSON object"],
    ['{"chain":"moon","address":"0x12"}', 'chain: must be "solana" or "base"'],
    [`{"address":"${WETH}"}`, 'chain: is missing, must be "solana" or "base"'],
    ['{"chain":"base"}', "address: is missing"],
    ['{"chain":"base","address":"0x12"}', ADDRESS_RULE],
    ['{"chain":"base","address":7}', ADDRESS_RULE],
    [`{"chain":"base","address":"${WSOL}"}`, "address: must be 0x and 40 hex digits on base"],
    [`{"chain":"solana","address":"${WETH}"}`, "address: must be base58 of 32 bytes on solana"]
  ])("is told of the body %s", (body, problem) => {
    expect(problemOfBody(body)).toBe(problem)
  })

  it.each([
    ["chain=base", "address: is missing"],
    [`address=${WETH}`, 'chain: is missing, must be "solana" or "base"'],
    ["address=0x12&chain=base", ADDRESS_RULE],
    [`chain=moon&address=${WETH}`, 'chain: must be "solana" or "base"']
  ])("is told of the query %s", (query, problem) => {
    expect(problemOfQuery(query)).toBe(problem)
  })

  it("is nothing where nothing is, where a price is asked for, and where only the router can tell", () => {
    const right = `{"chain":"base","address":"${WETH}"}`
    const bodies = [
      right,
      "",
      " ",
      "{}",
      '{"more":1}',
      `\ufeff${right}`,
      '{"chain":"b\u00e4se"}',
      "[".repeat(200)
    ]
    expect(bodies.map(problemOfBody)).toEqual(bodies.map(() => undefined))
    const queries = [
      "",
      "x=1",
      `chain=base&address=${WETH}`,
      "chain=base&chain=moon",
      "chain=b%61se",
      "chain"
    ]
    expect(queries.map(problemOfQuery)).toEqual(queries.map(() => undefined))
  })
})
