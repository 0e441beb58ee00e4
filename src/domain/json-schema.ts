import { isRecord, type Json } from "./json.ts"

/** Keywords whose value is a map from names to schemas: its keys are names, not keywords. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "schemas"
])

/** Names the generator gives its own built-in schemas and filters; ours are all in `identifier`. */
const isLeaked = (key: string, value: Json): boolean =>
  (key === "$id" && typeof value === "string" && value.startsWith("/schemas/")) ||
  (key === "title" && typeof value === "string" && /^[a-z][A-Za-z]*(?:\(.*\))?$/.test(value))

const clean = (value: Json, isMap: boolean): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => clean(item, false))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => isMap || !isLeaked(key, member))
      .map(([key, member]) => [key, clean(member, !isMap && MAPS.has(key))])
  )
}

/**
 * A generated JSON Schema, or a document that holds some, without the generator's own ids and titles: the same id in
 * two places makes strict validators refuse the document, and `between(0, 100)` is no title. Examples are data and must
 * not hold a member that looks like one of these keywords.
 */
export const withoutGeneratedNames = <A>(schema: A): A =>
  JSON.parse(JSON.stringify(clean(JSON.parse(JSON.stringify(schema)), false)))
