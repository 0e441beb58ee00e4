/**
 * How often a property is tried on made-up input. `npm test` tries each a few times, on the same input in every run;
 * `npm run test:properties` as often as finds what is rare, on new input, whose seed is told where it fails and taken
 * from `PROPERTIES_SEED`.
 */
const SEED = 20_261_124

const isLong = process.env["PROPERTIES"] === "long"
const asked = process.env["PROPERTIES_SEED"]

export interface Tries {
  readonly numRuns: number
  readonly seed?: number
}

/**
 * What fast-check is to be told.
 * @param many how often in the long suite
 * @param few how often in `npm test`: enough for it to fail where the code is broken
 */
export const tried = (many: number, few: number): Tries => {
  if (!isLong) return { numRuns: few, seed: SEED }
  return asked === undefined ? { numRuns: many } : { numRuns: many, seed: Number(asked) }
}
