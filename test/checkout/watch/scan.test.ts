import { expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Scan } from "../../../src/checkout/watch/scan.ts"
import { advance, FRESH } from "../../../src/checkout/watch/scan.ts"

const PAGE = 3

/** Reads one page of a history (oldest first) as a node lists it. `broken`: what it does not give this time. */
const look = (history: ReadonlyArray<string>, scan: Scan, broken: string | null, read: Set<string>) => {
  const from = history.findIndex((id) => id === scan.cursor) + 1
  const to = scan.before === null ? history.length : history.indexOf(scan.before)
  const listed = history.slice(from, to)
  const page = listed.slice(-PAGE)
  for (const id of page) if (id !== broken) read.add(id)
  return advance(scan, {
    newest: page.at(-1) ?? null,
    oldest: page[0] ?? null,
    isLast: listed.length <= PAGE,
    isDone: broken === null || !page.includes(broken)
  })
}

/** What happens between two looks: so many new transactions, and perhaps one the node does not give. */
const steps = fc.array(fc.record({ arrive: fc.integer({ min: 0, max: 9 }), breaks: fc.option(fc.nat()) }), {
  maxLength: 30
})

it.prop("an account's scan never says complete while anything is unread, and ends", [steps], ([rounds]) => {
  const history: Array<string> = []
  const read = new Set<string>()
  let scan = FRESH
  for (const { arrive, breaks } of rounds) {
    for (let i = 0; i < arrive; i++) history.push(`t${history.length}`)
    const broken = breaks === null ? null : (history[breaks % Math.max(1, history.length)] ?? null)
    const after = look(history, scan, broken, read)
    scan = after.scan
    if (after.isComplete) expect(history.filter((id) => !read.has(id))).toEqual([])
    const upTo = history.findIndex((id) => id === scan.cursor) + 1
    expect(history.slice(0, upTo).filter((id) => !read.has(id))).toEqual([])
  }
  // The node gives everything again, and nothing more arrives. A pass with a gap is made a second time.
  let looks = 0
  for (let isComplete = false; !isComplete; looks++) {
    const after = look(history, scan, null, read)
    scan = after.scan
    isComplete = after.isComplete
  }
  expect(scan).toEqual({ ...FRESH, cursor: history.at(-1) ?? null })
  expect(looks).toBeLessThanOrEqual(2 * Math.ceil(history.length / PAGE) + 2)
})
