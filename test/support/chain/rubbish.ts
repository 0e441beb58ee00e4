/** What a node may answer instead of what was asked for: of the wrong type, cut short, too deep, too large. */
import fc from "fast-check"

export const RUBBISH: ReadonlyArray<unknown> = [
  null,
  "",
  "0x",
  "0x0",
  "0x1234",
  "0xzz",
  `0x${"f".repeat(1_000)}`,
  "yes",
  true,
  false,
  -1,
  1.5,
  7e300,
  [],
  [[]],
  [null],
  [{}],
  [[[["0x"]]]],
  {},
  { data: "0x" },
  { result: null }
]

type Path = ReadonlyArray<string | number>

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** Every place in an answer, itself included. Of long lists the first few items stand for all. */
const pathsIn = (json: unknown): ReadonlyArray<Path> => {
  const inside = Array.isArray(json)
    ? json.slice(0, 8).flatMap((item, at) => pathsIn(item).map((path) => [at, ...path]))
    : isRecord(json)
      ? Object.entries(json).flatMap(([key, item]) => pathsIn(item).map((path) => [key, ...path]))
      : []
  return [[], ...inside]
}

const replacedAt = (json: unknown, [first, ...rest]: Path, change: (old: unknown) => unknown): unknown => {
  if (first === undefined) return change(json)
  if (Array.isArray(json)) {
    return json.map((item: unknown, at) => (at === first ? replacedAt(item, rest, change) : item))
  }
  return isRecord(json)
    ? Object.fromEntries(
        Object.entries(json).map(([key, item]) => [
          key,
          key === first ? replacedAt(item, rest, change) : item
        ])
      )
    : json
}

/** One way to spoil an answer. */
export interface Spoiling {
  /** Which of the answer's places; taken modulo their number. */
  readonly place: number
  /**
   * What stands there instead. `cut`: the text there without its second half; `gone`: nothing. And lies of the right form:
   * `short`: the list there without its first item; `word`: the text there with one of its 32-byte words as large as can be.
   */
  readonly by:
    | { readonly kind: "value"; readonly value: unknown }
    | { readonly kind: "cut" | "gone" | "short" }
    | { readonly kind: "word"; readonly at: number }
}

const CHANGES = {
  cut: (old: unknown): unknown => (typeof old === "string" ? old.slice(0, Math.floor(old.length / 2)) : null),
  gone: (): unknown => undefined,
  short: (old: unknown): unknown => (Array.isArray(old) ? old.slice(1) : null)
}

const WORD = 64
const withHugeWord =
  (at: number) =>
  (old: unknown): unknown => {
    if (typeof old !== "string" || !/^0x[0-9a-f]{64,}$/.test(old)) return old
    const start = 2 + WORD * (at % Math.floor((old.length - 2) / WORD))
    return `${old.slice(0, start)}${"f".repeat(WORD)}${old.slice(start + WORD)}`
  }

/** The answer with one place of it spoiled. */
export const spoiled = (answer: unknown, { by, place }: Spoiling): unknown => {
  const paths = pathsIn(answer)
  const path = paths[place % paths.length] ?? []
  if (by.kind === "value") return replacedAt(answer, path, () => by.value)
  if (by.kind === "word") return replacedAt(answer, path, withHugeWord(by.at))
  return replacedAt(answer, path, CHANGES[by.kind])
}

const by: fc.Arbitrary<Spoiling["by"]> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...RUBBISH).map((value) => ({ kind: "value", value }) as const) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: "cut" } as const, { kind: "gone" } as const) }
)

/** The answer as a whole, which then says nothing. */
export const whollySpoiled: fc.Arbitrary<Spoiling> = fc.record({ place: fc.constant(0), by })

/** Some place in it, which may be one that nobody reads, or where nothing is an answer too. */
export const partlySpoiled: fc.Arbitrary<Spoiling> = fc.record({
  place: fc.nat(10_000),
  by: fc.oneof(
    by,
    fc.constant({ kind: "short" } as const),
    fc.nat(500).map((at) => ({ kind: "word", at }) as const)
  )
})

/** The answer as a whole or some place in it, by nothing that could be the truth. */
export const spoiling: fc.Arbitrary<Spoiling> = fc.oneof(
  whollySpoiled,
  fc.record({ place: fc.nat(10_000), by })
)
