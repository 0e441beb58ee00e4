import { readFile } from "node:fs/promises"
import { extname } from "node:path"

/** A file without it holds no such literal; a few words of comment may stand before the spread. */
const MAY_SPREAD_FIRST = /\{\s*(?:\.\.\.|\/[*/][^}]{0,200}\.\.\.)/

/** Where the entries of object literals begin that spread something first and hold more. */
const spreadsFirst = (ts, file, text) => {
  const found = []
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 1) {
      const [first] = node.properties
      if (ts.isSpreadAssignment(first)) found.push(first.getStart(source))
    }
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  visit(source)
  return found.toSorted((a, b) => a - b)
}

const withNull = (text, places) =>
  places.map((place, at) => `${text.slice(places[at - 1] ?? 0, place)}...null, `).join("") +
  text.slice(places.at(-1) ?? 0)

/**
 * Writes `{ ...a, b }` as `{ ...null, ...a, b }`, which is the same. The V8 of Node 20 (11.3) copies an object that a
 * literal begins with by a way of its own, and what is added then gives every object a hidden class of its own: it takes
 * 0.6 microseconds instead of 0.03, whoever reads it later finds nothing that it knows, and the classes stay until the
 * next full collection. The libraries write that too, for every deferred value of a sale, say.
 */
export const spreadsBehindNull = {
  name: "spreads-behind-null",
  setup: async ({ onLoad }) => {
    // Where nothing has to be built it need not be installed.
    const { default: ts } = await import("typescript")
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!MAY_SPREAD_FIRST.test(text)) return undefined
      const loader = extname(path).includes("t") ? "ts" : "js"
      return { contents: withNull(text, spreadsFirst(ts, path, text)), loader }
    })
  }
}
