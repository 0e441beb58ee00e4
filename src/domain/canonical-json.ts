/** Deeper nesting than any report's; keeps hostile input from exhausting the stack. */
const MAX_DEPTH = 64

const LONE_SURROGATE = /\p{Surrogate}/u

const text = (value: string): string => {
  if (LONE_SURROGATE.test(value)) throw new TypeError("lone surrogate")
  return JSON.stringify(value)
}

const serialize = (value: unknown, depth: number): string => {
  if (depth > MAX_DEPTH) throw new RangeError("nested too deeply")
  if (value === null || typeof value === "boolean") return String(value)
  if (typeof value === "string") return text(value)
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("not a finite number")
    // ECMAScript's own number text is what RFC 8785 3.2.2.3 prescribes; -0 becomes 0.
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item: unknown) => serialize(item, depth + 1)).join(",")}]`
  if (typeof value !== "object") throw new TypeError(`no JSON: ${typeof value}`)
  // Default sort order is by UTF-16 code units, as RFC 8785 3.2.3 prescribes.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${text(key)}:${serialize(member, depth + 1)}`).join(",")}}`
}

/**
 * RFC 8785 (JCS) text of a JSON value; `undefined` for what has none: non-finite numbers, lone surrogates, values that
 * are not JSON, nesting beyond 64. Members that are `undefined` are left out, as `JSON.stringify` does, so an object
 * and its parsed wire form give the same text.
 */
export const canonicalJson = (value: unknown): string | undefined => {
  try {
    return serialize(value, 0)
  } catch {
    return undefined
  }
}
