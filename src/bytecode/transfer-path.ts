import { type Expr, FROM_CALL, FROM_STORAGE } from "./evm/expression.ts"
import type { Exploration } from "./evm/explore.ts"
import type { Node, Outcome } from "./evm/path.ts"
import { stripped } from "./guard.ts"

/**
 * A condition a transfer depends on: on one side of it the transfer can fail, on the other it cannot. `failsWhen` is
 * the side that fails outright; undefined where the condition only decides whether another one is asked.
 */
export interface Gate {
  readonly expr: Expr
  readonly failsWhen: boolean | undefined
  /** Conditions asked only on one side of this one. */
  readonly decides: ReadonlyArray<Expr>
  readonly onHoldDecides: ReadonlyArray<Expr>
  /** The side on which only the privileged get through, while on the other everybody does. */
  readonly shuts: boolean | undefined
}

/** The conditions of a function, and what follows from all of them together. */
export interface Gates {
  readonly gates: ReadonlyArray<Gate>
  /**
   * Whoever gets through depends on what a contract named in storage answers, or whether it answers at all; or one that the
   * code names and that is told who trades.
   */
  readonly asksStranger: boolean
  /** Nobody but the privileged gets through, as far as every path could be followed. */
  readonly isReserved: boolean
}

/** Whether taking this side of a condition is a privilege. */
export type Admits = (expr: Expr, holds: boolean) => boolean

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

/** The points from which some path does the work without taking a side that is closed. */
const openIn = (
  order: ReadonlyArray<Node>,
  works: (node: Node) => boolean,
  isClosed: (node: Node, side: boolean) => boolean
): ReadonlySet<Node> => {
  const open = new Set<Node>(order.filter(works))
  for (let round = 0, before = -1; round < MAX_ROUNDS && open.size !== before; round++) {
    before = open.size
    for (const node of order) {
      const [hold, fail] = [node.onHold, node.onFail]
      const onHold = hold !== undefined && open.has(hold) && !isClosed(node, true)
      const onFail = fail !== undefined && open.has(fail) && !isClosed(node, false)
      if (onHold || onFail) open.add(node)
    }
  }
  return open
}

/** Below it lie precompiled contracts, which compute and judge nobody. */
const LAST_PRECOMPILED = 0xffffn

type IsStranger = (call: ReadonlyArray<Expr>, parties: ReadonlySet<Expr>) => boolean

/** Another contract is called that is told who trades. */
const isJudge: IsStranger = ([target, ...given], parties) =>
  target !== undefined &&
  ((target.from & FROM_STORAGE) !== 0 || (target.op === "const" && target.value > LAST_PRECOMPILED)) &&
  given.some((word) => parties.has(stripped(word)))

/** One named in storage, or one that the code names and that is told who trades. */
const isStranger: IsStranger = (call, parties) =>
  ((call[0]?.from ?? 0) & FROM_STORAGE) !== 0 || isJudge(call, parties)

/** The expression speaks of what such a contract did when it was called. */
const speaksOf = (e: Expr, parties: ReadonlySet<Expr>, isOne: IsStranger): boolean => {
  if ((e.from & FROM_CALL) === 0) return false
  return e.op === "call" ? isOne(e.args, parties) : e.args.some((arg) => speaksOf(arg, parties, isOne))
}

/** The expression speaks of what another contract did that was told of one of the parties. */
export const isJudged = (e: Expr, parties: ReadonlySet<Expr>): boolean => speaksOf(e, parties, isJudge)

/**
 * The conditions that decide whether a function does its work (`moves`).
 * @param parties the accounts that take part
 */
export const gatesOf = (
  exploration: Exploration,
  moves: (outcome: Outcome) => boolean,
  admits: Admits,
  parties: ReadonlySet<Expr>
): Gates => {
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
  const works = (node: Node): boolean => node.outcome?.end === "success" && moves(node.outcome)
  const isPrivilege = ({ fork }: Node, side: boolean): boolean =>
    fork !== undefined && admits(fork.expr, side)
  const isStrangers = ({ fork, onHold, onFail }: Node): boolean =>
    fork !== undefined && (isBlocked(onHold) || isBlocked(onFail)) && speaksOf(fork.expr, parties, isStranger)
  const open = openIn(order, works, isPrivilege)
  const alone = openIn(order, works, (node, side) => isPrivilege(node, side) || isStrangers(node))
  const { root } = exploration
  return {
    gates: collect(order, reach, isBlocked, (node) => shutSide(node, reach, open, isPrivilege)),
    asksStranger: open.has(root) && !alone.has(root),
    isReserved: isShutAt(root, reach, open) && reach.get(root)?.moves === true
  }
}

/** No path from here does the work for somebody unprivileged, and none was lost sight of. */
const isShutAt = (node: Node, reach: ReadonlyMap<Node, Reach>, open: ReadonlySet<Node>): boolean =>
  !open.has(node) && reach.get(node)?.astray === false

const shutSide = (
  node: Node,
  reach: ReadonlyMap<Node, Reach>,
  open: ReadonlySet<Node>,
  isPrivilege: (node: Node, side: boolean) => boolean
): boolean | undefined => {
  const { onHold, onFail } = node
  if (onHold === undefined || onFail === undefined) return undefined
  if (isPrivilege(node, true) || isPrivilege(node, false)) return undefined
  if (isShutAt(onHold, reach, open) && open.has(onFail)) return true
  return isShutAt(onFail, reach, open) && open.has(onHold) ? false : undefined
}

const collect = (
  order: ReadonlyArray<Node>,
  reach: ReadonlyMap<Node, Reach>,
  isBlocked: (node: Node | undefined) => boolean,
  shutSideOf: (node: Node) => boolean | undefined
): ReadonlyArray<Gate> => {
  const gates: Array<Gate> = []
  for (const node of order) {
    if (node.fork === undefined || reach.get(node)?.moves !== true) continue
    const [hold, fail] = [isBlocked(node.onHold), isBlocked(node.onFail)]
    const { expr } = node.fork
    if (hold || fail) {
      gates.push({ expr, failsWhen: hold, decides: [], onHoldDecides: [], shuts: shutSideOf(node) })
      continue
    }
    const a = node.onHold === undefined ? undefined : reach.get(node.onHold)?.gates
    const b = node.onFail === undefined ? undefined : reach.get(node.onFail)?.gates
    const onHoldDecides = [...(a ?? [])].filter((gate) => b?.has(gate) !== true)
    const decides = [...onHoldDecides, ...[...(b ?? [])].filter((gate) => a?.has(gate) !== true)]
    if (decides.length > 0)
      gates.push({ expr, failsWhen: undefined, decides, onHoldDecides, shuts: shutSideOf(node) })
  }
  return gates
}
