import type { Address, Hex } from "viem"
import { decodeFunctionResult, encodeFunctionData, hexToBytes, parseAbi } from "viem"
import { keccakText } from "../../../chain/keccak.ts"
import { MULTICALL3 } from "../../../domain/base-contracts.ts"
import { MOST_UNITS } from "../../names/skeleton.ts"
import type { WornName } from "../../names/known-names.ts"
import { wornName } from "../../names/known-names.ts"
import { ESTABLISHED } from "../addresses.ts"
import type { Query } from "./query.ts"
import { both, callData, mapQuery, read, wordAt } from "./query.ts"

/** The token reads as an asset that it is not. Its text goes no further than this file. */
export interface Copycat {
  readonly of: Exclude<WornName, null>
  /** The wrapper holds at least as much ETH as its supply says: a copy of WETH in fact, not in name only. */
  readonly backedByEth: boolean
}

/** Which known asset a token can be taken for; an established token is itself. */
export const wornBy = (token: Address, symbol: string, name: string): WornName =>
  ESTABLISHED.some(({ address }) => address === token) ? null : wornName("base", token, symbol, name)

/** Longest text in bytes; a longer one is neither a symbol nor a name, and what is seen of it may stand anywhere in it. */
const MAX_TEXT_BYTES = MOST_UNITS

/**
 * A string wherever the answer says that it begins, as every wallet reads it; else 32 bytes of text. Undefined where it is
 * too long to be looked through.
 */
const decodeText = (data: Hex): string | undefined => {
  const offset = wordAt(data, 0)
  const start = offset === undefined || offset > BigInt(Math.floor(data.length / 2)) ? 0 : Number(offset)
  const length = wordAt(`0x${data.slice(2 + start * 2)}`, 0)
  const isString = start >= 32 && length !== undefined
  if (isString && length > BigInt(MAX_TEXT_BYTES)) return undefined
  const bytes = isString ? Number(length) : 32
  const from = isString ? 2 + (start + 32) * 2 : 2
  const hex = data.slice(from, from + bytes * 2)
  const whole = hex.slice(0, hex.length - (hex.length % 2))
  return new TextDecoder("utf-8", { fatal: false }).decode(hexToBytes(`0x${whole}`)).replaceAll("\0", "")
}

/** What a token's texts come to. */
export interface Texts {
  readonly wears: WornName
  /** Whether it told both. */
  readonly areTold: boolean
  /** Keccak-256 of the name. */
  readonly nameHash: Hex | null
}

const TRY_AGGREGATE = parseAbi([
  "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])"
])
const [SYMBOL, NAME] = [callData("symbol()"), callData("name()")]

/** What a token tells of itself; undefined what it does not. */
type Told = readonly [symbol: string | undefined, name: string | undefined]

const NOT_TOLD: Told = [undefined, undefined]

const toldIn = (data: Hex): Told => {
  try {
    const [symbol, name] = decodeFunctionResult({ abi: TRY_AGGREGATE, data }).map(
      ({ returnData, success }) => (success ? decodeText(returnData) : undefined)
    )
    return [symbol, name]
  } catch {
    return NOT_TOLD
  }
}

/**
 * What it tells a contract: pages of exchanges ask through one. Undefined where there is none that asks; nothing where the
 * question broke off, which the token may have seen to.
 */
const toldOthers = (token: Address): Query<Told | undefined> => {
  const calls = [SYMBOL, NAME].map((data) => ({ target: token, callData: data }))
  const asked = encodeFunctionData({ abi: TRY_AGGREGATE, args: [false, calls] })
  return {
    reads: [{ to: MULTICALL3, data: asked }],
    decode: ([result]) => {
      if (result?.ok !== true) return NOT_TOLD
      return result.data === "0x" ? undefined : toldIn(result.data)
    }
  }
}

/** The graver of two. */
const graver = (a: WornName, b: WornName): WornName => (a === "major" || b === null ? a : b)

/**
 * `symbol()` and `name()`, as strings or as bytes32, judged at once so that attackers' text does not travel. Where they
 * depend on who asks, nothing is told.
 */
export const readTexts = (token: Address): Query<Texts> =>
  mapQuery(
    both(both(read(token, SYMBOL, decodeText), read(token, NAME, decodeText)), toldOthers(token)),
    ([[symbol, name], others]) => {
      const [otherSymbol, otherName] = others ?? [symbol, name]
      const areAlike = symbol === otherSymbol && name === otherName
      const worn = wornBy(token, symbol ?? "", name ?? "")
      return {
        wears: areAlike ? worn : graver(worn, wornBy(token, otherSymbol ?? "", otherName ?? "")),
        areTold: areAlike && symbol !== undefined && name !== undefined,
        nameHash: name === undefined ? null : keccakText(name)
      }
    }
  )

/** `getEthBalance(address)` of Multicall3, where it is deployed. */
export const ethBalance = (token: Address): Query<bigint | undefined> =>
  read(MULTICALL3, callData("getEthBalance(address)", token), (data) => wordAt(data, 0))
