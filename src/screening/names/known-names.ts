import type { Chain } from "../../domain/chain.ts"
import { BASE_ASSETS } from "./base-assets.ts"
import { ASSETS_ELSEWHERE } from "./other-assets.ts"
import { drawnIn, skeletonsOf } from "./skeleton.ts"
import { SOLANA_ASSETS } from "./solana-assets.ts"

/**
 * Money and majors: a symbol or name of these at another address is made to be mistaken. Of the other listed assets a
 * bridge or an honest namesake may exist, so that wearing theirs forbids trust without proving bad faith.
 */
const MAJORS: ReadonlySet<string> = new Set(
  (
    "ETH WETH BTC WBTC cbBTC tBTC USDC USDbC USDT DAI USDS USDe EURC PYUSD USD1 USDG RLUSD FDUSD cbETH wstETH stETH " +
    "SOL WSOL cbXRP XRP BNB DOGE cbDOGE"
  ).split(" ")
)

/** `major`: money or a major. `listed`: another known asset. Null: none we know, or the asset itself. */
export type WornName = "major" | "listed" | null

interface Worn {
  readonly major: boolean
  readonly symbol: string
}

const chainAssets = {
  base: BASE_ASSETS,
  solana: SOLANA_ASSETS
} as const

/** Symbols of one or two letters and the like say too little to be worn. */
const MIN_SYMBOL = 3
/** A name counts only where it is more than a common word. */
const MIN_NAME = 5

const put = (table: Map<string, Worn>, text: string, min: number, symbol: string): void => {
  if (Array.from(text).length < min) return
  const entry = { major: MAJORS.has(symbol), symbol }
  for (const skeleton of skeletonsOf(text))
    if (table.get(skeleton)?.major !== true) table.set(skeleton, entry)
}

const build = () => {
  const symbols = new Map<string, Worn>()
  const names = new Map<string, Worn>()
  const assets = [...BASE_ASSETS, ...SOLANA_ASSETS, ...ASSETS_ELSEWHERE]
  for (const symbol of MAJORS) put(symbols, symbol, MIN_SYMBOL, symbol)
  for (const [symbol, name] of assets) {
    put(symbols, symbol, MIN_SYMBOL, symbol)
    put(names, name, MIN_NAME, symbol)
  }
  return { symbols, names }
}

/** Built on first use: folding some four hundred assets takes a few dozen milliseconds. */
let tables: ReturnType<typeof build> | undefined
const tablesOnce = () => (tables ??= build())

/** The parts a symbol may be padded with: a version, signs before it. */
const stems = (symbol: string): ReadonlyArray<string> => [
  symbol,
  symbol.replace(/[\s._-]*v?\d+$/iu, ""),
  symbol.replace(/^\P{L}+/u, ""),
  symbol.replace(/[\s._\-/:|]+e?$/iu, "")
]

/** The symbol before a separator and a little more, of a bridge or an exchange. */
const cutOff = (symbol: string): string => symbol.replace(/[\s._\-/:|]+.{0,3}$/u, "")

const find = (table: ReadonlyMap<string, Worn>, texts: ReadonlyArray<string>): Worn | undefined => {
  const found = texts.flatMap((text) => skeletonsOf(text)).flatMap((skeleton) => table.get(skeleton) ?? [])
  return found.find(({ major }) => major) ?? found[0]
}

/** A word of a symbol or a name that says too little among others, but for money and majors. */
const MIN_WORD = 4
/** What is put beside a symbol to make another of it that reads as the same; many honest symbols are words. */
const FILLER =
  /^(?:base|based|bridged|native|wrapped|official|original|real|true|new|old|token|coin|the|on|v?\d+)$/iu
/** Majors whose symbol is a word that many honest names have. */
const COMMON: ReadonlySet<string> = new Set(["DOGE"])

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[\s._\-/:|()[\]{}<>]+/u).filter((word) => word !== "")

/** A known symbol among other words: made to be mistaken, or the symbol of something made of it. */
const findWord = (symbols: ReadonlyMap<string, Worn>, symbol: string): boolean => {
  const words = wordsOf(symbol)
  const said = words.filter((word) => !FILLER.test(word))
  return (
    words.length > 1 &&
    words.some((word) => {
      const worn = find(symbols, [word])
      const isAlone = said.length === 1 && said[0] === word && Array.from(word).length >= MIN_WORD
      return worn !== undefined && (worn.major || isAlone)
    })
  )
}

/** What a name may have beside it: a version, a chain in brackets, what was done to it. */
const nameStems = (name: string): ReadonlyArray<string> => {
  const bare = name.replace(/\s*[([{].*$/u, "").replace(/\s+v?\d+$/iu, "")
  return [bare, bare.replace(/^(?:wrapped|bridged|native|coinbase|circle)\s+/iu, "")]
}

/** A known asset's name with something beside it, or the symbol of money or a major where a name is to stand. */
const findInName = ({ names, symbols }: ReturnType<typeof build>, name: string): boolean => {
  const isMajor = (text: string, min: number): boolean => {
    const worn = Array.from(text).length < min ? undefined : find(symbols, [text])
    return worn?.major === true && !COMMON.has(worn.symbol)
  }
  const [bare = "", rest = ""] = nameStems(name)
  return (
    find(names, [bare, rest]) !== undefined ||
    (rest !== bare && isMajor(rest, MIN_SYMBOL)) ||
    wordsOf(name).some((word) => isMajor(word, MIN_WORD))
  )
}

/** Many honest symbols are two words, the first of which another has: of money and majors it is made to be mistaken. */
const findMajor = (symbols: ReadonlyMap<string, Worn>, texts: ReadonlyArray<string>): Worn | undefined => {
  const worn = find(symbols, texts)
  return worn?.major === true ? worn : undefined
}

/** Whether the address is the true one of some listed asset of its chain. */
export const isListedAsset = (chain: Chain, address: string): boolean =>
  chainAssets[chain].some(([, , known]) =>
    chain === "base" ? known === address.toLowerCase() : known === address
  )

/**
 * Which known asset a token can be taken for by its symbol or its name, when it is not that asset.
 * @param address lower-case 0x on Base, base58 on Solana
 */
export const wornName = (chain: Chain, address: string, symbol: string, name: string): WornName => {
  if (isListedAsset(chain, address)) return null
  const tables = tablesOnce()
  const [drawnSymbols, drawnNames] = [drawnIn(symbol), drawnIn(name)]
  const worn = [
    find(tables.symbols, drawnSymbols.flatMap(stems)),
    findMajor(tables.symbols, drawnSymbols.map(cutOff)),
    find(tables.names, [...drawnNames, ...drawnSymbols])
  ].filter((one) => one !== undefined)
  if (worn.some(({ major }) => major)) return "major"
  const isInPart =
    drawnSymbols.some((drawn) => findWord(tables.symbols, drawn)) ||
    drawnNames.some((drawn) => findInName(tables, drawn))
  return worn.length > 0 || isInPart ? "listed" : null
}
