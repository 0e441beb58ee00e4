import { max, min } from "../../../domain/bigint.ts"
import { counted } from "../../../domain/counted.ts"
import type { Signal } from "../../../domain/signal.ts"
import { critical, fail, hard, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import type { BaseEvidence, PoolEvidence } from "../evidence.ts"
import { relevantPools } from "../pools/dust.ts"
import { isV2Type } from "../pools/pool-search.ts"

/** Wearing a lesser asset's name may be a bridge's or chance: enough for `caution`, not proof of bad faith. */
const LISTED_POINTS = 8

/** A balance may differ from a pool's own record by this share before the token is lying (rebases, fees in flight). */
const BALANCE_TOLERANCE = 0.05

const share = (part: bigint, whole: bigint): number =>
  whole === 0n ? 1 : Number((part * 10_000n) / whole) / 10_000

/** The pool holds less than it recorded, by what the token says. */
const fallsShort = ({ tokenBalance, tokenReserve }: PoolEvidence): boolean =>
  tokenBalance !== null && share(tokenBalance, tokenReserve) < 1 - BALANCE_TOLERANCE

/** The pool itself is told another balance than others are. */
const isToldOther = ({ tokenBalance }: PoolEvidence, seen: bigint | undefined): boolean =>
  tokenBalance !== null &&
  seen !== undefined &&
  share(min(seen, tokenBalance), max(seen, tokenBalance)) < 1 - BALANCE_TOLERANCE

const judgeBalances = ({ pools, shape }: BaseEvidence) => {
  const short = pools.filter(fallsShort)
  if (short.length > 0)
    return fail(`In ${counted(short.length, "pool")} there is less of the token than recorded.`)
  const { supply, seenByPools } = shape
  if (supply !== null && pools.some(({ kind, tokenReserve }) => kind !== "v4" && tokenReserve > supply)) {
    return fail("A pool holds more of the token than its supply.", { points: 30 })
  }
  if (pools.some((pool) => isToldOther(pool, seenByPools.get(pool.address))))
    return fail("Balances depend on who asks.")
  if (pools.length === 0) return unknown("There is no pool to compare balances with.")
  // Strangers can open more pools than are asked: those that money goes to must have been.
  return pools.filter(isV2Type).some(({ tokenBalance }) => tokenBalance === null) ||
    relevantPools(pools)
      .filter(isV2Type)
      .some(({ address }) => !seenByPools.has(address))
    ? unknown("What a pool holds of the token was not told, or not to the pool itself.")
    : pass("Balances agree with the pools.")
}

/** The weight of finding that there is no contract of a token's own at the address. */
const NO_CONTRACT = {
  source: "base-rpc",
  group: "identity",
  hard: true,
  critical: true,
  points: 100,
  unknownPoints: 0
} as const

const signal = signalFrom<BaseEvidence>("base-rpc")

/** What the token is, before what it does. */
export const identitySignals: ReadonlyArray<Signal<BaseEvidence>> = [
  {
    ...NO_CONTRACT,
    id: "NOT_A_CONTRACT",
    reads: "code at the address",
    judge: ({ code }) =>
      code.account === "none"
        ? fail("There is no contract at this address.")
        : pass("There is code at this address.")
  },
  {
    ...NO_CONTRACT,
    id: "DELEGATED_ACCOUNT",
    reads: "code at the address (EIP-7702 designator)",
    judge: ({ code }) =>
      code.account === "delegated-eoa"
        ? fail("The address is one private key that runs borrowed code (EIP-7702).")
        : pass("The address is no delegated account.")
  },
  signal("NOT_A_TOKEN", critical(45, 0, "identity"), {
    reads: "totalSupply(), decimals()",
    judge: ({ shape }) => {
      if (shape.supply === null)
        return fail("The contract reports no supply: it is no ERC-20 token.", { hard: true, points: 90 })
      return shape.decimals === null
        ? fail("The contract reports no usable decimals.")
        : pass("It answers like an ERC-20 token.")
    }
  }),
  signal("COPYCAT", hard(80, 0, "identity"), {
    reads:
      "symbol() and name(), folded by Unicode's confusables and compared with known assets, which are known by address",
    judge: ({ shape }) => {
      if (shape.copycat === null)
        return shape.areTextsTold
          ? pass("Symbol and name are not those of a known asset elsewhere.")
          : unknown("The token does not tell its symbol, or not its name.")
      if (shape.copycat.of === "listed") {
        return fail("Symbol or name are a known asset's, the address is not.", {
          points: LISTED_POINTS,
          hard: false
        })
      }
      return shape.copycat.backedByEth
        ? fail("The symbol is a major's; the contract holds ETH for its whole supply.", {
            points: 10,
            hard: false
          })
        : fail("The symbol is a major's, the address is not.")
    }
  }),
  signal("BALANCES_INCONSISTENT", minor(45, 2, "balances"), {
    reads: "balanceOf(pool) by two callers, the pools' own records, the supply",
    critical: ({ pools }) => pools.length > 0,
    judge: judgeBalances
  })
]
