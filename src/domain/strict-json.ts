/** Levels of nesting a payment or a report may have; real ones stay below ten. */
const MAX_DEPTH = 24

type Frame = { readonly keys: Set<string> | undefined; expectKey: boolean }

const isEscaped = (text: string, at: number): boolean => {
  let slashes = 0
  while (text[at - 1 - slashes] === "\\") slashes += 1
  return slashes % 2 === 1
}

/** Where the string ends that begins here, in a text that is JSON. */
const endOfString = (text: string, from: number): number => {
  let end = text.indexOf('"', from + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** What a string of JSON says, between its quotes. */
const keyOf = (inner: string): string => (inner.includes("\\") ? String(JSON.parse(`"${inner}"`)) : inner)

/**
 * Walks a text that `JSON.parse` accepted and tells whether an object names a key twice or nests too deep. Two parsers
 * may disagree about such a text (JavaScript takes the last value, others the first), and one of them moves money.
 * `__proto__` is refused with them: copying it would set a prototype.
 */
const isAmbiguous = (text: string): boolean => {
  const stack: Array<Frame> = []
  for (let at = 0; at < text.length; at++) {
    const top = stack.at(-1)
    switch (text[at]) {
      case "{":
      case "[":
        if (stack.length >= MAX_DEPTH) return true
        stack.push({ keys: text[at] === "{" ? new Set() : undefined, expectKey: text[at] === "{" })
        break
      case "}":
      case "]":
        stack.pop()
        break
      case ",":
        if (top?.keys !== undefined) top.expectKey = true
        break
      case '"': {
        const end = endOfString(text, at)
        if (top?.keys !== undefined && top.expectKey) {
          const key = keyOf(text.slice(at + 1, end))
          if (key === "__proto__" || top.keys.has(key)) return true
          top.keys.add(key)
          top.expectKey = false
        }
        at = end
      }
    }
  }
  return false
}

/** The value of an unambiguous JSON text; `undefined` for every other text. */
export const parseStrictJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isAmbiguous(text) ? undefined : value
  } catch {
    return undefined
  }
}

/** Levels of nesting any request body may have: a payment, inside the messages that carry one. */
const MAX_BODY_DEPTH = 48

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Whether a text nests brackets deeper than any request does. Works on texts that are no JSON as well, and without
 * recursion, so that it can stand before every parser.
 */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > MAX_BODY_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return false
}
