import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import type { Leaf, Tree } from "../../../../bytecode/exact/tree.ts"
import { leavesOf } from "../../../../bytecode/exact/tree.ts"
import { SELECTOR, FALLBACK } from "../../../../bytecode/contract.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { type Guard, guardsOf } from "../../../../bytecode/guard.ts"
import { locationOf } from "../../../../bytecode/location.ts"
import { conservationReasons } from "./conservation.ts"
import type { CodeProof } from "../findings.ts"
import type { Order } from "./delivery.ts"
import { inOrder } from "./frame.ts"
import { type Hole, heldThrough, plainField } from "./hole.ts"
import { type Roles, argument, rolesOf } from "./roles.ts"
import { pathReasons } from "./transfer-path.ts"

const unknownHole = (selector: string, why: string): Hole => ({
  selector,
  kind: "unknown",
  privileged: false,
  why,
  shutBy: [],
  heldBy: []
})

/** No part is proven, for one reason. */
export const nothingProven = (why: string): CodeProof => ({
  transferPath: { holes: [unknownHole(SELECTOR.transfer, why)] },
  conservation: { holes: [unknownHole(SELECTOR.transfer, why)] },
  whole: true
})

const ordersOf = ({ arena, caller }: Roles): ReadonlyArray<readonly [string, Order]> => [
  [SELECTOR.transfer, { kind: "transfer", from: caller, to: argument(arena, 0), amount: argument(arena, 1) }],
  [
    SELECTOR.transferFrom,
    {
      kind: "transferFrom",
      from: argument(arena, 0),
      to: argument(arena, 1),
      amount: argument(arena, 2)
    }
  ],
  [SELECTOR.approve, { kind: "approve", from: caller, to: argument(arena, 0), amount: argument(arena, 1) }]
]

const VERB = {
  transfer: "a transfer",
  transferFrom: "a sale through a router",
  approve: "an approval"
} as const

const transferHoles = (roles: Roles, walked: ReadonlyMap<string, ReadonlyArray<Tree>>): ReadonlyArray<Hole> =>
  ordersOf(roles).flatMap(([selector, order]) => {
    const trees = walked.get(selector) ?? []
    if (trees.length === 0)
      return [unknownHole(selector, `${VERB[order.kind]} is possible: there is no such function`)]
    const reasons = new Set(trees.flatMap((tree) => [...pathReasons(roles, order, tree)]))
    return [...reasons].map((reason) =>
      unknownHole(selector, `${VERB[order.kind]} does not depend on ${reason}`)
    )
  })

const PLAIN_GUARDS: ReadonlySet<Guard["kind"]> = new Set(["stored", "constant", "role"])

/** Only some callers take this path. */
const isPrivileged = ({ ledger, allowances }: Roles, { state }: Leaf): boolean => {
  const amounts = new Set([ledger.key, allowances.key].map((key) => locationOf(key).base))
  return guardsOf(state.conditions, (base) => amounts.has(base)).some(({ kind }) => PLAIN_GUARDS.has(kind))
}

const leafHoles = (roles: Roles, selector: string, leaf: Leaf): Array<Hole> => {
  const reasons = conservationReasons(roles, leaf)
  if (reasons.length === 0) return []
  const through = heldThrough(leaf.state.conditions)
  const privileged = isPrivileged(roles, leaf)
  return reasons.map((reason) => ({ selector, privileged, ...reason, ...through }))
}

interface PlainWrite {
  readonly selector: string
  readonly leaf: Leaf
  readonly slot: bigint
  readonly value: Expr
}

/** Every write to a plain slot, on every path that does not fail. */
const plainWrites = (leaves: ReadonlyArray<readonly [string, Leaf]>): ReadonlyArray<PlainWrite> =>
  leaves.flatMap(([selector, leaf]) =>
    leaf.ending === "revert"
      ? []
      : inOrder(leaf.state.writes).flatMap(({ key, value, havoc }) =>
          havoc === true || key.op !== "const" ? [] : [{ selector, leaf, slot: key.value, value }]
        )
  )

/** Paths that give an account to a slot by which a hole is shut. */
const refillHoles = (
  holes: ReadonlyArray<Hole>,
  leaves: ReadonlyArray<readonly [string, Leaf]>
): ReadonlyArray<Hole> => {
  const writes = plainWrites(leaves)
  const refills = new Map<string, Hole>()
  const asked = new Set<string>()
  const open = [...holes]
  for (let hole = open.pop(); hole !== undefined; hole = open.pop())
    for (const { slot, mask } of hole.shutBy) {
      if (asked.has(slot + mask)) continue
      asked.add(slot + mask)
      for (const { selector, leaf, slot: written, value } of writes) {
        if (written !== BigInt(slot) || !fills(value, BigInt(mask))) continue
        const through = heldThrough(leaf.state.conditions)
        const refill: Hole = {
          selector,
          kind: "returns",
          privileged: true,
          why: "an account that was given up cannot come back to power",
          ...through
        }
        const key = `${selector} ${JSON.stringify(through)}`
        if (refills.has(key)) continue
        refills.set(key, refill)
        open.push(refill)
      }
    }
  return [...refills.values()]
}

/** The value has something other than zero in these bits. */
const fills = (value: Expr, mask: bigint): boolean => {
  if (value.op === "const") return (value.value & mask) !== 0n
  const [kept, old] = value.op === "and" ? value.args : []
  const clears = kept?.op === "const" && (kept.value & mask) === 0n
  return !(clears && old !== undefined && plainField(old) !== undefined)
}

const distinct = (holes: ReadonlyArray<Hole>): ReadonlyArray<Hole> => [
  ...new Map(holes.map((hole) => [JSON.stringify(hole), hole] as const)).values()
]

/** More slots are not read for one token. */
const MAX_SLOTS = 24

/** Where more would have to be read than is fit, nothing shuts the holes. */
const withinReach = (holes: ReadonlyArray<Hole>): ReadonlyArray<Hole> => {
  const slots = new Set(holes.flatMap(({ shutBy }) => shutBy.map(({ slot }) => slot)))
  return slots.size <= MAX_SLOTS
    ? holes
    : holes.slice(0, 1).map((hole) => ({ ...hole, shutBy: [], heldBy: [] }))
}

const FIRST: ReadonlyArray<string> = [SELECTOR.transfer, SELECTOR.transferFrom]

/**
 * Looks for every way in which a token might not be what it says: in the three ordinary functions whatever can stand in
 * the way, in all functions whatever could enlarge, take or tie up somebody's balance. No hole is a proof.
 */
export function* prove(contract: ExactContract, budget: Budget): Sliced<CodeProof> {
  const walked = new Map<string, ReadonlyArray<Tree>>()
  for (const selector of [SELECTOR.balanceOf, SELECTOR.approve])
    walked.set(selector, yield* contract.walk(selector))
  const roles = rolesOf(contract, walked.get(SELECTOR.balanceOf) ?? [], walked.get(SELECTOR.approve) ?? [])
  if (typeof roles === "string") return { ...nothingProven(roles), whole: budget.steps > 0 }
  for (const selector of FIRST) walked.set(selector, yield* contract.walk(selector))
  const transferPath = distinct(transferHoles(roles, walked))
  yield
  const holes: Array<Hole> = []
  const leaves: Array<readonly [string, Leaf]> = []
  walked.set(FALLBACK, [contract.fallback])
  for (const selector of [...walked.keys(), ...contract.selectors]) {
    if (leaves.some(([known]) => known === selector)) continue
    const trees = walked.get(selector) ?? (yield* contract.walk(selector))
    for (const leaf of trees.flatMap(leavesOf)) {
      leaves.push([selector, leaf])
      const found = leafHoles(roles, selector, leaf)
      if (budget.now() > budget.deadline) {
        budget.steps = 0
        found.push(unknownHole(selector, "all code is known: the time was used up"))
      }
      holes.push(...found)
    }
    yield
  }
  const conservation = distinct([...holes, ...refillHoles([...transferPath, ...holes], leaves)])
  return {
    transferPath: { holes: transferPath },
    conservation: { holes: withinReach(conservation) },
    whole: budget.steps > 0
  }
}
