import { choose } from "./policy.ts"
import type { SpendingPolicy } from "./policy.ts"
import type { Network, PaymentRequired, PaymentRequirements, SettlementResponse } from "./types.ts"

/** A payment that was executed: what for, how much (smallest units of USDC), and its receipt. */
export interface Paid {
  readonly resource: string
  readonly amount: bigint
  readonly receipt: SettlementResponse
}

/** A signed payment whose outcome is open. */
export interface OpenPayment {
  readonly header: string
  /** Smallest units counted as spent; zero for a payment of another process. */
  readonly amount: bigint
}

/** Money a client has committed, and the payments it may still have to ask about. */
export interface Budget {
  readonly spent: () => bigint
  readonly receipts: () => ReadonlyArray<Paid>
  /** Takes the price out before signing, so that parallel calls cannot spend the same budget. */
  readonly reserve: (challenge: PaymentRequired, payable: ReadonlyArray<Network>) => PaymentRequirements
  /** Of a payment that was not sent. */
  readonly release: (amount: bigint) => void
  /**
   * The service says that it did not execute this payment. It cannot prove that: what it may have back in all is the
   * budget once, so that one that lies takes no more than twice the budget.
   */
  readonly refused: (amount: bigint) => void
  readonly record: (paid: Paid) => void
  /** Open payments by request: the next identical call sends one again instead of signing another. */
  readonly keep: (request: string, payment: OpenPayment) => void
  readonly take: (request: string) => OpenPayment | undefined
}

/** The budget of one client under its policy, in smallest units of USDC: nothing spent, nothing open. */
export const openBudget = (policy: SpendingPolicy): Budget => {
  let spent = 0n
  let believed = 0n
  const receipts: Array<Paid> = []
  const open = new Map<string, Array<OpenPayment>>()
  return {
    spent: () => spent,
    receipts: () => [...receipts],
    reserve: (challenge, payable) => {
      const chosen = choose(challenge, policy, policy.budget - spent, payable)
      spent += BigInt(chosen.amount)
      return chosen
    },
    release: (amount) => {
      spent -= amount
    },
    refused: (amount) => {
      if (believed + amount > policy.budget) return
      believed += amount
      spent -= amount
    },
    record: (paid) => {
      receipts.push(paid)
    },
    keep: (request, payment) => {
      const others = (open.get(request) ?? []).filter(({ header }) => header !== payment.header)
      open.set(request, [...others, payment])
    },
    take: (request) => {
      const [first, ...rest] = open.get(request) ?? []
      if (rest.length === 0) open.delete(request)
      else open.set(request, rest)
      return first
    }
  }
}
