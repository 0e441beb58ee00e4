import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import type { Bytes } from "../reads/bytes.ts"
import { bytesOf } from "../reads/bytes.ts"

/** One epoch's transfer fee. `maximumFee` is in smallest units of the token. */
export interface TransferFee {
  readonly epoch: bigint
  readonly maximumFee: bigint
  readonly basisPoints: number
}

/**
 * What a mint's extensions let its authorities do. An authority that is `null` is set to nobody. A key that is absent:
 * the mint has no such extension.
 */
export interface MintExtensions {
  readonly transferFee?: {
    readonly configAuthority: SolanaAddress | null
    /** Who may take the fees that were withheld. */
    readonly withdrawAuthority: SolanaAddress | null
    /** Fees gathered in the mint, smallest units. They are part of the supply and in nobody's balance. */
    readonly withheld: bigint
    readonly older: TransferFee
    readonly newer: TransferFee
  }
  readonly mintCloseAuthority?: SolanaAddress | null
  readonly confidentialTransfer?: { readonly authority: SolanaAddress | null }
  readonly confidentialTransferFee?: { readonly authority: SolanaAddress | null }
  readonly confidentialMintBurn?: true
  /** 1 initialized, 2 frozen. */
  readonly defaultAccountState?: number
  readonly nonTransferable?: true
  readonly interestBearing?: { readonly rateAuthority: SolanaAddress | null; readonly basisPoints: number }
  readonly permanentDelegate?: SolanaAddress | null
  readonly transferHook?: {
    readonly authority: SolanaAddress | null
    readonly programId: SolanaAddress | null
  }
  readonly metadataPointer?: {
    readonly authority: SolanaAddress | null
    /** Where name and symbol stand. */
    readonly address: SolanaAddress | null
  }
  readonly tokenMetadata?: {
    readonly updateAuthority: SolanaAddress | null
    readonly name: string
    readonly symbol: string
  }
  readonly scaledUiAmount?: { readonly authority: SolanaAddress | null }
  readonly pausable?: { readonly authority: SolanaAddress | null; readonly paused: boolean }
  readonly permissionedBurn?: { readonly authority: SolanaAddress | null }
  /** Groups and members: who belongs to what. Without power over holders. */
  readonly grouping?: true
}

/** Everybody whom the extensions name for something: whoever made the mint chose them. */
export const authoritiesIn = (extensions: MintExtensions): ReadonlyArray<SolanaAddress> =>
  [
    extensions.transferFee?.configAuthority,
    extensions.transferFee?.withdrawAuthority,
    extensions.mintCloseAuthority,
    extensions.confidentialTransfer?.authority,
    extensions.confidentialTransferFee?.authority,
    extensions.interestBearing?.rateAuthority,
    extensions.permanentDelegate,
    extensions.transferHook?.authority,
    extensions.metadataPointer?.authority,
    extensions.tokenMetadata?.updateAuthority,
    extensions.scaledUiAmount?.authority,
    extensions.pausable?.authority,
    extensions.permissionedBurn?.authority
  ].filter((authority) => authority != null)

/** A walk of the extensions: all understood, or why not. */
export type ExtensionWalk =
  | { readonly kind: "complete"; readonly extensions: MintExtensions }
  /** An extension newer than this code: what it can do is unknown. The understood ones stand. */
  | { readonly kind: "unknown-type"; readonly type: number; readonly extensions: MintExtensions }
  | { readonly kind: "malformed"; readonly extensions: MintExtensions }

/** Type-length-value entries start behind the padded mint and the kind byte. */
const TLV_OFFSET = 166

interface Rule {
  /** Exact length, or the least length of a value of variable length. */
  readonly length: number
  readonly variable?: true
  readonly read: (bytes: Bytes, data: Uint8Array) => MintExtensions
}

const feeAt = (bytes: Bytes, offset: number): TransferFee => ({
  epoch: bytes.u64(offset),
  maximumFee: bytes.u64(offset + 8),
  basisPoints: bytes.u16(offset + 16)
})

const utf8 = new TextDecoder("utf-8", { fatal: false })
/** Bytes of a name or a symbol: whoever writes more, of letters nobody sees, hides the end that a reader is shown. */
const MOST_TEXT = 1024

/** `TokenMetadata`: update authority, mint, then name, symbol and uri as u32-length texts, of which the uri is left. */
const readTokenMetadata = (bytes: Bytes, data: Uint8Array): MintExtensions => {
  const nameLength = bytes.u32(64)
  const symbolAt = 68 + nameLength
  const symbolLength = bytes.u32(symbolAt)
  const end = symbolAt + 4 + symbolLength
  if (end > data.length) throw new RangeError("symbol beyond the end")
  if (nameLength > MOST_TEXT || symbolLength > MOST_TEXT) throw new RangeError("no name is so long")
  const text = (from: number, to: number): string => utf8.decode(data.subarray(from, to))
  return {
    tokenMetadata: {
      updateAuthority: bytes.optionalAddress(0),
      name: text(68, symbolAt),
      symbol: text(symbolAt + 4, end)
    }
  }
}

const grouping = (length: number): Rule => ({ length, read: () => ({ grouping: true }) })

/**
 * Mint extensions by type number, with the length of their value.
 * Source: the layouts of `@solana-program/token-2022` 0.11.0, against which the tests compare.
 */
const RULES: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [
    1,
    {
      length: 108,
      read: (bytes) => ({
        transferFee: {
          configAuthority: bytes.optionalAddress(0),
          withdrawAuthority: bytes.optionalAddress(32),
          withheld: bytes.u64(64),
          older: feeAt(bytes, 72),
          newer: feeAt(bytes, 90)
        }
      })
    }
  ],
  [3, { length: 32, read: (bytes) => ({ mintCloseAuthority: bytes.optionalAddress(0) }) }],
  [4, { length: 65, read: (bytes) => ({ confidentialTransfer: { authority: bytes.optionalAddress(0) } }) }],
  [6, { length: 1, read: (bytes) => ({ defaultAccountState: bytes.u8(0) }) }],
  [9, { length: 0, read: () => ({ nonTransferable: true }) }],
  [
    10,
    {
      length: 52,
      read: (bytes) => ({
        interestBearing: { rateAuthority: bytes.optionalAddress(0), basisPoints: bytes.i16(50) }
      })
    }
  ],
  [12, { length: 32, read: (bytes) => ({ permanentDelegate: bytes.optionalAddress(0) }) }],
  [
    14,
    {
      length: 64,
      read: (bytes) => ({
        transferHook: { authority: bytes.optionalAddress(0), programId: bytes.optionalAddress(32) }
      })
    }
  ],
  [
    16,
    { length: 129, read: (bytes) => ({ confidentialTransferFee: { authority: bytes.optionalAddress(0) } }) }
  ],
  [
    18,
    {
      length: 64,
      read: (bytes) => ({
        metadataPointer: { authority: bytes.optionalAddress(0), address: bytes.optionalAddress(32) }
      })
    }
  ],
  [19, { length: 80, variable: true, read: readTokenMetadata }],
  [20, grouping(64)],
  [21, grouping(80)],
  [22, grouping(64)],
  [23, grouping(72)],
  [24, { length: 196, read: () => ({ confidentialMintBurn: true }) }],
  [25, { length: 56, read: (bytes) => ({ scaledUiAmount: { authority: bytes.optionalAddress(0) } }) }],
  [
    26,
    {
      length: 33,
      read: (bytes) => ({ pausable: { authority: bytes.optionalAddress(0), paused: bytes.u8(32) !== 0 } })
    }
  ],
  [28, { length: 32, read: (bytes) => ({ permissionedBurn: { authority: bytes.optionalAddress(0) } }) }]
])

/** Extensions of token accounts. On a mint they cannot stand: the bytes are not what we take them for. */
const ACCOUNT_TYPES: ReadonlySet<number> = new Set([2, 5, 7, 8, 11, 13, 15, 17, 27])

const isPadding = (data: Uint8Array): boolean => data.every((byte) => byte === 0)

/** The value's meaning, or null where its length or content does not fit its type. */
const readValue = (rule: Rule, value: Uint8Array): MintExtensions | null => {
  if (rule.variable === true ? value.length < rule.length : value.length !== rule.length) return null
  try {
    return rule.read(bytesOf(value), value)
  } catch {
    return null
  }
}

/**
 * Walks a Token-2022 mint's extensions. Never throws: an unknown type keeps the walk going, so that a danger behind it
 * is still seen; a malformed entry ends it.
 */
export const walkExtensions = (data: Uint8Array): ExtensionWalk => {
  const bytes = bytesOf(data)
  const seen = new Set<number>()
  let extensions: MintExtensions = {}
  let unknownType: number | undefined
  const malformed = (): ExtensionWalk => ({ kind: "malformed", extensions })
  let offset = TLV_OFFSET
  while (offset < data.length) {
    const rest = data.subarray(offset)
    if (rest.length < 4) return isPadding(rest) ? done() : malformed()
    const type = bytes.u16(offset)
    // Type 0 is free space: everything behind it is padding, or we misread the account.
    if (type === 0) return isPadding(rest) ? done() : malformed()
    const end = offset + 4 + bytes.u16(offset + 2)
    if (end > data.length || seen.has(type) || ACCOUNT_TYPES.has(type)) return malformed()
    seen.add(type)
    const rule = RULES.get(type)
    if (rule === undefined) unknownType ??= type
    else {
      const read = readValue(rule, data.subarray(offset + 4, end))
      if (read === null) return malformed()
      extensions = { ...extensions, ...read }
    }
    offset = end
  }
  return done()

  function done(): ExtensionWalk {
    return unknownType === undefined
      ? { kind: "complete", extensions }
      : { kind: "unknown-type", type: unknownType, extensions }
  }
}

/** The fee in force, and the one already scheduled. Source: the newer fee counts from its epoch on. */
export const feesAt = (
  fee: Pick<NonNullable<MintExtensions["transferFee"]>, "older" | "newer">,
  epoch: bigint
): { readonly now: TransferFee; readonly next: TransferFee | null } =>
  epoch >= fee.newer.epoch ? { now: fee.newer, next: null } : { now: fee.older, next: fee.newer }

/** A fee takes nothing when its rate or its cap is zero. */
export const effectiveBasisPoints = (fee: TransferFee): number =>
  fee.maximumFee === 0n ? 0 : fee.basisPoints

/** The rate in force, the scheduled one, and the worse of the two. Without the epoch either could be in force. */
export const ratesAt = (fee: NonNullable<MintExtensions["transferFee"]>, epoch: Fact<bigint>) => {
  const fees = epoch.known ? feesAt(fee, epoch.value) : { now: fee.older, next: fee.newer }
  const now = effectiveBasisPoints(fees.now)
  const next = fees.next === null ? null : effectiveBasisPoints(fees.next)
  return { now, next, worst: Math.max(now, next ?? 0) }
}
