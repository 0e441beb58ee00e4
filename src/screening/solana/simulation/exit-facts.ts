import type { SolanaAddress } from "../../../domain/address.ts"
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { Outcome } from "./outcome.ts"
import type { Candidate, Leg, Trial } from "./trial.ts"
import { RENT } from "./trial.ts"

/** Whether somebody could sell. */
export type Sale =
  /** `loss` of buying and selling again, in parts of one; null where it could not be measured. */
  | { readonly kind: "sold"; readonly loss: number | null }
  /** Refused. `isCertain`: in a way that no instruction of ours can cause. */
  | { readonly kind: "refused"; readonly leg: Leg; readonly isCertain: boolean }
  /** Refused in a way our own instruction may have caused, and nothing shows that it works. */
  | { readonly kind: "doubtful"; readonly leg: Leg }
  | { readonly kind: "untried"; readonly why: string }

/** The exit as the trials showed it. */
export interface ExitFacts {
  /** By a wallet nobody has seen, in the best pools. */
  readonly fresh: Sale
  /** By real holders who are neither creator nor pool, transfers that need no pool included. */
  readonly holders: { readonly tried: number; readonly refused: number; readonly doubtful: number }
}

/** Nobody could try. */
export const untried = (why: string): ExitFacts => ({
  fresh: { kind: "untried", why },
  holders: { tried: 0, refused: 0, doubtful: 0 }
})

/** A trial with its outcome. */
export interface Tried {
  readonly trial: Trial
  readonly outcome: Outcome
}

const balanceOf = (account: SolanaAccount | null | undefined): bigint | null =>
  decodeTokenAccount(account ?? null)?.amount ?? null

const after = ({ outcome, trial }: Tried, address: SolanaAddress): SolanaAccount | null | undefined => {
  const index = trial.watch.indexOf(address)
  return outcome.kind === "passed" && index >= 0 ? outcome.accounts[index] : undefined
}

/** What the wallet has of the quote, with the rent it paid for accounts it opened added back. */
const purse = ({ swap }: Candidate, tried: Tried): bigint | null => {
  const [address] = tried.trial.watch
  if (address === undefined) return null
  const account = after(tried, address)
  if (!swap.isNative) return balanceOf(account)
  if (account == null) return null
  const rent = tried.trial.opened.reduce((sum, one) => sum + (after(tried, one)?.lamports ?? 0n), 0n)
  return account.lamports + rent
}

/**
 * What buying and selling again costs, in parts of what was bought: both trials start with the same purse; one ends
 * after the purchase, the other after the sale. What was not sold does not count as a loss.
 */
const lossOf = (candidate: Candidate, back: Tried, on: Tried): number | null => {
  const start = candidate.most + (candidate.swap.isNative ? RENT : 0n)
  const [held, owned] = [purse(candidate, on), purse(candidate, back)]
  const left = balanceOf(after(back, back.trial.watch[1] ?? candidate.place.token))
  if (held === null || owned === null || left === null) return null
  const spent = Number(start - held) * (Number(candidate.sold) / Number(candidate.sold + left))
  return spent > 0 ? Math.min(1, Math.max(0, 1 - Number(owned - held) / spent)) : null
}

const saleOf = ({ outcome }: Tried): Sale => {
  switch (outcome.kind) {
    case "passed":
      return { kind: "sold", loss: null }
    case "unrun":
      return { kind: "untried", why: outcome.why }
    case "refused":
      return outcome.isOurs
        ? { kind: "doubtful", leg: outcome.leg }
        : { kind: "refused", leg: outcome.leg, isCertain: true }
  }
}

/** One pool's two trials as one sale: bought, moved on, sold. */
export const freshSale = (candidate: Candidate, back: Tried, on: Tried | null): Sale => {
  const sale = saleOf(back)
  if (on === null || sale.kind !== "sold") return sale
  const moved = saleOf(on)
  if (moved.kind !== "sold") return moved.kind === "untried" ? sale : moved
  return { kind: "sold", loss: lossOf(candidate, back, on) }
}

const weight = (sale: Sale): number => {
  switch (sale.kind) {
    case "refused":
      return sale.isCertain ? 4 : 3
    case "doubtful":
      return 2
    case "sold":
      return 1
    case "untried":
      return 0
  }
}

/** Whoever cannot buy in a pool is not caught there. */
const isNoPurchase = (sale: Sale): boolean =>
  (sale.kind === "refused" || sale.kind === "doubtful") && sale.leg === "buy"

/**
 * The worst that was seen: where one of the best pools refuses, whoever bought there cannot leave. One that refuses to be
 * bought in says nothing where another of them sold all that was bought there.
 */
export const worstOf = (sales: ReadonlyArray<Sale>): Sale => {
  const isSold = sales.some(({ kind }) => kind === "sold")
  const telling = isSold ? sales.filter((sale) => !isNoPurchase(sale)) : sales
  const [first] = telling.toSorted((a, b) => weight(b) - weight(a))
  return first ?? { kind: "untried", why: "no pool that could be tried" }
}

/**
 * The control: where the same instructions have just sold this or another token, they work, and a refusal is not
 * theirs. It may still be a case they do not know, so it never counts as certain.
 */
export const withControl = (sale: Sale, works: boolean): Sale =>
  sale.kind === "doubtful" && works ? { kind: "refused", leg: sale.leg, isCertain: false } : sale

export const holderCount = (tried: ReadonlyArray<Tried>, works: boolean): ExitFacts["holders"] => {
  const sales = tried.map((one) => withControl(saleOf(one), works))
  const count = (kind: Sale["kind"]) => sales.filter((sale) => sale.kind === kind).length
  return {
    tried: sales.length - count("untried"),
    refused: count("refused"),
    doubtful: count("doubtful")
  }
}
