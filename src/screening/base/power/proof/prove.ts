import type { Address } from "viem"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { NOTHING_STORED, type Stored } from "../../../../bytecode/exact/bits.ts"
import type { Since } from "../../../../bytecode/exact/moments.ts"
import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import { type Leaf, type Tree, leavesOf } from "../../../../bytecode/exact/tree.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import { SELECTOR, selectorsOf } from "../../../../bytecode/selector.ts"
import { type Budget, isOver } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { fixedTargets } from "./asks.ts"
import { asksMoment } from "./dates.ts"
import { conservationReasons } from "./conservation.ts"
import type { CodeProof } from "../findings.ts"
import { trustsPermit2 } from "./consent.ts"
import { nobodysSlot } from "./fixed.ts"
import { followedIn, walkAssuming } from "./assumed.ts"
import { growthOf } from "./growth.ts"
import { holdersOn } from "./crossing.ts"
import { isPrivileged, keepsOwn, owesOthers } from "./own.ts"
import { type Hole, USED_UP, unknownHole } from "./hole.ts"
import { type Roles, rolesOf } from "./roles.ts"
import { settle } from "./settle.ts"
import { boundedRoles, supplyIn, walkedLeaves } from "./settled-roles.ts"
import { possibly, walkSettled } from "./settled-walk.ts"
import { type SlotValue, partsOf } from "./slot-value.ts"
import { ledgerForm } from "./stored-form.ts"
import { wantedBy } from "./wanted.ts"
import { saysNobodyHasRoles } from "./no-roles.ts"
import { type Walked, transferHoles } from "./transfer-holes.ts"
import { isKeptAs, shownVotes, votesOf } from "./votes/kept.ts"

/** No part is proven, for one reason. */
export const nothingProven = (why: string): CodeProof => ({
  transferPath: { holes: [unknownHole(SELECTOR.transfer, why)] },
  conservation: { holes: [unknownHole(SELECTOR.transfer, why)] },
  votes: null,
  domains: [],
  ledger: null,
  keepsOwn: false,
  owesNobody: false,
  asks: [],
  held: [],
  settledBy: [],
  tables: [],
  hasNoRoles: false,
  asksMoment: false,
  whole: true
})

const leafHoles = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  supply: Expr | undefined
): ReadonlyArray<Hole> => {
  const reasons = conservationReasons(roles, selector, leaf)
  if (reasons.length === 0) return []
  const accounts = holdersOn(roles, selector, leaf)
  const privileged = isPrivileged(roles, leaf)
  return reasons.map((reason) => {
    const growth = reason.kind === "creates" ? growthOf(roles, leaf, supply) : undefined
    return {
      selector,
      privileged,
      ...reason,
      heldBy: accounts,
      ...(growth === undefined ? {} : { growth })
    }
  })
}

const distinct = (holes: ReadonlyArray<Hole>): ReadonlyArray<Hole> => [
  ...new Map(holes.map((hole) => [JSON.stringify(hole), hole] as const)).values()
]

const hasEffect = ({ ending, state }: Leaf): boolean =>
  ending !== "revert" &&
  (ending === "lost" ||
    state.writes !== undefined ||
    [...listed(state.calls)].some(({ kind }) => kind !== "staticcall"))

/** The accounts that alone can do something by the function; `undefined` where others can too. */
const holdersOf = (
  roles: Roles,
  selector: string,
  leaves: ReadonlyArray<Leaf>
): ReadonlyArray<Address> | undefined => {
  const accounts = leaves.filter(hasEffect).map((leaf) => holdersOn(roles, selector, leaf))
  return accounts.every(({ length }) => length > 0) ? [...new Set(accounts.flat())] : undefined
}

/** What the walked functions show together. */
type Shown = Pick<
  CodeProof,
  "transferPath" | "conservation" | "votes" | "domains" | "keepsOwn" | "owesNobody"
>

/** Looks for holes in some functions; `walked` has their paths, `all` those of every function. */
function* holesIn(contract: ExactContract, roles: Roles, walked: Walked, all: Walked): Sliced<Shown> {
  const transferPath = distinct(yield* transferHoles(contract, roles, walked))
  yield
  const holes: Array<Hole> = []
  const supply = supplyIn(all)
  for (const [selector, trees] of walked) {
    for (const leaf of trees.flatMap(leavesOf)) {
      const found = leafHoles(roles, selector, leaf, supply)
      if (isOver(roles.effort)) {
        holes.push(unknownHole(selector, `all code is known: ${USED_UP}`))
        break
      }
      holes.push(...found)
      if (leaf.state.writes !== undefined) yield
    }
    yield
  }
  const leaves = walkedLeaves(all, all.keys())
  return {
    transferPath: { holes: transferPath },
    conservation: { holes: distinct(holes) },
    votes: shownVotes(roles, all.get(SELECTOR.delegates) ?? []),
    domains: [...roles.domains.values()],
    keepsOwn: holes.length === 0 && keepsOwn(roles, leaves, contract.selectors),
    owesNobody:
      holes.length === 0 &&
      transferPath.every(({ limit }) => limit !== undefined) &&
      !owesOthers(roles, leaves)
  }
}

const FIRST: ReadonlyArray<string> = [SELECTOR.transfer, SELECTOR.transferFrom]
const TOLD: ReadonlySet<string> = new Set([SELECTOR.totalSupply, SELECTOR.delegates])
const ORDINARY: ReadonlyArray<string> = [...FIRST, SELECTOR.approve, SELECTOR.balanceOf]

/**
 * The function by which whoever calls runs several others in turn, and that no contract calls of whomever anybody names: one
 * that let anybody choose it would let him choose those others. Source: OpenZeppelin's and Solady's Multicall, Uniswap's
 * periphery.
 */
const [MULTICALL] = selectorsOf(["multicall(bytes[])"])

/** It changes nothing, or nothing that its caller could not change by calling the functions that it runs. */
const isHarmless = (contract: ExactContract, selector: string): boolean =>
  contract.isIdle(selector) || (selector === MULTICALL && contract.runsItselfAlone(selector))

/** A function that does no harm is walked only where the proof relies on its answer. */
const mustWalk = (contract: ExactContract, selector: string, powers: ReadonlySet<string>): boolean =>
  ORDINARY.includes(selector) || TOLD.has(selector) || powers.has(selector) || !isHarmless(contract, selector)

const namedBy = ({
  transferPath,
  conservation
}: Pick<CodeProof, "transferPath" | "conservation">): ReadonlySet<string> =>
  new Set([...transferPath.holes, ...conservation.holes].map(({ selector }) => selector))

const holesOf = ({ transferPath, conservation }: Pick<CodeProof, "transferPath" | "conservation">): number =>
  transferPath.holes.length + conservation.holes.length

const heldAmong = (roles: Roles, walked: Walked, selectors: ReadonlySet<string>): CodeProof["held"] =>
  [...selectors].flatMap((selector) => {
    const by = walked.has(selector) ? holdersOf(roles, selector, walkedLeaves(walked, [selector])) : undefined
    return by === undefined ? [] : [{ selector, by }]
  })

/** What the paths of one contract may cost to look at when they are walked; honest tokens need a twentieth of it. */
const MOST_EFFORT = 400_000

/** A proof, and the storage that no path changes any more. */
export interface Proven {
  readonly proof: CodeProof
  readonly settled: Stored
}

/**
 * Looks for every way in which a token might not be what it says: in the three ordinary functions whatever can stand in
 * the way, in all functions whatever could enlarge, take or tie up somebody's balance. No hole is a proof.
 * @param powers functions whose holders are wanted
 * @param state slots' words at the pinned block; what no path changes any more is taken for granted
 * @param since a moment that has passed
 */
export function* prove(
  contract: ExactContract,
  budget: Budget,
  powers: ReadonlySet<string>,
  state: ReadonlyArray<SlotValue>,
  since?: Since
): Sliced<Proven> {
  const walked = new Map<string, ReadonlyArray<Tree>>()
  const effort: Budget = { steps: MOST_EFFORT, deadline: budget.deadline, now: budget.now }
  for (const selector of [SELECTOR.balanceOf, SELECTOR.approve])
    walked.set(selector, yield* contract.walk(selector))
  const found = rolesOf(
    contract,
    walked.get(SELECTOR.balanceOf) ?? [],
    walked.get(SELECTOR.approve) ?? [],
    effort
  )
  if (typeof found === "string")
    return { proof: { ...nothingProven(found), whole: budget.steps > 0 }, settled: NOTHING_STORED }
  for (const selector of [...FIRST, SELECTOR.totalSupply, ...contract.selectors]) {
    if (!walked.has(selector) && mustWalk(contract, selector, powers))
      walked.set(selector, yield* contract.walk(selector))
    yield
  }
  walked.set(FALLBACK, [contract.fallback])
  const leaves = walkedLeaves(walked, walked.keys())
  const asks = fixedTargets(walkedLeaves(walked, ORDINARY))
  const roles: Roles = {
    ...found,
    leaves,
    trustsPermit2: trustsPermit2(found, walkedLeaves(walked, [SELECTOR.transferFrom])),
    votes: yield* votesOf(found, walked)
  }
  // Where a function cannot be followed, the others' lists may be what storage settles beside, and so follows it.
  const followable = followedIn(walked)
  const held = roles.votes ?? (followable === walked ? undefined : yield* votesOf(found, followable))
  const proven = yield* holesIn(contract, roles, walked, walked)
  const open = {
    ...proven,
    votes: shownVotes({ ...roles, votes: held }, walked.get(SELECTOR.delegates) ?? [])
  }
  const asked = new Set([...namedBy(open), ...powers])
  const supply = supplyIn(walked)?.args[0]?.value
  const wanted = yield* wantedBy(
    roles,
    walkedLeaves(walked, asked),
    leaves,
    [
      ...(supply === undefined || open.transferPath.holes.length === 0 ? [] : [supply]),
      ...(asked.size === 0 ? [] : nobodysSlot(roles, leaves))
    ],
    [roles.ledger.key, roles.allowances.key]
  )
  const { empty, words } = partsOf(state)
  const isSettling = state.length > 0 && asked.size > 0
  const concluded = (
    holes: Shown,
    held: CodeProof["held"],
    hasNoRoles: boolean,
    settled: Stored
  ): Proven => ({
    proof: {
      ...holes,
      ...wanted,
      ledger: ledgerForm(found),
      asks,
      held,
      hasNoRoles,
      asksMoment: holesOf(open) > 0 && asksMoment(walkedLeaves(walked, [...asked, ...ORDINARY])),
      whole: budget.steps > 0 && !isOver(effort)
    },
    settled
  })
  if (!isSettling) return concluded(open, heldAmong(roles, walked, asked), false, NOTHING_STORED)
  function* settledBeside(followed: Walked, votes: Roles["votes"]) {
    const settled = yield* settle(
      roles.arena,
      walkedLeaves(followed, followed.keys()),
      budget,
      { words, empty, since },
      votes
    )
    const again = yield* walkSettled(contract, followed, new Set([...asked, ...ORDINARY]), settled)
    const possible = possibly(settled, followed)
    const bounded = yield* boundedRoles(roles, settled, possible, budget, words)
    const rest = yield* holesIn(contract, bounded, again, possible)
    return { again, bounded, rest, settled }
  }
  const followed = yield* walkAssuming(contract, walked, budget, { words, empty, since })
  const plain = yield* settledBeside(followed, undefined)
  const beside =
    held === undefined || holesOf(plain.rest) === 0
      ? plain
      : yield* settledBeside(
          roles.votes === undefined
            ? yield* walkAssuming(contract, walked, budget, { words, empty, since }, held)
            : followed,
          held
        )
  // Lists taken for short count where they settle more, and where they still are votes: the report asks how long they are.
  const trusts =
    beside.rest.votes !== null && holesOf(beside.rest) < holesOf(plain.rest) && isKeptAs(beside.bounded, held)
  const { again, bounded, rest, settled } = trusts ? beside : plain
  const votes = rest.votes === null ? null : { ...rest.votes, settles: trusts }
  const hasNoRoles = yield* saysNobodyHasRoles(contract, settled)
  return concluded({ ...rest, votes }, heldAmong(bounded, again, asked), hasNoRoles, settled.stored)
}
