import { Data, Either } from "effect"
import type { Network } from "../domain/chain.ts"
import { usdcOf } from "../domain/chain.ts"
import { formatUsd } from "../domain/money.ts"
import type { PaymentRequired, PaymentRequirements } from "../domain/x402.ts"

/** What a client may spend without asking. Amounts are in smallest units of USDC. */
export interface SpendingPolicy {
  /** Most for one call. */
  readonly maxPerCall: bigint
  /** Most over the client's life, including payments whose outcome is not known. */
  readonly budget: bigint
  /** Networks to pay on, in order of preference. */
  readonly networks: ReadonlyArray<Network>
  /** Receiving addresses to pay; any when left out. */
  readonly recipients?: ReadonlyArray<string>
  /** Longest validity of a signed payment, in seconds. */
  readonly maxTimeoutSeconds: number
}

/** 5 cents a call, one dollar in all: above the list prices, far below a mistake that hurts. */
export const defaultPolicy: SpendingPolicy = {
  maxPerCall: 50_000n,
  budget: 1_000_000n,
  networks: ["eip155:8453", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  maxTimeoutSeconds: 120
}

/** The policy forbids every option of a challenge. Nothing was signed. `reasons` has one line per option. */
export class PolicyRefusal extends Data.TaggedError("PolicyRefusal")<{
  readonly reasons: ReadonlyArray<string>
}> {
  override get message(): string {
    return `the spending policy forbids this payment: ${this.reasons.join("; ")}`
  }
}

const objection = (
  option: PaymentRequirements,
  policy: SpendingPolicy,
  left: bigint,
  payable: ReadonlyArray<Network>
): string | undefined => {
  const amount = BigInt(option.amount)
  if (!policy.networks.includes(option.network)) return `${option.network} is not an allowed network`
  if (!payable.includes(option.network)) return `no wallet for ${option.network}`
  if (option.asset !== usdcOf(option.network)) return `${option.asset} is not USDC`
  if (amount > policy.maxPerCall) return `${formatUsd(amount)} USD is above the cap per call`
  if (amount > left) return `${formatUsd(amount)} USD is more than the budget has left`
  if (policy.recipients !== undefined && !policy.recipients.includes(option.payTo))
    return `unknown recipient ${option.payTo}`
  if (option.maxTimeoutSeconds > policy.maxTimeoutSeconds)
    return `valid for ${option.maxTimeoutSeconds} seconds`
  return undefined
}

/**
 * The option to pay: the first the policy allows, in the policy's order of networks. `left` is what the budget has
 * left, `payable` the networks the wallet can sign for.
 */
export const choose = (
  challenge: PaymentRequired,
  policy: SpendingPolicy,
  left: bigint,
  payable: ReadonlyArray<Network>
): Either.Either<PaymentRequirements, PolicyRefusal> => {
  const allowed = challenge.accepts.filter((option) => objection(option, policy, left, payable) === undefined)
  const rank = (option: PaymentRequirements) => policy.networks.indexOf(option.network)
  const chosen = allowed.toSorted((a, b) => rank(a) - rank(b))[0]
  return chosen === undefined
    ? Either.left(
        new PolicyRefusal({
          reasons: challenge.accepts.flatMap((o) => objection(o, policy, left, payable) ?? [])
        })
      )
    : Either.right(chosen)
}
