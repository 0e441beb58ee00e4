/** Orca's Whirlpool, Moonshot's curve and FluxBeam's swap. Offsets as in whirlpools-client, moonshot-sdk and spl-token-swap. */
import type { SolanaAccount } from "../../../../chain/chain-rpc.ts"
import { min } from "../../../../domain/bigint.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import { ORCA_CONFIG, program, WSOL } from "../../addresses.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesOf, startsWith } from "../../reads/bytes.ts"
import { whirlpoolOracle } from "../../reads/pdas.ts"
import type { DecodedPool, Reserves } from "../decoded-pool.ts"
import { adaptiveFee } from "./movement.ts"
import type { Decoder, Layout } from "./shared.ts"
import { LINEAR_PART, priceOf, squared } from "./price.ts"
import { anchorType, twoSided } from "./shared.ts"
import { CLOSED, constantFee, fraction, OPEN, opensAt, plainCurve } from "./terms.ts"

const ORACLE = anchorType("Oracle")
const ORACLE_LENGTH = 254
/** Anybody can open settings of their own, and set the fee of any pool under them to this at any time. Source: whirlpools `MAX_FEE_RATE`. */
const MOST_SET = 0.06

/** What whoever holds the settings of a pool may make of its fee. */
const settable = (bytes: Bytes): number => (bytes.address(8) === ORCA_CONFIG ? 0 : MOST_SET)

type OracleTerms = Pick<DecodedPool, "trading" | "fee" | "peakFee">

/** A pool of a plain tier has no oracle. */
const plainTerms = (bytes: Bytes): OracleTerms => ({
  trading: OPEN,
  fee: constantFee(bytes.u16(45) / 1_000_000),
  peakFee: settable(bytes)
})

/** What an oracle says of its pool: when it opens, and how its fee moves. One that was not read says nothing. */
const oracleTerms = (bytes: Bytes, account: SolanaAccount | null): OracleTerms => {
  const unread: OracleTerms = { trading: OPEN, fee: { kind: "unread" }, peakFee: 0 }
  if (account?.owner !== program.orcaWhirlpool || account.data.length < ORACLE_LENGTH) return unread
  if (!startsWith(account.data, ORACLE)) return unread
  const oracle = bytesOf(account.data)
  const { fee, peakFee } = adaptiveFee(oracle, bytes.u16(45))
  const set = settable(bytes)
  return { trading: opensAt(oracle.u64(40), "seconds"), fee, peakFee: set === 0 ? 0 : Math.max(set, peakFee) }
}

/** A pool of an adaptive tier names it by another number than its spacing. */
const oracleOf = (bytes: Bytes, pool: SolanaAddress): ReadonlyArray<SolanaAddress> =>
  bytes.u16(41) === bytes.u16(43) ? [] : [whirlpoolOracle(pool)]

const whirlpool = twoSided(
  { kind: "orca-whirlpool", length: 245, type: "Whirlpool" },
  { mintA: 101, mintB: 181, vaultA: 133, vaultB: 213 },
  ({ address, book, bytes }, tokenIsA) => {
    const rawPrice = priceOf(squared(bytes.u128(65)), tokenIsA)
    if (rawPrice === null) return null
    const companions = oracleOf(bytes, address)
    const [oracle] = companions
    return {
      reserves: {
        kind: "range",
        rawPrice,
        liquidity: Number(bytes.u128(49)),
        owedQuote: bytes.u64(tokenIsA ? 93 : 85),
        ownQuote: null,
        ownTokens: null
      },
      ...(oracle === undefined ? plainTerms(bytes) : oracleTerms(bytes, book.get(oracle) ?? null)),
      claim: { kind: "positions", locked: 0 },
      creator: null,
      companions
    }
  }
)

/** Virtual reserves a Moonshot curve starts with, by its type. Source: ConstantProductCurveV1 and V2 of launchpad-common. */
const MOONSHOT_STARTS: ReadonlyMap<number, readonly [token: bigint, collateral: bigint]> = new Map([
  [1, [1_073_000_000_000_000_000n, 30_000_000_000n]],
  [2, [1_060_000_000_000_000_000n, 14_000_000_000n]]
])

const MOONSHOT_FEE = 0.01

interface MoonshotReserves {
  readonly token: bigint
  readonly quote: bigint
  readonly raised: bigint
}

const constantProduct = (type: number, sold: bigint): MoonshotReserves | null => {
  const start = MOONSHOT_STARTS.get(type)
  if (start === undefined) return null
  const [startToken, startQuote] = start
  const token = startToken - sold
  if (token <= 0n) return null
  const quote = (startToken * startQuote) / token
  return { token, quote, raised: quote - startQuote }
}

const LAMPORTS = 1e9
/** The share of the supply at which a linear curve reaches its market cap's threshold. */
const LINEAR_TARGET = 0.55

/** A price that grows by the same amount with every token: a·sold + b. Source: launchpad-common `LinearCurveV1`. */
const linear = (bytes: Bytes, totalSupply: bigint, sold: bigint): MoonshotReserves | null => {
  const unit = 10 ** bytes.u8(56)
  const [target, tokens] = [(Number(totalSupply) / unit) * LINEAR_TARGET, Number(sold) / unit]
  const b = bytes.u32(76) / LAMPORTS
  const a = (Number(bytes.u64(59)) / LAMPORTS / target - b) / target
  const price = a * tokens + b
  if (!(a > 0 && price > 0 && Number.isFinite(price / a))) return null
  const depth = (LINEAR_PART * price) / a
  const whole = (amount: number): bigint => BigInt(Math.round(amount))
  return {
    token: whole(depth * unit),
    quote: whole(depth * price * LAMPORTS),
    raised: whole((0.5 * a * tokens * tokens + b * tokens) * LAMPORTS)
  }
}

const LINEAR = 0

const decodeMoonshot: Decoder = ({ account, bytes, token }) => {
  const [totalSupply, left, type] = [bytes.u64(8), bytes.u64(16), bytes.u8(58)]
  if (bytes.address(24) !== token || left > totalSupply) return null
  const sold = totalSupply - left
  const reserves = type === LINEAR ? linear(bytes, totalSupply, sold) : constantProduct(type, sold)
  if (reserves === null) return null
  const { quote, raised, token: tokens } = reserves
  return {
    kind: "moonshot",
    quoteMint: WSOL,
    tokenVault: null,
    quoteVault: null,
    reserves: {
      kind: "curve",
      token: tokens,
      quote,
      realQuote: min(raised, account.lamports)
    },
    // Everything for sale has been sold: the curve waits for its migration.
    trading: left === 0n ? CLOSED : OPEN,
    fee: constantFee(MOONSHOT_FEE),
    claim: { kind: "curve" },
    creator: null,
    ...plainCurve,
    companions: []
  }
}

const PLAIN: Reserves = { kind: "vaults", owedToken: 0n, owedQuote: 0n, virtualQuote: 0n }

const fluxBeam = twoSided(
  { kind: "fluxbeam", length: 292, whole: 324 },
  { mintA: 131, mintB: 163, vaultA: 35, vaultB: 67 },
  // Other curves than the constant product, type 0, are priced by rules not read here.
  ({ bytes }) =>
    bytes.u8(0) !== 1 || bytes.u8(1) !== 1 || bytes.u8(291) !== 0
      ? null
      : {
          reserves: PLAIN,
          trading: OPEN,
          fee: constantFee(fraction(bytes.u64(227), bytes.u64(235))),
          // The owner's part comes on top in the program that this one was made from, and in pools that trade it is
          // nine tenths, of the fee it seems: whoever makes a pool chooses it, so that a trade may cost both.
          peakFee: Math.min(
            1,
            fraction(bytes.u64(227), bytes.u64(235)) + fraction(bytes.u64(243), bytes.u64(251))
          ),
          claim: { kind: "lp-tokens", lpMint: bytes.address(99), issued: null, locked: 0n },
          creator: null
        }
)

export const otherLayouts: ReadonlyArray<readonly [string, Layout]> = [
  [program.orcaWhirlpool, whirlpool],
  [program.moonshot, { length: 82, discriminator: anchorType("CurveAccount"), decode: decodeMoonshot }],
  [program.fluxBeam, fluxBeam]
]
