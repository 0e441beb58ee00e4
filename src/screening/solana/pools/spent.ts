/** Launch curves that have ended: what still lies in their vaults is their makers', by the terms of the program. */
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { program } from "../addresses.ts"
import { LEAST_LOCK_SECONDS } from "../power/least-lock.ts"
import type { Bytes } from "../reads/bytes.ts"
import { bytesOf, startsWith } from "../reads/bytes.ts"
import type { Reads } from "../reads/reads.ts"
import { anchorType } from "./layouts/shared.ts"

/** The vault of an ended curve. Amounts in smallest units, times in Unix seconds. */
export interface SpentCurve {
  readonly maker: SolanaAddress
  /** What of a balance its maker can take within the least time a lock must last. */
  readonly free: (balance: number, now: number) => number
}

type Spent = readonly [vault: SolanaAddress, curve: SpentCurve]

const DBC_POOL = anchorType("VirtualPool")
const LAUNCH_POOL = anchorType("PoolState")

/** After its migration a Meteora curve keeps what was neither sold nor moved on, for whoever its settings name. */
const spentDbc = (bytes: Bytes, mint: SolanaAddress): Spent | null =>
  bytes.length < 424 || bytes.u8(305) === 0 || bytes.address(136) !== mint
    ? null
    : [bytes.address(168), { maker: bytes.address(104), free: (balance) => balance }]

/** A LaunchLab curve keeps the creator's tokens, which fall due evenly after a cliff. Source: raydium-sdk-v2 `VestingSchedule`. */
const spentLaunch = (bytes: Bytes, mint: SolanaAddress): Spent | null => {
  if (bytes.length < 365 || bytes.u8(17) === 0 || bytes.address(205) !== mint) return null
  const at = (offset: number): number => Number(bytes.u64(offset))
  const [whole, cliff, lasts, start] = [at(101), at(109), at(117), at(125)]
  const due = (time: number): number => {
    const since = time - start - cliff
    if (since < 0) return 0
    return whole * (lasts === 0 ? 1 : Math.min(1, since / lasts))
  }
  const free = (balance: number, now: number): number => {
    // Until the migration has set its start, the schedule may start at any time.
    const fallen = start === 0 ? balance : due(now + LEAST_LOCK_SECONDS) - (whole - balance)
    return Math.min(balance, Math.max(0, fallen))
  }
  return [bytes.address(269), { maker: bytes.address(333), free }]
}

const spentIn = ({ data, owner }: SolanaAccount, mint: SolanaAddress): Spent | null => {
  if (owner === program.meteoraDbc && startsWith(data, DBC_POOL)) return spentDbc(bytesOf(data), mint)
  return owner === program.raydiumLaunchLab && startsWith(data, LAUNCH_POOL)
    ? spentLaunch(bytesOf(data), mint)
    : null
}

/** The vaults of ended curves of the token, among the accounts that others call its pools. */
export const spentCurvesOf = (
  { book, candidates }: Pick<Reads, "book" | "candidates">,
  mint: SolanaAddress
): ReadonlyMap<string, SpentCurve> =>
  new Map(
    candidates.flatMap((address) => {
      const account = book.get(address)
      const spent = account == null ? null : spentIn(account, mint)
      return spent === null ? [] : [spent]
    })
  )
