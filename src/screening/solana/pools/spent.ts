/** Launch curves that have ended: what still lies in their vaults is their makers', by the terms of the program. */
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { program } from "../addresses.ts"
import { LEAST_LOCK_SECONDS } from "../power/least-lock.ts"
import type { Bytes } from "../reads/bytes.ts"
import { bytesOf, startsWith } from "../reads/bytes.ts"
import type { Reads } from "../reads/reads.ts"
import { dueEvenly, vestingOf } from "./layouts/launch-vesting.ts"
import { CURVE_DISCRIMINATOR } from "./layouts/pump.ts"
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

/** What a curve's account begins with, and where it says that it has ended. */
interface Ending {
  readonly type: ReadonlyArray<number>
  readonly at: number
}

const ENDS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  [program.pumpCurve, { type: CURVE_DISCRIMINATOR, at: 48 }],
  [program.meteoraDbc, { type: DBC_POOL, at: 305 }],
  [program.raydiumLaunchLab, { type: LAUNCH_POOL, at: 17 }]
])

/** Whether an account is a curve that says that it has ended: what others still say of it is over. */
export const hasEnded = ({ data, owner }: SolanaAccount): boolean => {
  const end = ENDS.get(owner)
  return end !== undefined && startsWith(data, end.type) && (data[end.at] ?? 0) !== 0
}

/** After its migration a Meteora curve keeps what was neither sold nor moved on, for whoever its settings name. */
const spentDbc = (bytes: Bytes, mint: SolanaAddress): Spent | null =>
  bytes.length < 424 || bytes.address(136) !== mint
    ? null
    : [bytes.address(168), { maker: bytes.address(104), free: (balance) => balance }]

/** A LaunchLab curve keeps the creator's tokens, which fall due evenly from a start that the program sets to the cliff's end. */
const spentLaunch = (bytes: Bytes, mint: SolanaAddress): Spent | null => {
  if (bytes.length < 365 || bytes.address(205) !== mint) return null
  const [vesting, start] = [{ ...vestingOf(bytes), cliff: 0 }, Number(bytes.u64(125))]
  const free = (balance: number, now: number): number => {
    // Until its start has been set, the schedule may start at any time.
    const fallen =
      start === 0 ? balance : dueEvenly(vesting, now + LEAST_LOCK_SECONDS - start) - (vesting.whole - balance)
    return Math.min(balance, Math.max(0, fallen))
  }
  return [bytes.address(269), { maker: bytes.address(333), free }]
}

const spentIn = (account: SolanaAccount, mint: SolanaAddress): Spent | null => {
  if (!hasEnded(account)) return null
  const bytes = bytesOf(account.data)
  if (account.owner === program.meteoraDbc) return spentDbc(bytes, mint)
  return account.owner === program.raydiumLaunchLab ? spentLaunch(bytes, mint) : null
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
