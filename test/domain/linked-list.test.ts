import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Line, type Place } from "../../src/domain/line.ts"

const valuesIn = (line: Line<number>): ReadonlyArray<number> => {
  const values: Array<number> = []
  for (let place = line.first(); place !== undefined; place = place.after) values.push(place.value)
  return values
}

describe("a line", () => {
  it("holds who has come and not left, in the order of coming, however they leave", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant("come" as const), fc.nat(20))), (moves) => {
        const line = new Line<number>()
        const places: Array<Place<number>> = []
        let expected: ReadonlyArray<number> = []
        for (const move of moves) {
          if (move === "come") {
            expected = [...expected, places.length]
            places.push(line.add(places.length))
          } else {
            const place = places[move % Math.max(1, places.length)]
            if (place === undefined) continue
            expect(line.leave(place)).toBe(expected.includes(place.value))
            expected = expected.filter((value) => value !== place.value)
          }
          expect(valuesIn(line)).toEqual(expected)
        }
      })
    )
  })

  it("keeps nobody at the place of one who has left", () => {
    const line = new Line<number>()
    const [, middle] = [line.add(1), line.add(2), line.add(3)]
    line.leave(middle)
    expect([middle.before, middle.after]).toEqual([undefined, undefined])
  })
})
