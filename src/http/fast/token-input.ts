import { isSolanaAddress } from "../../domain/address.ts"

/** Longest body that is looked at: twice of what a token reference needs. */
export const MAX_TOKEN_BODY = 256

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Whether these values name a token, beyond doubt: `false` also for spellings that only the full decoder knows. */
const isToken = (chain: unknown, address: unknown): boolean => {
  if (typeof address !== "string") return false
  if (chain === "base") return EVM_ADDRESS.test(address)
  return chain === "solana" && BASE58.test(address) && isSolanaAddress(address)
}

const QUERY = /^(?:chain=([a-z]+)&address=([0-9A-Za-z]+)|address=([0-9A-Za-z]+)&chain=([a-z]+))$/

/** Whether a query names a token and nothing else, in plain characters. */
export const isTokenQuery = (query: string): boolean => {
  const found = QUERY.exec(query)
  return found !== null && isToken(found[1] ?? found[4], found[2] ?? found[3])
}

/** Whether a body is an object with the two members of a token reference and nothing else, or an empty object. */
export const isTokenBody = (text: string): boolean => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== "object" || body === null || Array.isArray(body)) return false
    const names = Object.keys(body)
    if (names.length === 0) return true
    return names.length === 2 && "chain" in body && "address" in body && isToken(body.chain, body.address)
  } catch {
    return false
  }
}
