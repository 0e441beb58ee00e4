import type { DecodedPool, FeeSchedule, Trading } from "./decoded-pool.ts"

/** The chain's own time: Unix seconds and slot. */
export interface ChainTime {
  readonly seconds: number
  readonly slot: bigint
}

export const hasOpened = (trading: Trading, { seconds, slot }: ChainTime): boolean => {
  switch (trading.kind) {
    case "open":
      return true
    case "closed":
      return false
    case "from":
      return trading.unit === "seconds" ? Number(trading.at) <= seconds : trading.at <= slot
  }
}

/** What a trade may pay beyond the fee, at most: while the price moves, and for its size while a limit is in force. */
export const extraAt = (
  { limit, surge }: Pick<DecodedPool, "limit" | "surge">,
  { seconds, slot }: ChainTime
): number => {
  if (limit === null) return surge
  const isOver = limit.unit === "seconds" ? Number(limit.until) < seconds : limit.until < slot
  return isOver ? surge : Math.min(1, surge + limit.more)
}

/** The fee in force now and the lowest it is scheduled to reach, in parts of one; null where it has not been read. */
export const feeAt = (
  fee: FeeSchedule,
  { seconds, slot }: ChainTime
): { readonly now: number; readonly lasting: number } | null => {
  if (fee.kind === "unread") return null
  if (fee.kind === "constant") return { now: fee.rate, lasting: fee.rate }
  if (fee.kind === "moving") {
    const since = seconds - fee.last
    return { now: since < fee.filter ? fee.hot : since < fee.decay ? fee.warm : fee.calm, lasting: fee.calm }
  }
  const time = fee.unit === "seconds" ? BigInt(Math.trunc(seconds)) : slot
  const elapsed = time > fee.start ? Number((time - fee.start) / fee.every) : 0
  const after = (periods: number): number => {
    const count = Math.min(periods, fee.periods)
    const rate = fee.isExponential ? fee.cliff * (1 - fee.step) ** count : fee.cliff - fee.step * count
    return Math.min(fee.cap, Math.max(0, rate))
  }
  return { now: after(elapsed), lasting: after(fee.periods) }
}
