import { isSolanaAddress } from "../../domain/address.ts"
import { isCoin } from "../../domain/token.ts"

/** Longest body that is looked at: twice of what a token reference needs. */
export const MAX_TOKEN_BODY = 256

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** A token as it was written, beyond doubt one. */
export interface WrittenToken {
  readonly chain: "base" | "solana"
  readonly address: string
}

/** The token that these values name; `undefined` also for spellings that only the full decoder knows. */
const tokenOf = (chain: unknown, address: unknown): WrittenToken | undefined => {
  if (typeof address !== "string" || isCoin(address)) return undefined
  if (chain === "base") return EVM_ADDRESS.test(address) ? { chain, address } : undefined
  const isOnSolana = chain === "solana" && BASE58.test(address) && isSolanaAddress(address)
  return isOnSolana ? { chain, address } : undefined
}

const QUERY = /^(?:chain=([a-z]+)&address=([0-9A-Za-z]+)|address=([0-9A-Za-z]+)&chain=([a-z]+))$/

/** The token of a query that names one and nothing else, in plain characters. */
export const tokenOfQuery = (query: string): WrittenToken | undefined => {
  const found = QUERY.exec(query)
  return tokenOf(found?.[1] ?? found?.[4], found?.[2] ?? found?.[3])
}

export const isTokenQuery = (query: string): boolean => tokenOfQuery(query) !== undefined

/** The token of an object with the two members of a reference and nothing else; `empty` for an empty one. */
const tokenOfValue = (value: unknown): WrittenToken | "empty" | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const names = Object.keys(value)
  if (names.length === 0) return "empty"
  const isNamed = names.length === 2 && "chain" in value && "address" in value
  return isNamed ? tokenOf(value.chain, value.address) : undefined
}

/** Whether a value of JSON is a token reference and nothing else. */
export const isWrittenToken = (value: unknown): boolean => typeof tokenOfValue(value) === "object"

/** The token of a body that is one, or `empty`. */
export const tokenOfBody = (text: string): WrittenToken | "empty" | undefined => {
  try {
    return tokenOfValue(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** As most clients write it. */
const USUAL_BODY = /^\{"chain":"base","address":"(0x[0-9a-fA-F]{40})"\}$/

/** Whether a body is a token reference and nothing else, or an empty object. */
export const isTokenBody = (text: string): boolean => {
  const usual = USUAL_BODY.exec(text)?.[1]
  return usual === undefined ? tokenOfBody(text) !== undefined : !isCoin(usual)
}
