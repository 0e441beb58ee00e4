/** Asks the proof of a contract, and attacks what it proves. */
import type { Hex } from "viem"
import { bytesOfHex, decode } from "../../../src/bytecode/evm/code.ts"
import { analyseCode } from "../../../src/screening/base/power/analyse.ts"
import type { CodeProof } from "../../../src/screening/base/power/findings.ts"
import type { SlotValue } from "../../../src/screening/base/power/proof/slot-value.ts"
import type { Dice } from "../../simulation/dice.ts"
import { type Counterexample, type Method, attack } from "./attack.ts"
import { Unsupported } from "./frame.ts"

/** Steps that suffice for honest tokens of this size. */
const BUDGET = { steps: 200_000, milliseconds: 3_000 }
const isProven = ({ conservation, transferPath }: CodeProof): boolean =>
  conservation.holes.length + transferPath.holes.length === 0

/** Words of the slots that could settle more: mostly nobody's. */
const wordsOf = (dice: Dice, { settledBy, tables }: CodeProof): ReadonlyArray<SlotValue> => [
  ...settledBy.map((slot): SlotValue => ({ slot, value: dice.hits(0.7) ? 0n : BigInt(dice.between(1, 3)) })),
  ...tables.map(({ slot, ...entries }): SlotValue => ({ slot, value: 0n, entries }))
]

/** What became of one contract. */
export interface Tried {
  /** Whatever stands in storage, or with the words that it was given. */
  readonly proven: "always" | "as stored" | "not"
  readonly broken?: Counterexample
}

/** Functions that the code names, of those whose arguments are known. */
export const methodsAmong = (code: Hex, all: ReadonlyArray<Method>): ReadonlyArray<Method> => {
  const numbers = new Set(decode(bytesOfHex(code)).at.map((found) => found?.push))
  return all.filter(({ selector }) => numbers.has(BigInt(selector)))
}

/** @param lives how often what is proven is attacked */
export const tryCode = (dice: Dice, code: Hex, all: ReadonlyArray<Method>, lives = 50): Tried => {
  let { proof } = analyseCode(code, { budget: BUDGET })
  const isAlways = isProven(proof)
  const state = isAlways ? [] : wordsOf(dice, proof)
  if (!isAlways && state.length > 0) ({ proof } = analyseCode(code, { budget: BUDGET, state }))
  const { ledger } = proof
  if (!isProven(proof) || ledger === null || ledger.balances === null) return { proven: "not" }
  const proven = isAlways ? "always" : "as stored"
  try {
    const broken = attack(
      { code, methods: methodsAmong(code, all), ledger, state },
      dice.between(1, 1 << 30),
      lives
    )
    return broken === undefined ? { proven } : { proven, broken }
  } catch (error) {
    if (error instanceof Unsupported) return { proven }
    throw error
  }
}
