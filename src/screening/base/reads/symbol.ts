import type { Address, Hex } from "viem"
import { hexToBytes } from "viem"
import { ESTABLISHED } from "../addresses.ts"
import type { Query } from "./query.ts"
import { callData, read, wordAt } from "./query.ts"

/** Symbols of money and majors that scams borrow; only those whose real address on Base is in our list, or none is. */
const MAJORS: ReadonlyArray<string> = [
  "ETH",
  "WETH",
  "USDC",
  "USDBC",
  "USDT",
  "DAI",
  "CBBTC",
  "BTC",
  "CBETH",
  "WSTETH"
]

/** Letters of other scripts, and digits, that read as a Latin capital. */
const CONFUSABLE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    А: "A",
    В: "B",
    С: "C",
    Е: "E",
    Н: "H",
    І: "I",
    К: "K",
    М: "M",
    О: "O",
    Р: "P",
    Ѕ: "S",
    Т: "T",
    Х: "X",
    Ԁ: "D",
    Α: "A",
    Β: "B",
    Ε: "E",
    Η: "H",
    Ι: "I",
    Κ: "K",
    Μ: "M",
    Ν: "N",
    Ο: "O",
    Ρ: "P",
    Τ: "T",
    Χ: "X",
    Ϲ: "C",
    Ս: "U",
    "0": "O",
    "1": "I",
    "5": "S",
    "8": "B",
    $: "S",
    "₮": "T",
    "₿": "B",
    Ξ: "E",
    Ł: "L",
    Ð: "D",
    Ɖ: "D",
    Ᏼ: "B"
  })
)

/** The capitals a reader sees: compatibility forms folded, accents and everything invisible dropped. */
export const skeleton = (symbol: string): string =>
  [...symbol.normalize("NFKD").toUpperCase()]
    .map((letter) => CONFUSABLE.get(letter) ?? letter)
    .filter((letter) => /[A-Z]/.test(letter))
    .join("")

const MAJOR_SKELETONS: ReadonlySet<string> = new Set(MAJORS.map(skeleton))

/** The token reads as a major that it is not. Its text goes no further than this file. */
export interface Copycat {
  /** The wrapper holds at least as much ETH as its supply says: a copy of WETH in fact, not in name only. */
  readonly backedByEth: boolean
}

/** Whether a symbol belongs to a major and the address does not. */
export const isCopycatSymbol = (token: Address, symbol: string): boolean =>
  !ESTABLISHED.some(({ address }) => address === token) && MAJOR_SKELETONS.has(skeleton(symbol))

/** Longest symbol worth decoding; a longer one is not a symbol. */
const MAX_SYMBOL_BYTES = 64

const decodeSymbol = (data: Hex): string | undefined => {
  const [offset, length] = [wordAt(data, 0), wordAt(data, 1)]
  const dynamic = offset === 32n && length !== undefined && length <= BigInt(MAX_SYMBOL_BYTES)
  const hex = dynamic ? data.slice(130, 130 + Number(length) * 2) : data.slice(2, 66)
  const text = new TextDecoder("utf-8", { fatal: false }).decode(hexToBytes(`0x${hex}`))
  return text.replaceAll("\0", "")
}

/** `symbol()`, as a string or as bytes32, judged at once so that attackers' text does not travel. */
export const readsAsMajor = (token: Address): Query<boolean | undefined> =>
  read(token, callData("0x95d89b41"), (data) => {
    const symbol = decodeSymbol(data)
    return symbol === undefined ? undefined : isCopycatSymbol(token, symbol)
  })

/** `getEthBalance(address)` of Multicall3, where it is deployed. */
export const ethBalance = (token: Address): Query<bigint | undefined> =>
  read("0xca11bde05977b3631167028862be2a173976ca11", callData("0x4d2301cc", token), (data) => wordAt(data, 0))
