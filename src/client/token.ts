import { fromBase58 } from "../domain/base58.ts"
import { InvalidRequest } from "./errors.ts"
import type { Chain } from "./types.ts"

export interface Token {
  readonly chain: Chain
  readonly address: string
}

const isChain = (value: string): value is Chain => value === "base" || value === "solana"

/** A token the service can know; throws an `InvalidRequest` that says what is allowed, before anything is sent. */
export const readToken = (chain: string, address: string): Token => {
  if (!isChain(chain)) throw new InvalidRequest('chain: must be "solana" or "base"')
  if (chain === "base" && !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new InvalidRequest("address: must be a token contract on base: 0x and 40 hex digits")
  if (chain === "solana" && fromBase58(address) === undefined)
    throw new InvalidRequest(
      "address: must be a token mint on solana: base58 of 32 bytes, 32 to 44 characters"
    )
  return { chain, address }
}
