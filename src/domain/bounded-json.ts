/** What a JSON text may hold at most, so that parsing it cannot stop the process. */
export interface JsonBounds {
  /** Arrays and objects inside one another. */
  readonly depth: number
  /** Arrays, objects and members, all together: parsing costs by these, hardly by the length of texts. */
  readonly values: number
}

/** Far above every honest answer we read; parsing this much takes some 30 ms. */
export const UPSTREAM_JSON: JsonBounds = { depth: 64, values: 200_000 }

const [QUOTE, COMMA, OPEN_BRACKET, CLOSE_BRACKET, BACKSLASH, OPEN_BRACE, CLOSE_BRACE] = [
  34, 44, 91, 93, 92, 123, 125
] as const

/** The index of the quote that ends the text which starts after `from`; the text's length where none does. */
const endOfText = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return json.length
}

/**
 * Whether a JSON text stays within bounds, found without parsing it. Says nothing about its being well-formed: what is
 * not JSON fails in `JSON.parse` as ever.
 */
export const isWithinBounds = (json: string, bounds: JsonBounds): boolean => {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(json, at + 1)
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1
        values += 1
        if (depth > bounds.depth || values > bounds.values) return false
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1
        break
      case COMMA:
        values += 1
        if (values > bounds.values) return false
        break
      default:
    }
  }
  return true
}

/** `JSON.parse` of a text from outside. Throws on what is not JSON and on what is out of bounds. */
export const parseBounded = (json: string, bounds: JsonBounds = UPSTREAM_JSON): unknown => {
  if (!isWithinBounds(json, bounds)) throw new SyntaxError("JSON is too deep or holds too much")
  return JSON.parse(json)
}
