import { Effect, Either } from "effect"
import { BASE_CHAIN_ID } from "../domain/chain-constants.ts"
import type { RpcRequest } from "./json-rpc.ts"
import type { AnswerReader, Refusal, RpcAnswer } from "./json-rpc-answer.ts"
import type { Ask } from "./json-rpc-exchange.ts"

/** How a node says which chain it is of. */
export interface OwnChain {
  readonly name: string
  readonly request: RpcRequest
  /** What the other chain is called that a node's answer names; `undefined` where it names none. */
  readonly otherIn: (result: unknown) => string | undefined
  /** Whether a node that does not know the request is asked nothing: it has proven nothing. */
  readonly mustBeSaid: boolean
}

const numberOf = (result: unknown): bigint | undefined =>
  typeof result === "string" && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result) : undefined

/** Addresses are the same on all of Ethereum's relatives, and what stands there is not. */
export const BASE_CHAIN: OwnChain = {
  name: "Base",
  request: { method: "eth_chainId", params: [] },
  otherIn: (result) => {
    const id = numberOf(result)
    return id === BigInt(BASE_CHAIN_ID) ? undefined : `chain ${id ?? "without a number"}`
  },
  mustBeSaid: true
}

/** Genesis hashes of the public clusters that are not mainnet. Source: docs of Agave, "Clusters", and CAIP-30. */
const OTHER_CLUSTERS: ReadonlyMap<unknown, string> = new Map([
  ["EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", "devnet"],
  ["4uhcVJyU9pJkvQyS88uRDiswHScSG9qwWNxTnbnYxqRV", "testnet"]
])

/** A chain of somebody's own, to try things on, has a genesis of its own and may leave the method out. */
export const SOLANA_MAINNET: OwnChain = {
  name: "Solana's mainnet",
  request: { method: "getGenesisHash", params: [] },
  otherIn: (result) => OTHER_CLUSTERS.get(result),
  mustBeSaid: false
}

/**
 * Asks an endpoint what it is asked only once it has said that it is of our chain: what stands at an address on another
 * one proves nothing of ours, and neither a payment nor a verdict may rest on it. One that is of another chain is asked
 * again each time, and rests meanwhile as one that is out of reach.
 */
export const askingOwn = (ask: Ask, chain: OwnChain, reader: AnswerReader): Ask => {
  const ours = new Set<number>()
  const refusalIn = (said: RpcAnswer | undefined): Refusal | undefined => {
    if (said === undefined) return reader.malformed("no answer")
    if (Either.isLeft(said))
      return said.left.error.kind === "rejected" && !chain.mustBeSaid ? undefined : said.left
    const other = chain.otherIn(said.right.executed ? said.right.result : undefined)
    return other === undefined
      ? undefined
      : reader.refuse("malformed", `a node of ${other}, not of ${chain.name}`, "endpoint")
  }
  return (endpoint, requests, deadline) =>
    ours.has(endpoint)
      ? ask(endpoint, requests, deadline)
      : Effect.flatMap(ask(endpoint, [chain.request], deadline), ([said]) => {
          const refused = refusalIn(said)
          if (refused !== undefined) return Effect.succeed(requests.map(() => Either.left(refused)))
          ours.add(endpoint)
          return ask(endpoint, requests, deadline)
        })
}
