/** Holders who could not sell for reasons of their own: these say nothing about the token. */
import { Effect } from "effect"
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { GUARDS_LENGTH } from "../reads/account-extensions.ts"
import { factOf } from "../reads/fetch.ts"
import type { Upstreams } from "../reads/reads.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { Tried } from "./exit-facts.ts"
import type { SoldBy } from "./trial.ts"

const EXCUSED = { kind: "unrun", why: "the holder could not sell for a reason of its own" } as const

/** By whom a refused trial was made; null where none was refused, or by nobody real. */
const refusedTo = ({ outcome, trial }: Tried): SoldBy | null =>
  outcome.kind === "refused" ? trial.holder : null

/**
 * An issuer has frozen what the holder would be paid into, or the holder lets no program pay in there; or the holder has
 * moved the tokens since they were listed: the node shows the account with less. One that it does not show, or shows
 * otherwise, excuses nobody: the node may be behind.
 */
const isExcused = (
  { account, amount, paidInto }: SoldBy,
  now: ReadonlyMap<SolanaAddress, SolanaAccount | null>
): boolean => {
  const shown = (address: SolanaAddress) => decodeTokenAccount(now.get(address) ?? null)
  const [purse, held] = [paidInto === null ? null : shown(paidInto), shown(account)]
  const isShut = purse?.frozen === true || purse?.guards?.incoming === true
  return isShut || (held !== null && held.amount < amount)
}

/** Trials of holders who are excused count as never made. Asks only where one was refused; what no node shows excuses nobody. */
export const withoutExcused = Effect.fn("SolanaPlan.withoutExcused")(function* (
  { rpc }: Pick<Upstreams, "rpc">,
  tried: ReadonlyArray<Tried>
) {
  const accounts = tried.flatMap((one) => {
    const holder = refusedTo(one)
    if (holder === null) return []
    return holder.paidInto === null ? [holder.account] : [holder.account, holder.paidInto]
  })
  if (accounts.length === 0) return tried
  const read = yield* factOf(
    rpc.getAccounts(accounts, { slice: { offset: 0, length: GUARDS_LENGTH } }),
    "the node did not show what holders have"
  )
  if (!read.known) return tried
  const now = new Map(accounts.map((address, index) => [address, read.value.accounts[index] ?? null]))
  return tried.map((one): Tried => {
    const holder = refusedTo(one)
    return holder !== null && isExcused(holder, now) ? { ...one, outcome: EXCUSED } : one
  })
})
