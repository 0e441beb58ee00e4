const rules = new Set<string>()

/**
 * Marks a text as our own words about an input. Only such texts are repeated to callers: what a schema says by itself
 * quotes the input, which is the caller's and may be anything.
 */
export const rule = (text: string): string => {
  rules.add(text)
  return text
}

export const isRule = (text: string): boolean => rules.has(text)
