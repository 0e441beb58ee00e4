import { isRecord } from "../../domain/json.ts"

/** One member of an answer, as the documentation lists it. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly meaning: string
}

type Members = Readonly<Record<string, unknown>>
const objectOr = (value: unknown): Members => (isRecord(value) ? value : {})

const textOr = (value: unknown, other: string): string => (typeof value === "string" ? value : other)

const typeOf = (schema: unknown): string => {
  const { $ref, anyOf, enum: allowed, items, type } = objectOr(schema)
  if (typeof $ref === "string") return $ref.split("/").at(-1) ?? ""
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(" or ")
  if (Array.isArray(allowed)) return allowed.map((one) => JSON.stringify(one)).join(", ")
  if (type === "array") return `list of ${typeOf(items)}`
  return typeof type === "string" ? type : "any"
}

/** Members of a named schema of the OpenAPI document, those of its named parts included. */
export const membersOf = (openapi: unknown, name: string, prefix = ""): ReadonlyArray<Member> => {
  const schemas = objectOr(objectOr(objectOr(openapi)["components"])["schemas"])
  return Object.entries(objectOr(objectOr(schemas[name])["properties"])).flatMap(([key, schema]) => {
    const { $ref, description, items } = objectOr(schema)
    const inner = typeof $ref === "string" ? $ref : objectOr(items)["$ref"]
    const part = typeof inner === "string" ? (inner.split("/").at(-1) ?? "") : ""
    const named = objectOr(schemas[part])
    const values = Array.isArray(named["enum"]) ? typeOf(named) : undefined
    const own: Member = {
      name: prefix + key,
      type: values ?? typeOf(schema),
      meaning: textOr(description, textOr(named["description"], ""))
    }
    return [own, ...(isRecord(named["properties"]) ? membersOf(openapi, part, `${prefix}${key}.`) : [])]
  })
}
