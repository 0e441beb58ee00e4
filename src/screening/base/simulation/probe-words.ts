import type { AbiParameterToPrimitiveType, DecodeFunctionResultReturnType, Hex } from "viem"
import { toFunctionSelector } from "viem"
import { encodeWords, wordAt } from "../reads/query.ts"
import { abi } from "./probe.artifact.ts"

/** What the probe is asked and answers, by its ABI: structs of single words, in the order in which the ABI names them. */

const [run] = abi
const [{ components: planFields }] = run.inputs
const [, , { components: resultFields }] = run.outputs
const selector = toFunctionSelector(run)

/** One pool, size and sender; see `ProbeCalls.sol`. */
export type Plan = AbiParameterToPrimitiveType<(typeof run.inputs)[0]>[number]

/** What the probe measured for one plan; see `Probe.sol`. */
export type ProbeResult = DecodeFunctionResultReturnType<typeof abi, "run">[2][number]

/** Call data of `run(plans)`. */
export const encodePlans = (plans: ReadonlyArray<Plan>): Hex => {
  const words = plans.flatMap((plan) => planFields.map(({ name }) => plan[name]))
  return `${selector}${encodeWords(32, plans.length, ...words).slice(2)}`
}

export interface ProbeAnswer {
  /** Unix seconds of the block the probe saw. */
  readonly time: bigint
  readonly gasPrice: bigint
  readonly results: ReadonlyArray<ProbeResult>
}

type Measures = { [name in keyof ProbeResult]?: bigint | undefined }
const isWhole = (measures: Measures): measures is ProbeResult =>
  resultFields.every(({ name }) => measures[name] !== undefined)

const resultAt = (data: Hex, first: number): ProbeResult | null => {
  const measures: Measures = {}
  for (const [index, { name }] of resultFields.entries()) measures[name] = wordAt(data, first + index)
  return isWhole(measures) ? measures : null
}

/** Words before the list of results: the time, the price, where the list stands. */
const HEAD = 3
/** More than any call asks for. */
const MAX_RESULTS = 64n

/** Decodes the probe's answer; `null` when it is none, which is what a node without state overrides gives. */
export const decodeAnswer = (data: Hex): ProbeAnswer | null => {
  const [time, gasPrice, place, count] = [0, 1, 2, HEAD].map((index) => wordAt(data, index))
  if (time === undefined || gasPrice === undefined || count === undefined) return null
  if (place !== BigInt(HEAD * 32) || count > MAX_RESULTS) return null
  const results = Array.from({ length: Number(count) }, (_, index) =>
    resultAt(data, HEAD + 1 + index * resultFields.length)
  ).filter((result) => result !== null)
  return results.length === Number(count) ? { time, gasPrice, results } : null
}
