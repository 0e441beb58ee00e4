/** pump.fun's curve and PumpSwap. Offsets as in pump-public-docs' IDLs and pump-swap-sdk. */
import type { SolanaAccount } from "../../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import { program, WSOL } from "../../addresses.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesOf, startsWith } from "../../reads/bytes.ts"
import type { DecodedPool } from "../decoded-pool.ts"
import { twoSided } from "./shared.ts"
import { constantFee, OPEN, plainCurve } from "./terms.ts"

/** The protocol's, the liquidity providers' and the creator's parts of a trade by the program's own tiers, at most. */
const [OTHERS_FEE, TIERS_CREATOR_FEE] = [0.0095, 0.003]

/** A coin's own creator's fee takes the place of the tiers': basis points, u64. Accounts from before it are shorter. */
const tradeFee = ({ length, u64 }: Bytes, offset: number): number => {
  const own = length < offset + 8 ? 0n : u64(offset)
  return Math.min(1, OTHERS_FEE + (own === 0n ? TIERS_CREATOR_FEE : Number(own) / 10_000))
}

/** The protocol's and the creator's fees that wait in the quote's vault until somebody sweeps them. */
const waitingFees = (bytes: Bytes): bigint => (bytes.length < 287 ? 0n : bytes.u64(271) + bytes.u64(279))

/** What moves the price besides what lies in the quote's vault; fees that wait there are taken from it. */
const virtualReserves = (bytes: Bytes): bigint => (bytes.length < 261 ? 0n : bytes.i128(245))

export const pumpSwap = twoSided(
  { kind: "pumpswap", length: 211, type: "Pool" },
  { mintA: 43, mintB: 75, vaultA: 139, vaultB: 171 },
  ({ bytes }, tokenIsA) => {
    const [virtual, waiting] = [virtualReserves(bytes), waitingFees(bytes)]
    return {
      // Virtual reserves stand on the pool's own quote side; seen from the other side they would be the token's.
      reserves: tokenIsA
        ? { kind: "vaults", owedToken: 0n, owedQuote: waiting, virtualQuote: virtual + waiting }
        : { kind: "vaults", owedToken: -virtual, owedQuote: 0n, virtualQuote: 0n },
      trading: OPEN,
      fee: constantFee(tradeFee(bytes, 261)),
      claim: { kind: "lp-tokens", lpMint: bytes.address(107), issued: bytes.u64(203), locked: 0n },
      creator: bytes.address(11)
    }
  }
)

export const CURVE_DISCRIMINATOR = [23, 183, 248, 55, 96, 216, 172, 96]

/** A pump.fun bonding curve. Its account does not name the mint: the caller must have derived its address from it. */
export interface BondingCurve {
  readonly complete: boolean
  readonly creator: SolanaAddress | null
  readonly quoteMint: SolanaAddress
  /** A coin with a second half of its supply in the hands of pump.fun's own trading agent. */
  readonly isMayhem: boolean
  readonly pool: DecodedPool | null
}

export const decodeBondingCurve = (
  account: SolanaAccount | null,
  tokenVault: SolanaAddress | null
): BondingCurve | null => {
  if (account === null || account.owner !== program.pumpCurve || account.data.length < 49) return null
  if (account.data.length < account.space) return null
  if (!startsWith(account.data, CURVE_DISCRIMINATOR)) return null
  const bytes = bytesOf(account.data)
  const complete = bytes.u8(48) !== 0
  const creator = bytes.length >= 81 ? bytes.optionalAddress(49) : null
  const [token, quote] = [bytes.u64(8), bytes.u64(16)]
  const quoteMint = (bytes.length >= 115 ? bytes.optionalAddress(83) : null) ?? WSOL
  // A complete curve trades no more: its reserves have moved, or are moving, to the canonical pool.
  const pool: DecodedPool | null =
    complete || token === 0n || quote === 0n
      ? null
      : {
          kind: "pump-curve",
          quoteMint,
          tokenVault,
          quoteVault: null,
          reserves: { kind: "curve", token, quote, realQuote: bytes.u64(32) },
          trading: OPEN,
          fee: constantFee(tradeFee(bytes, 115)),
          claim: { kind: "curve" },
          creator,
          ...plainCurve,
          companions: []
        }
  return { complete, creator, quoteMint, isMayhem: bytes.length >= 82 && bytes.u8(81) !== 0, pool }
}
