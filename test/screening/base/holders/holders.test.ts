import { describe, expect, it } from "@effect/vitest"
import { missing } from "../../../../src/domain/fact.ts"
import { hadMoneyBefore } from "../../../../src/screening/base/holders/age.ts"
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

  it("takes a token for young whose pools are not shown to have held money all the while", () => {
    const old = { ...clean, age: MONTH * 3n, holders: hidden }
    expect(judge({ ...old, hadMoney: false })).toMatchObject({ verdict: "caution", safe: null })
    expect(judge({ ...old, hadMoney: true }).verdict).toBe("allow")
  })

  it("compares the pools' money by pool: what was not there then held nothing", () => {
    const ether = 10n ** 18n
    const grown = { quoteUsd: 30_000, now: 10n * ether, before: ether / 100n }
    expect(hadMoneyBefore([grown])).toBe(false)
    expect(hadMoneyBefore([{ ...grown, before: 0n }])).toBe(false)
    expect(hadMoneyBefore([{ ...grown, before: 4n * ether }])).toBe(false)
    expect(hadMoneyBefore([{ ...grown, before: 5n * ether }])).toBe(true)
    expect(hadMoneyBefore([grown, { quoteUsd: 9_000, now: 3n * ether, before: 3n * ether }])).toBe(false)
    expect(hadMoneyBefore([grown, { quoteUsd: 33_000, now: 11n * ether, before: 11n * ether }])).toBe(true)
    expect(hadMoneyBefore([])).toBe(false)
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
