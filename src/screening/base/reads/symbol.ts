import type { Address, Hex } from "viem"
import { hexToBytes } from "viem"
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

/** Longest text worth decoding; a longer one is neither a symbol nor a name. */
const MAX_TEXT_BYTES = 96

const decodeText = (data: Hex): string => {
  const [offset, length] = [wordAt(data, 0), wordAt(data, 1)]
  const dynamic = offset === 32n && length !== undefined
  const bytes = dynamic ? Math.min(Number(length), MAX_TEXT_BYTES) : 32
  const hex = dynamic ? data.slice(130, 130 + bytes * 2) : data.slice(2, 66)
  const whole = hex.slice(0, hex.length - (hex.length % 2))
  return new TextDecoder("utf-8", { fatal: false }).decode(hexToBytes(`0x${whole}`)).replaceAll("\0", "")
}

/** `symbol()` and `name()`, as strings or as bytes32, judged at once so that attackers' text does not travel. */
export const readWornName = (token: Address): Query<WornName> =>
  mapQuery(
    both(read(token, callData("symbol()"), decodeText), read(token, callData("name()"), decodeText)),
    ([symbol, name]) => wornBy(token, symbol ?? "", name ?? "")
  )

/** `getEthBalance(address)` of Multicall3, where it is deployed. */
export const ethBalance = (token: Address): Query<bigint | undefined> =>
  read("0xca11bde05977b3631167028862be2a173976ca11", callData("getEthBalance(address)", token), (data) =>
    wordAt(data, 0)
  )
