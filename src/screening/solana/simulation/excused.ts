/** Holders who could not sell for reasons of their own: these say nothing about the token. */
import { Effect } from "effect"
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { GUARDS_LENGTH } from "../reads/account-extensions.ts"
import { listedAgain } from "../reads/closed-since.ts"
import { factOf } from "../reads/fetch.ts"
import type { Reads, Upstreams } from "../reads/reads.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { Tried } from "./exit-facts.ts"
import type { SoldBy } from "./trial.ts"

const EXCUSED = { kind: "unrun", why: "the holder could not sell for a reason of its own" } as const

/** By whom a refused trial was made; null where none was refused, or by nobody real. */
const refusedTo = ({ outcome, trial }: Tried): SoldBy | null =>
  outcome.kind === "refused" ? trial.holder : null

/** What the node shows of the accounts of those who were refused, and whom it lists since then; null where it lists nobody anew. */
interface Since {
  readonly shown: ReadonlyMap<SolanaAddress, SolanaAccount | null>
  readonly listed: ReadonlySet<SolanaAddress> | null
}

/**
 * An issuer has frozen what the holder would be paid into, or the holder lets no program pay in there; or the holder has
 * moved the tokens since they were listed: the node shows the account with less, or none, and a newer list does not name it.
 * One that it does not show, or shows otherwise, excuses nobody by itself: the node may be behind.
 */
const isExcused = ({ account, amount, paidInto }: SoldBy, { listed, shown }: Since): boolean => {
  const at = (address: SolanaAddress) => decodeTokenAccount(shown.get(address) ?? null)
  const [purse, held] = [paidInto === null ? null : at(paidInto), at(account)]
  const isShut = purse?.frozen === true || purse?.guards?.incoming === true
  const isClosed = shown.get(account) === null && listed?.has(account) === false
  return isShut || isClosed || (held !== null && held.amount < amount)
}

/** Trials of holders who are excused count as never made. Asks only where one was refused; what no node shows excuses nobody. */
export const withoutExcused = Effect.fn("SolanaPlan.withoutExcused")(function* (
  up: Pick<Upstreams, "rpc">,
  { mint, reads }: { readonly mint: SolanaAddress; readonly reads: Pick<Reads, "largest" | "listedAt"> },
  tried: ReadonlyArray<Tried>
) {
  const refused = tried.flatMap((one) => refusedTo(one) ?? [])
  if (refused.length === 0) return tried
  const accounts = refused.flatMap(({ account, paidInto }) =>
    paidInto === null ? [account] : [account, paidInto]
  )
  const read = yield* factOf(
    up.rpc.getAccounts(accounts, { slice: { offset: 0, length: GUARDS_LENGTH } }),
    "the node did not show what holders have"
  )
  if (!read.known) return tried
  const shown = new Map(accounts.map((address, index) => [address, read.value.accounts[index] ?? null]))
  const gone = new Set(
    refused.filter(({ account }) => shown.get(account) === null).map(({ account }) => account)
  )
  const newer = gone.size === 0 ? null : yield* listedAgain(up, mint, reads, gone.size)
  const listed = newer === null ? null : new Set(newer.map(({ address }) => address))
  return tried.map((one): Tried => {
    const holder = refusedTo(one)
    return holder !== null && isExcused(holder, { shown, listed }) ? { ...one, outcome: EXCUSED } : one
  })
})
