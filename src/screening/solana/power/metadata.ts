import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { CalledAs } from "../../../market/market-data.ts"
import type { WornName } from "../../names/known-names.ts"
import { wornName } from "../../names/known-names.ts"
import { skeletonsOf } from "../../names/skeleton.ts"
import { METADATA_PROGRAM } from "../addresses.ts"
import { bytesOf } from "../reads/bytes.ts"
import type { Reads } from "../reads/reads.ts"
import { readMint } from "./mint.ts"
import { TRUSTED_MINTS, WORN_SYMBOLS } from "./trusted-mints.ts"

/** What is kept of Metaplex metadata. Name and symbol are only compared with known ones and never shown. */
export interface Metadata {
  readonly mutable: boolean
  readonly updateAuthority: SolanaAddress
  readonly name: string
  readonly symbol: string
}

const KEY_METADATA_V1 = 4
const CREATOR_LENGTH = 34
const utf8 = new TextDecoder("utf-8", { fatal: false })

/** Decodes the metadata account of `mint`; null for anything else. Layout: Metaplex token-metadata `Metadata`. */
export const decodeMetadata = (account: SolanaAccount | null, mint: SolanaAddress): Metadata | null => {
  if (account === null || account.owner !== METADATA_PROGRAM) return null
  try {
    const bytes = bytesOf(account.data)
    if (bytes.u8(0) !== KEY_METADATA_V1 || bytes.address(33) !== mint) return null
    let offset = 65
    const text = (): string => {
      const length = bytes.u32(offset)
      const start = offset + 4
      offset = start + length
      if (offset > bytes.length) throw new RangeError("text beyond the end")
      return utf8.decode(account.data.subarray(start, offset)).replace(/\0+$/, "")
    }
    const name = text()
    const symbol = text()
    text()
    offset += 2
    offset += bytes.u8(offset) === 0 ? 1 : 1 + 4 + bytes.u32(offset + 1) * CREATOR_LENGTH
    return { mutable: bytes.u8(offset + 1) === 1, updateAuthority: bytes.address(1), name, symbol }
  } catch {
    return null
  }
}

export interface MetadataFacts {
  /** Somebody can still change name, symbol and picture. */
  readonly mutable: boolean
  /** The known asset it can be taken for by its name or symbol, though it is another mint. */
  readonly worn: WornName
  /** The same by what third parties call it: names are shown where they were once, after the token has got another. */
  readonly wornElsewhere: WornName
}

interface Named {
  readonly mutable: boolean
  readonly name: string
  readonly symbol: string
}

const tokenMetadataOf = (account: SolanaAccount | null): Named | null => {
  const reading = readMint(account)
  const own = reading.kind === "mint" ? reading.mint.walk.extensions.tokenMetadata : undefined
  return own === undefined
    ? null
    : { mutable: own.updateAuthority !== null, name: own.name, symbol: own.symbol }
}

/**
 * Where a Token-2022 mint says its name stands, when that is neither the mint itself nor its Metaplex account. Wallets
 * show what stands there, so it must be read.
 */
export const pointedElsewhere = (
  { book, derived, reading }: Pick<Reads, "book" | "derived" | "reading">,
  mint: SolanaAddress
): SolanaAddress | null => {
  const pointer = reading.kind === "mint" ? reading.mint.walk.extensions.metadataPointer : undefined
  const target = pointer?.address ?? null
  return target === null || target === mint || (target === derived.metadata && book.get(target) != null)
    ? null
    : target
}

const TRUSTED_SYMBOLS = new Set(WORN_SYMBOLS.flatMap(skeletonsOf))
const wearsTrusted = (mint: SolanaAddress, symbol: string): boolean =>
  !TRUSTED_MINTS.has(mint) && skeletonsOf(symbol).some((skeleton) => TRUSTED_SYMBOLS.has(skeleton))

/** The gravest that any of these names is taken for. */
const wornBy = (mint: SolanaAddress, named: ReadonlyArray<CalledAs>): WornName => {
  const worn = new Set(
    named.map(({ name, symbol }) =>
      wearsTrusted(mint, symbol) ? "major" : wornName("solana", mint, symbol, name)
    )
  )
  return worn.has("major") ? "major" : worn.has("listed") ? "listed" : null
}

/** What market data and RugCheck call the token. */
const calledElsewhere = ({ market, rugCheck }: Reads): ReadonlyArray<CalledAs> => {
  const all = [
    ...(market.known ? market.value.map(({ called }) => called) : []),
    rugCheck.known ? rugCheck.value?.called : undefined
  ].filter((called) => called !== undefined)
  // Every pair repeats the name.
  return [...new Map(all.map((called) => [`${called.symbol}\n${called.name}`, called])).values()]
}

/** Everything that gives the token a name, judged together: one imitation is enough. */
export const metadataFacts = (reads: Reads, mint: SolanaAddress): Fact<MetadataFacts> => {
  const { book, derived, reading } = reads
  const account = book.get(derived.metadata)
  const metaplex = decodeMetadata(account ?? null, mint)
  const walk = reading.kind === "mint" ? reading.mint.walk : undefined
  if (account === undefined || walk?.kind === "malformed") return missing("the metadata could not be read")
  if (account !== null && metaplex === null) return missing("the metadata could not be read")
  const target = pointedElsewhere(reads, mint)
  const pointed = target === null ? null : (book.get(target) ?? null)
  const followed = pointed === null ? null : (decodeMetadata(pointed, mint) ?? tokenMetadataOf(pointed))
  if (target !== null && followed === null)
    return missing("the name stands in an account that could not be read")
  const own = tokenMetadataOf(book.get(mint) ?? null)
  const all = [metaplex, own, followed].filter((named) => named !== null)
  const elsewhere = calledElsewhere(reads)
  // Wallets and agents show some name for what they list: where none can be found, it was not shown.
  if (all.length === 0 && elsewhere.length === 0) return missing("no account and nobody else names it")
  // Whoever can turn the pointer to another account gives the token another name.
  const turner = walk?.extensions.metadataPointer?.authority ?? null
  return known({
    mutable: turner !== null || all.some(({ mutable }) => mutable),
    worn: wornBy(mint, all),
    wornElsewhere: wornBy(mint, elsewhere)
  })
}
