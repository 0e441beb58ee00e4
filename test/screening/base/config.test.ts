import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { LP_LOCKERS } from "../../../src/screening/base/pools/registry/lockers.ts"
import { EXTRA_LOCKERS_FORM } from "../../../src/screening/extra-lockers.ts"
import { lockerList } from "../../../src/screening/base/pools/lp-lock.ts"
import { basePlanConfig } from "../../../src/screening/base/plan.ts"

const read = (value: string | undefined) =>
  basePlanConfig.pipe(
    Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map(value === undefined ? [] : [["EXTRA_LP_LOCKERS", value]]))
    )
  )
const LOCKER = "0x31155A56fcb85835177fa4c40a26ca09adf7482f"

describe("EXTRA_LP_LOCKERS", () => {
  it.effect("is empty when absent or empty", () =>
    Effect.gen(function* () {
      expect(yield* read(undefined)).toEqual({ extraLpLockers: [] })
      expect(yield* read("")).toEqual({ extraLpLockers: [] })
    })
  )

  it.effect("takes 0x addresses in any case and leaves base58 ones to Solana", () =>
    Effect.gen(function* () {
      const text = ` ${LOCKER} ,So11111111111111111111111111111111111111112`
      expect(yield* read(text)).toEqual({ extraLpLockers: [LOCKER.toLowerCase()] })
    })
  )

  it.effect("refuses what is no address at all by its own name and form, and repeats no value", () =>
    Effect.gen(function* () {
      const told = String(yield* Effect.flip(read("0x1234")))
      expect(told).toContain(`EXTRA_LP_LOCKERS: "${EXTRA_LOCKERS_FORM}"`)
      expect(told).not.toContain("0x1234")
    })
  )

  it("vouching for a built-in locker lets it count without its dates", () => {
    const known = LP_LOCKERS[0]?.address ?? "0x00"
    expect(lockerList([known]).filter(({ address }) => address === known)).toEqual([
      { address: known, kind: "vouched" }
    ])
  })
})
