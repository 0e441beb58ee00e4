import type { Address, Hex } from "viem"
import { BASE_CHAIN_ID } from "../../../domain/chain-constants.ts"
import { bytesOfHex, decode } from "../../../bytecode/evm/code.ts"
import { readContract } from "../../../bytecode/contract.ts"
import { type Sliced, withoutPause } from "../../../bytecode/evm/slices.ts"
import type { Other, Others } from "../../../bytecode/exact/asking.ts"
import type { Since } from "../../../bytecode/exact/moments.ts"
import type { Budget } from "../../../bytecode/evm/explore.ts"
import { readExactly } from "../../../bytecode/exact/functions.ts"
import { NOTHING_STORED } from "../../../bytecode/exact/bits.ts"
import type { CodeFindings, CodeProof, Finding } from "./findings.ts"
import { withPowersShown } from "./proof/powers.ts"
import { nothingProven, prove } from "./proof/prove.ts"
import { decidesDates } from "./proof/dates.ts"
import { decidesCaller } from "./proof/possible.ts"
import { type SlotValue, partsOf } from "./proof/slot-value.ts"
import { asideFunctions } from "./rules/aside.ts"
import { type RuleFindings, applyRules } from "./rules/apply.ts"
import { setUpFunctions, setUpSlots, whereSetUpIsRead } from "./rules/set-up.ts"

/** What one analysis may cost. */
export interface AnalysisBudget {
  /** Executed instructions, all functions together. */
  readonly steps: number
  /** Wall clock. */
  readonly milliseconds: number
}

/** Sized from the development data: the median contract needs under 20,000 steps. */
export const DEFAULT_BUDGET: AnalysisBudget = { steps: 800_000, milliseconds: 3_000 }

export interface AnalysisOptions extends Around {
  readonly budget?: AnalysisBudget
  /** Words of the slots that the findings name, at the pinned block: what they settle is taken into account. */
  readonly state?: ReadonlyArray<SlotValue>
}

/** What else is known of the chain at the pinned block. */
export interface Around {
  /** Code at the accounts that the findings say are asked. */
  readonly others?: ReadonlyArray<CodeAt>
  /** Dates before it have passed. */
  readonly since?: Since
}

/** Runtime code at an address. */
export interface CodeAt {
  readonly address: Address
  readonly code: Hex
}

const undecided = (why: string): Finding => ({ state: "undecided", why })

/** All rules undecided for one reason. */
export const undecidedFindings = (why: string): CodeFindings => ({
  hiddenMint: undecided(why),
  limitingSell: undecided(why),
  leakingToken: undecided(why),
  balanceSeizure: undecided(why),
  blacklist: undecided(why),
  pause: undecided(why),
  unboundedFee: undecided(why),
  hiddenOwner: undecided(why),
  replaceableCode: undecided(why),
  environmentGate: undecided(why),
  proof: nothingProven(why),
  gateSlots: [],
  isToken: true,
  steps: 0
})

/** A clock in milliseconds; sliced work counts only the time it runs itself. */
export type Clock = () => number

const STANDING_STILL: Clock = () => 0

/** Functions through which the rules found a power. */
const powersOf = ({ gateSlots: _gates, isToken: _isToken, ...rules }: RuleFindings): ReadonlySet<string> =>
  new Set(Object.values(rules).flatMap((rule) => (rule.state === "found" ? rule.selectors : [])))

/** A contract that anybody could set up anew is told by whether it was set up: those slots are read, too. */
const withSetUp = (proof: CodeProof, slots: ReadonlyArray<bigint>): CodeProof => ({
  ...proof,
  settledBy: [
    ...new Set([...proof.settledBy, ...slots.map((slot) => `0x${slot.toString(16).padStart(64, "0")}`)])
  ]
})

/** The analysis in slices of a few milliseconds. */
export function* analyseInSlices(
  code: Hex,
  budget: AnalysisBudget,
  now: Clock,
  state: ReadonlyArray<SlotValue> = [],
  { others = [], since }: Around = {}
): Sliced<CodeFindings> {
  if (code.length <= 2) return undecidedFindings("no code")
  const program = decode(bytesOfHex(code))
  const left = { steps: budget.steps, deadline: now() + budget.milliseconds, now }
  const contract = yield* readContract(program, left)
  const words = new Map(partsOf(state).words.map(({ slot, value }) => [BigInt(slot), value]))
  const rules = applyRules(contract, words)
  yield
  const dates = since === undefined ? undefined : decidesDates(since)
  const exact = yield* readExactly(
    program,
    left,
    (expr) => decidesCaller(expr) ?? dates?.(expr),
    BigInt(BASE_CHAIN_ID),
    yield* readOthers(others, left)
  )
  const { proof, settled } = rules.isToken
    ? yield* prove(exact, left, powersOf(rules), state, since)
    : {
        proof: nothingProven("the code is a token: it has no function to transfer"),
        settled: NOTHING_STORED
      }
  // Every path that can be taken conserves balances: none runs code from elsewhere.
  const delegates = contract.delegates && proof.conservation.holes.length > 0
  const shown = withPowersShown(
    settled.words.size === 0 && delegates === contract.delegates
      ? rules
      : applyRules({ ...contract, delegates }, words, settled),
    proof,
    asideFunctions(contract),
    setUpFunctions(contract, words)
  )
  return {
    ...shown,
    hiddenMint: whereSetUpIsRead(shown.hiddenMint, contract, proof, words),
    proof: withSetUp(proof, setUpSlots(contract)),
    steps: budget.steps - Math.max(0, left.steps)
  }
}

/** A signer's account with code of its own may have other code tomorrow. Source: EIP-7702. */
const DELEGATED = "0xef0100"

/** The code of contracts, which no more can change: since EIP-6780 none is destroyed after the transaction that made it. */
function* readOthers(others: ReadonlyArray<CodeAt>, budget: Budget): Sliced<Others> {
  const read = new Map<bigint, Other>()
  for (const { address, code } of others) {
    if (code.length <= 2 || code.startsWith(DELEGATED)) continue
    const program = decode(bytesOfHex(code))
    const contract = yield* readExactly(program, budget)
    const known = new Map<string, boolean>()
    const answersAlone = (selector: string): boolean => {
      const alone = known.get(selector) ?? contract.answersAlone(selector)
      known.set(selector, alone)
      return alone
    }
    read.set(BigInt(address), { program, answersAlone })
  }
  return read
}

/**
 * What a privileged caller can do to holders, read from runtime code by bounded symbolic execution of every function.
 * Synchronous; a rule that the budget did not suffice for is undecided, never "not-found".
 * Bounded by steps alone: the same code comes to the same findings on every machine.
 */
export const analyseCode = (
  code: Hex,
  { budget = DEFAULT_BUDGET, state = [], ...around }: AnalysisOptions = {}
): CodeFindings => withoutPause(analyseInSlices(code, budget, STANDING_STILL, state, around))
