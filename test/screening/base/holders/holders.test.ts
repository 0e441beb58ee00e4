import { describe, expect, it } from "@effect/vitest"
import { missing } from "../../../../src/domain/fact.ts"
import { clean, judge, pool } from "../../../support/base/fixtures.ts"

const supply = 10n ** 25n
const MONTH = 30n * 86_400n
const { holders } = clean
const hidden = { ...holders, complete: missing("the node gives no storage root") }

describe("who holds the rest", () => {
  it("lets a token pass whose whole storage is known and whose insiders hold little", () => {
    expect(judge({ ...clean, age: 3600n, holders })).toMatchObject({ verdict: "allow", safe: true })
  })

  it("never calls a young token safe while balances beyond the supply cannot be excluded", () => {
    for (const age of [null, 0n, MONTH - 1n]) {
      expect(judge({ ...clean, age, holders: hidden })).toMatchObject({ verdict: "caution", safe: null })
    }
    expect(judge({ ...clean, age: MONTH, holders: hidden }).verdict).toBe("allow")
  })

  it("avoids a token of which accounts hold more than its supply, at any age", () => {
    for (const age of [null, 3600n, 400n * 86_400n]) {
      expect(
        judge({ ...clean, age, holders: { ...hidden, found: supply * 2n, largest: supply + 1n } })
      ).toMatchObject({
        verdict: "avoid",
        safe: false
      })
    }
  })

  it("avoids a token that lets somebody take what nobody's accounts hold, at any age", () => {
    for (const age of [null, 3600n, 400n * 86_400n])
      expect(judge({ ...clean, age, holders: { ...holders, lent: true } })).toMatchObject({
        verdict: "avoid",
        safe: false
      })
  })

  it("does not allow a token whose largest holder or group could take most of the pool", () => {
    const reserve = pool().tokenReserve
    for (const rich of [
      { ...holders, largest: reserve * 4n },
      { ...holders, largest: 1n, insiders: reserve * 4n }
    ]) {
      expect(judge({ ...clean, holders: rich })).toMatchObject({ verdict: "caution", safe: false })
    }
    expect(judge({ ...clean, holders: { ...holders, largest: reserve / 8n } }).verdict).toBe("allow")
  })
})
