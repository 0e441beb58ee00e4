/** What LaunchLab sets aside for a creator. Source: raydium-sdk-v2 `VestingSchedule`. */
import type { Bytes } from "../../reads/bytes.ts"

/** Amounts in smallest units, times in seconds. */
interface LaunchVesting {
  readonly whole: number
  readonly cliff: number
  readonly lasts: number
}

export const vestingOf = (bytes: Bytes): LaunchVesting => ({
  whole: Number(bytes.u64(101)),
  cliff: Number(bytes.u64(109)),
  lasts: Number(bytes.u64(117))
})

/** How much of it has fallen due so many seconds after its start: nothing before the cliff, then evenly. */
export const dueEvenly = ({ cliff, lasts, whole }: LaunchVesting, since: number): number => {
  if (since < cliff) return 0
  return whole * (lasts === 0 ? 1 : Math.min(1, (since - cliff) / lasts))
}
