import { type Hex, toHex } from "viem"
import { minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import { fractionOf } from "../../../../bytecode/fraction.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Expr, isEnv } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { netOf } from "./frame.ts"
import type { Roles } from "./roles.ts"
import { framesOf, isNeverOverstated, isPlainRead, isWild, leftIn, touches } from "./supply.ts"

/** What balances can grow by, by one function: at most a share of the supply each time a period has passed. */
export interface Growth {
  /** Share of the supply in parts of a million. */
  readonly millionths: number
  readonly seconds: number
  /** The slot (0x, 32 bytes) of the date that has to pass: whatever waits for one date is done once, by whichever function. */
  readonly date: Hex
}

const TIMESTAMP = 0x42n
/** Waits beyond this end after every token has. */
const MAX_SECONDS = 1n << 40n
const MILLION = 1_000_000n

const isNow = (word: Expr): boolean => isEnv(word, TIMESTAMP)

/** Reads of plain slots that the branches taken say lie in the past. */
const pastDates = (conditions: Condition | undefined): ReadonlyArray<Expr> =>
  [...listed(conditions)].flatMap(({ expr, holds }) => {
    const [a, b] = expr.args
    if (expr.op !== "lt" || a === undefined || b === undefined) return []
    const [earlier, later] = holds ? [a, b] : [b, a]
    return isNow(later) && isPlainRead(earlier) ? [earlier] : []
  })

/** `block.timestamp + c`: the seconds it lies ahead. */
const secondsAhead = ({ op, args: [a, b] }: Expr): bigint | undefined => {
  if (op !== "add" || a === undefined || b === undefined) return undefined
  const [now, wait] = isNow(a) ? [a, b] : [b, a]
  return isNow(now) && wait.op === "const" && wait.value < MAX_SECONDS ? wait.value : undefined
}

/** No path sets the date to less than the wait from now, so that the function can be used once a wait at most. */
const keepsWaiting = (leaves: ReadonlyArray<Leaf>, key: Expr, wait: bigint): boolean =>
  leaves.every((leaf) => {
    if (!touches(leaf, key)) return true
    const left = leftIn(leaf, key)
    const ahead = left === undefined ? undefined : secondsAhead(left)
    return ahead !== undefined && ahead >= wait
  })

const sharesOf = (conditions: Condition | undefined, supply: Expr): ReadonlyArray<Expr> => {
  const found = new Set<Expr>()
  for (const { expr } of listed(conditions))
    for (const side of expr.args) if (fractionOf(side)?.of === supply) found.add(side)
  return [...found]
}

/** The slots of dates in the past that the path moves on, each with the wait that it sets. */
const waitsOn = (leaf: Leaf): ReadonlyArray<{ readonly key: Expr; readonly wait: bigint }> =>
  pastDates(leaf.state.conditions).flatMap(({ args: [key] }) => {
    const left = key === undefined ? undefined : leftIn(leaf, key)
    const wait = left === undefined ? undefined : secondsAhead(left)
    return key === undefined || wait === undefined || wait === 0n ? [] : [{ key, wait }]
  })

/**
 * The bound on what a path creates, where there is one: a fixed share of the supply, after a date that the path itself
 * moves on by a fixed wait, and that nothing else brings nearer.
 */
export const growthOf = (roles: Roles, leaf: Leaf, supply: Expr | undefined): Growth | undefined => {
  if (supply === undefined || leaf.ending !== "success") return undefined
  // Few paths wait for a date; all that follows looks at every path of the contract.
  const waits = waitsOn(leaf)
  const acting = waits.length === 0 ? [] : roles.leaves.filter(({ ending }) => ending !== "revert")
  if (waits.length === 0 || acting.some(isWild)) return undefined
  const frames = framesOf(roles, leaf)
  const share = sharesOf(leaf.state.conditions, supply).find((word) =>
    frames?.every(([{ stretches }, facts]) =>
      stretches.every((stretch) => facts.atLeastZero(minus(sumOf(word), netOf(stretch))))
    )
  )
  const fraction = share === undefined ? undefined : fractionOf(share)
  if (share === undefined || fraction === undefined) return undefined
  if (!isNeverOverstated(roles, acting, supply)) return undefined
  const kept = waits.find(({ key, wait }) => keepsWaiting(acting, key, wait))
  if (kept === undefined) return undefined
  const millionths = (fraction.part * MILLION + fraction.whole - 1n) / fraction.whole
  return {
    millionths: Number(millionths),
    seconds: Number(kept.wait),
    date: toHex(kept.key.value, { size: 32 })
  }
}
