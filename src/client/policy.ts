import { formatUsd } from "../domain/usd.ts"
import { InvalidRequest, PolicyRefusal } from "./errors.ts"
import type { Network, PaymentRequired, PaymentRequirements } from "./types.ts"
import { BASE_NETWORK, SOLANA_NETWORK, USDC } from "./types.ts"

/** What a client may spend without asking. Amounts are in smallest units of USDC (1 USD is 1,000,000). */
export interface SpendingPolicy {
  /** Most for one call. */
  readonly maxPerCall: bigint
  /**
   * Most over the client's life, including payments whose outcome is not known. Refused payments are taken off again, up
   * to this much in all: a service that keeps the money and says it refused it takes at most twice the budget.
   */
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
  networks: [BASE_NETWORK, SOLANA_NETWORK],
  maxTimeoutSeconds: 120
}

const isAmount = (value: unknown): boolean => typeof value === "bigint" && value >= 0n
const AMOUNT = "must be a bigint in smallest units of USDC, such as 50_000n for 0.05 USD"

const isNetworks = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => one === BASE_NETWORK || one === SOLANA_NETWORK)

/** What each limit must be, for callers without a type checker. */
const FORMS: { readonly [Name in keyof SpendingPolicy]-?: readonly [(value: unknown) => boolean, string] } = {
  maxPerCall: [isAmount, AMOUNT],
  budget: [isAmount, AMOUNT],
  networks: [isNetworks, `must be a list of "${BASE_NETWORK}" (Base) and "${SOLANA_NETWORK}" (Solana)`],
  recipients: [(value) => value === undefined || Array.isArray(value), "must be a list of addresses"],
  maxTimeoutSeconds: [(value) => Number.isFinite(value), "must be a number of seconds, such as 120"]
}

const isLimit = (name: string): name is keyof SpendingPolicy => Object.hasOwn(FORMS, name)

/**
 * The limits a caller gives, the others at their defaults. Throws an `InvalidRequest` for a limit that would not hold:
 * of the wrong type, or by a name that does not exist.
 */
export const policyOf = (given: Partial<SpendingPolicy> = {}): SpendingPolicy => {
  const policy: SpendingPolicy = { ...defaultPolicy, ...given }
  for (const name of Object.keys(policy)) {
    if (!isLimit(name))
      throw new InvalidRequest(`policy has no ${name}: it has ${Object.keys(FORMS).join(", ")}`)
    const [isRight, form] = FORMS[name]
    if (!isRight(policy[name])) throw new InvalidRequest(`policy.${name} ${form}`)
  }
  return policy
}

/** Addresses on Base are the same in every letter case; on Solana they are not. */
const samePayee = (network: Network, a: string, b: string): boolean =>
  network === BASE_NETWORK ? a.toLowerCase() === b.toLowerCase() : a === b

const refusalOf = (
  option: PaymentRequirements,
  policy: SpendingPolicy,
  left: bigint,
  payable: ReadonlyArray<Network>
): string | undefined => {
  const amount = BigInt(option.amount)
  const { network, payTo } = option
  if (!policy.networks.includes(network)) return `${network} is not an allowed network`
  if (!payable.includes(network)) return `no wallet for ${network}`
  if (option.asset !== USDC[network]) return `${option.asset} is not USDC`
  if (amount > policy.maxPerCall) return `${formatUsd(amount)} USD is above the cap per call`
  if (amount > left) return `${formatUsd(amount)} USD is more than the budget has left`
  if (policy.recipients !== undefined && !policy.recipients.some((one) => samePayee(network, one, payTo)))
    return `unknown recipient ${payTo}`
  if (option.maxTimeoutSeconds > policy.maxTimeoutSeconds)
    return `valid for ${option.maxTimeoutSeconds} seconds`
  return undefined
}

/**
 * The option to pay: the first the policy allows, in the policy's order of networks. `left` is what the budget has
 * left, `payable` the networks the wallet can sign for. Throws a `PolicyRefusal` when none is allowed.
 */
export const choose = (
  challenge: PaymentRequired,
  policy: SpendingPolicy,
  left: bigint,
  payable: ReadonlyArray<Network>
): PaymentRequirements => {
  const refusals = challenge.accepts.map((option) => refusalOf(option, policy, left, payable))
  const allowed = challenge.accepts.filter((_, at) => refusals[at] === undefined)
  const rank = ({ network }: PaymentRequirements) => policy.networks.indexOf(network)
  const [chosen] = allowed.toSorted((a, b) => rank(a) - rank(b))
  if (chosen !== undefined) return chosen
  const reasons = refusals.filter((reason) => reason !== undefined)
  throw new PolicyRefusal(reasons.length === 0 ? ["the service offers no way to pay known here"] : reasons)
}
