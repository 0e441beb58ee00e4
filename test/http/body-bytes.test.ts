import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeBodyBytes } from "../../src/http/admission/body-bytes.ts"

describe("the bytes of a body", () => {
  it("are the text that was sent, however it was cut, and hold nothing of what they were read with", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (text, cuts) => {
          const sent = Buffer.from(text)
          const bytes = makeBodyBytes(sent.length)
          for (let at = 0; at < sent.length;) {
            const { value: length } = cuts.next()
            const chunk = Buffer.from(sent.subarray(at, at + length))
            bytes.add(chunk)
            chunk.fill(0)
            at += length
          }
          expect(bytes.text()).toBe(sent.toString("utf8"))
        }
      )
    )
  })

  it("are none once they are cleared", () => {
    const bytes = makeBodyBytes(10)
    bytes.add(Buffer.from("0123456789"))
    bytes.clear()
    expect(bytes.text()).toBe("")
    bytes.add(Buffer.from("ab"))
    expect(bytes.text()).toBe("ab")
  })
})
