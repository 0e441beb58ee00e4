import type { Expr } from "./evm/expression.ts"
import type { Exploration } from "./evm/explore.ts"
import type { Node, Outcome } from "./evm/path.ts"

/**
 * A condition a transfer depends on: on one side the transfer can fail where on the other it cannot. `failsWhen` is
 * the side that fails outright; undefined where the condition only decides whether another one is asked.
 */
export interface Gate {
  readonly expr: Expr
  readonly failsWhen: boolean | undefined
  /** Conditions asked only on one side of this one. */
  readonly decides: ReadonlyArray<Expr>
  readonly onHoldDecides: ReadonlyArray<Expr>
}

interface Reach {
  moves: boolean
  /** The exploration stopped somewhere below: nothing can be said about a failure. */
  astray: boolean
  gates: Set<Expr>
}

const children = (node: Node): ReadonlyArray<Node> => {
  const list: Array<Node> = []
  if (node.onHold !== undefined) list.push(node.onHold)
  if (node.onFail !== undefined) list.push(node.onFail)
  return list
}

const postorder = (root: Node): ReadonlyArray<Node> => {
  const order: Array<Node> = []
  const seen = new Set<Node>([root])
  const stack: Array<{ readonly node: Node; readonly left: Array<Node> }> = [
    { node: root, left: [...children(root)] }
  ]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = top.left.pop()
    if (child === undefined) {
      order.push(top.node)
      stack.pop()
    } else if (!seen.has(child)) {
      seen.add(child)
      stack.push({ node: child, left: [...children(child)] })
    }
  }
  return order
}

const MAX_ROUNDS = 4

/** The conditions on which a function's doing its work (`moves`) depends. */
export const gatesOf = (
  exploration: Exploration,
  moves: (outcome: Outcome) => boolean
): ReadonlyArray<Gate> => {
  const order = postorder(exploration.root)
  const reach = new Map<Node, Reach>()
  for (const node of order)
    reach.set(node, {
      moves: node.outcome !== undefined && node.outcome.end === "success" && moves(node.outcome),
      astray: node.end === "budget" || node.end === "unresolved" || node.end === "cut",
      gates: new Set()
    })
  const isBlocked = (node: Node | undefined): boolean => {
    const own = node === undefined ? undefined : reach.get(node)
    return own !== undefined && !own.moves && !own.astray
  }
  for (let round = 0, changed = true; round < MAX_ROUNDS && changed; round++) {
    changed = false
    for (const node of order) {
      const own = reach.get(node)
      if (own === undefined) continue
      for (const child of children(node)) {
        const other = reach.get(child)
        if (other === undefined) continue
        if (other.moves && !own.moves) changed = own.moves = true
        if (other.astray && !own.astray) changed = own.astray = true
        for (const gate of other.gates)
          if (!own.gates.has(gate)) {
            own.gates.add(gate)
            changed = true
          }
      }
    }
    for (const node of order) {
      const own = reach.get(node)
      if (own === undefined || node.fork === undefined || !own.moves) continue
      if ((isBlocked(node.onHold) || isBlocked(node.onFail)) && !own.gates.has(node.fork.expr)) {
        own.gates.add(node.fork.expr)
        changed = true
      }
    }
  }
  return collect(order, reach, isBlocked)
}

const collect = (
  order: ReadonlyArray<Node>,
  reach: ReadonlyMap<Node, Reach>,
  isBlocked: (node: Node | undefined) => boolean
): ReadonlyArray<Gate> => {
  const gates: Array<Gate> = []
  for (const node of order) {
    if (node.fork === undefined || reach.get(node)?.moves !== true) continue
    const [hold, fail] = [isBlocked(node.onHold), isBlocked(node.onFail)]
    const { expr } = node.fork
    if (hold || fail) {
      gates.push({ expr, failsWhen: hold, decides: [], onHoldDecides: [] })
      continue
    }
    const a = node.onHold === undefined ? undefined : reach.get(node.onHold)?.gates
    const b = node.onFail === undefined ? undefined : reach.get(node.onFail)?.gates
    const onHoldDecides = [...(a ?? [])].filter((gate) => b?.has(gate) !== true)
    const decides = [...onHoldDecides, ...[...(b ?? [])].filter((gate) => a?.has(gate) !== true)]
    if (decides.length > 0) gates.push({ expr, failsWhen: undefined, decides, onHoldDecides })
  }
  return gates
}
