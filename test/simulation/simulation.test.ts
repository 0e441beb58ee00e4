import { describe, expect, it } from "@effect/vitest"
import { simulate } from "./simulate.ts"
import { useEmptyDatabase } from "./empty-database.ts"

const template = useEmptyDatabase()

/**
 * A few of the seeds that `npm run test:simulate` plays by the thousand; in the first a facilitator settles. Whatever a
 * reorganisation took for good is counted as lost by its own proof.
 */
describe("sales on chains that misbehave, by processes that die", () => {
  it.each([3, 6, 7])("lose nothing and pay nothing twice (seed %i)", { timeout: 60_000 }, async (seed) => {
    const report = await simulate(seed, template())
    expect(report.violations).toEqual([])
    expect(report.answered).toBe(report.transfers + report.lost)
  })

  it("are the same story each time a seed is played", { timeout: 60_000 }, async () => {
    expect(await simulate(6, template())).toEqual(await simulate(6, template()))
  })
})
