import type { Arena, Expr } from "../evm/expression.ts"

/** A key of a table with the words in it that differ from entry to entry. */
export interface Template {
  readonly key: Expr
  readonly holes: ReadonlyArray<Expr>
}

const bind = (
  arena: Arena,
  template: Expr,
  key: Expr,
  holes: ReadonlySet<Expr>,
  bound: Map<Expr, Expr>
): boolean => {
  if (holes.has(template)) {
    const known = bound.get(template)
    if (known !== undefined) return known === key
    bound.set(template, key)
    return true
  }
  if (template === key && template.args.length === 0) return true
  if (key.op === "const") return bindConstant(arena, template, key, holes, bound)
  if (template.op !== key.op || template.value !== key.value || template.args.length !== key.args.length)
    return false
  return template.args.every((word, i) => {
    const other = key.args[i]
    return other !== undefined && bind(arena, word, other, holes, bound)
  })
}

/** `(hole << n) | seed` where the hole is a constant and the word was worked out. */
const bindConstant = (
  arena: Arena,
  template: Expr,
  key: Expr,
  holes: ReadonlySet<Expr>,
  bound: Map<Expr, Expr>
): boolean => {
  const [a, b] = template.args
  if (a === undefined || b === undefined || a.op !== "const") return false
  if (template.op === "or")
    return (
      (key.value & a.value) === a.value && bind(arena, b, arena.constant(key.value ^ a.value), holes, bound)
    )
  if (template.op !== "shl") return false
  const shifted = key.value >> a.value
  return shifted << a.value === key.value && bind(arena, b, arena.constant(shifted), holes, bound)
}

/** What stands in the template's holes where the key is an entry of its table. */
export const entryOf = (
  arena: Arena,
  { key: template, holes }: Template,
  key: Expr
): ReadonlyArray<Expr> | undefined => {
  const bound = new Map<Expr, Expr>()
  if (!bind(arena, template, key, new Set(holes), bound)) return undefined
  const words = holes.map((hole) => bound.get(hole))
  return words.every((word) => word !== undefined) ? words : undefined
}
