/** Functions that are found through a table in the code, as Vyper finds them. */
import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { beheaded, compiled, HEAD } from "../support/bytecode/artifacts.ts"

const ruse = compiled("Ruse.sol", "ruse.json")
const code = ruse.codeOf("optimized", "HonestCalls")
const { rest, end } = beheaded(code)

const hex = (n: number, bytes = 2): string => n.toString(16).padStart(2 * bytes, "0")

/** Instructions; a place by its name; a place pushed; a place as data. */
type Part = string | { readonly at: string } | { readonly push: string } | { readonly data: string }

const sizeOf = (part: Part): number =>
  typeof part === "string" ? part.length / 2 : "push" in part ? 3 : "data" in part ? 2 : 0

/** The parts behind the compiled code, which begins with a jump to the first of them. */
const assembled = (parts: ReadonlyArray<Part>): Hex => {
  const places = new Map<string, number>()
  let size = end
  for (const part of parts) {
    if (typeof part !== "string" && "at" in part) places.set(part.at, size)
    size += sizeOf(part)
  }
  const placeOf = (name: string): string => hex(places.get(name) ?? Number.parseInt(name, 16))
  const text = parts.map((part) => {
    if (typeof part === "string") return part
    return "push" in part ? `61${placeOf(part.push)}` : "data" in part ? placeOf(part.data) : ""
  })
  return `0x61${hex(end)}565b${rest}${text.join("")}`
}

interface Entry {
  readonly selector: number
  readonly at: string
}

/** The functions of the compiled code, as its own head finds them. */
const ENTRIES: ReadonlyArray<Entry> = [...code.matchAll(/63([0-9a-f]{8})1461([0-9a-f]{4})57/g)].map(
  ([, selector = "", at = ""]) => ({ selector: Number.parseInt(selector, 16), at })
)

/** Memory is set up, and the selector put on the stack. */
const START = `5b${HEAD.slice(2)}5f3560e01c`
const NOBODY: ReadonlyArray<Part> = [{ at: "nobody" }, "5b5f5ffd"]

const BUCKETS = 7

/**
 * A table of buckets, in which functions are asked for one after the other.
 * @param more code before the table, whose bytes may be instructions that swallow what stands behind them
 */
const sparse = (
  entries: ReadonlyArray<Entry>,
  first: (bucket: number) => string = () => "",
  more: ReadonlyArray<Part> = []
): ReadonlyArray<Part> => [
  `${START}600260${hex(BUCKETS, 1)}820660011b`,
  { push: "table" },
  "01601e395f5156",
  ...NOBODY,
  ...Array.from({ length: BUCKETS }, (_, bucket): ReadonlyArray<Part> => [
    { at: `bucket ${bucket}` },
    `5b${first(bucket)}`,
    ...entries
      .filter(({ selector }) => selector % BUCKETS === bucket)
      .flatMap(({ at, selector }): ReadonlyArray<Part> => [
        `63${hex(selector, 4)}8118`,
        { push: `not ${selector}` },
        "57",
        { push: at },
        "56",
        { at: `not ${selector}` },
        "5b"
      ]),
    { push: "nobody" },
    "56"
  ]).flat(),
  ...more,
  { at: "table" },
  ...Array.from({ length: BUCKETS }, (_, bucket) => ({ data: `bucket ${bucket}` }))
]

/** Ten functions have a row each by these. */
const [ROWS, MAGIC] = [10, 331]

/** A table of functions: the selector and the place of the only one that it can be. */
const dense = (entries: ReadonlyArray<Entry>, more: ReadonlyArray<Part> = []): ReadonlyArray<Part> => {
  const rowOf = (selector: number): number => Number((BigInt(selector) * BigInt(MAGIC)) >> 24n) % ROWS
  return [
    `${START}600660${hex(ROWS, 1)}8261${hex(MAGIC)}0260181c06600602`,
    { push: "table" },
    "01601a395f518060101c8214",
    { push: "found" },
    "57",
    ...NOBODY,
    { at: "found" },
    "5b61ffff1656",
    ...more,
    { at: "table" },
    ...Array.from({ length: ROWS }, (_, row): ReadonlyArray<Part> => {
      const entry = entries.find(({ selector }) => rowOf(selector) === row)
      return entry === undefined ? ["00".repeat(6)] : [hex(entry.selector, 4), { data: entry.at }]
    }).flat()
  ]
}

const holesIn = (parts: ReadonlyArray<Part>) => {
  const { conservation, transferPath } = analyseCode(assembled(parts)).proof
  return [...transferPath.holes, ...conservation.holes]
}

/** The caller's entry in slot 1 is written. */
const MINT = `335f5260016020527f${"00".repeat(15)}${"ff".repeat(17)}60405f2055`
/** All ends where slot 5 is not empty. */
const gate = (name: string): ReadonlyArray<Part> => [
  "60055415",
  { push: name },
  "575f5ffd",
  { at: name },
  "5b"
]

describe("functions found through a table", () => {
  it("are proven where the same functions are that are found otherwise", () => {
    expect(ENTRIES).toHaveLength(10)
    expect(holesIn(sparse(ENTRIES))).toEqual([])
    expect(holesIn(dense(ENTRIES))).toEqual([])
    const { hiddenOwner, environmentGate, replaceableCode } = analyseCode(assembled(dense(ENTRIES)))
    for (const { state } of [hiddenOwner, environmentGate, replaceableCode]) expect(state).toBe("not-found")
  })

  it.each([...new Set(ENTRIES.map(({ selector }) => selector % BUCKETS))])(
    "are not proven where bucket %d mints before it asks for any",
    (at) => {
      expect(holesIn(sparse(ENTRIES, (bucket) => (bucket === at ? MINT : "")))).not.toEqual([])
    }
  )

  it("are not proven where a bucket mints for a selector that nobody knows", () => {
    const entries = [...ENTRIES, { selector: 0xdeadbeef, at: "mint" }]
    expect(holesIn(sparse(entries, undefined, [{ at: "mint" }, `5b${MINT}00`]))).toMatchObject([
      { selector: "0xdeadbeef", kind: "creates" }
    ])
  })

  it("are not proven where the row of one leads elsewhere", () => {
    const moved = ENTRIES.map((entry) => (entry.selector === 0x42966c68 ? { ...entry, at: "mint" } : entry))
    expect(holesIn(dense(moved, [{ at: "mint" }, `5b${MINT}00`]))).toContainEqual(
      expect.objectContaining({ selector: "0x42966c68", kind: "creates" })
    )
  })

  it.each([0xa9059cbb, 0x23b872dd, 0x095ea7b3, 0x70a08231])(
    "are not proven where there is a switch before 0x%x",
    (guarded) => {
      const entry = ENTRIES.find(({ selector }) => selector === guarded)
      const moved = ENTRIES.map((one) => (one === entry ? { ...one, at: "gate" } : one))
      const parts: ReadonlyArray<Part> = [
        { at: "gate" },
        "5b",
        ...gate("on"),
        { push: entry?.at ?? "" },
        "56"
      ]
      expect(holesIn(sparse(moved, undefined, parts))).not.toEqual([])
      expect(holesIn(dense(moved, parts))).not.toEqual([])
    }
  )

  it("are not proven where what is looked up is not the selector's alone", () => {
    const byCaller = sparse(ENTRIES).map((part) =>
      typeof part === "string" ? part.replace("820660011b", "3383010660011b") : part
    )
    expect(holesIn(byCaller)).not.toEqual([])
  })

  it("are asked for with as many bytes as they take and no more by some compilers", () => {
    const strict = ENTRIES.map((one) => (one.selector === 0xa9059cbb ? { ...one, at: "strict" } : one))
    const asked = (bytes: number): ReadonlyArray<Part> => [
      { at: "strict" },
      `5b60${hex(bytes, 1)}3618`,
      { push: "nobody" },
      "57",
      { push: ENTRIES.find(({ selector }) => selector === 0xa9059cbb)?.at ?? "" },
      "56"
    ]
    expect(holesIn(sparse(strict, undefined, asked(68)))).toEqual([])
    expect(holesIn(sparse(strict, undefined, asked(100)))).not.toEqual([])
  })
})
