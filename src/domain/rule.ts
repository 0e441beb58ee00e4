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

/**
 * For requests about money: a member that is not known is refused. One that is misspelled would else be dropped without a
 * word, and what is done in its place be more than was meant.
 */
export const CLOSED = { parseOptions: { onExcessProperty: "error" } } as const
