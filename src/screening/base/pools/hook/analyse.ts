import { type Hex, numberToHex } from "viem"
import { BASE_CHAIN_ID } from "../../../../domain/chain-constants.ts"
import { FALLBACK } from "../../../../bytecode/contract.ts"
import { bytesOfHex, decode } from "../../../../bytecode/evm/code.ts"
import type { Arena, Expr } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { type ExactContract, readExactly } from "../../../../bytecode/exact/functions.ts"
import { Ranges, atMost } from "../../../../bytecode/exact/ranges.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import { type Leaf, leavesOf } from "../../../../bytecode/exact/tree.ts"
import { fieldOf } from "../../power/proof/field.ts"
import { type Settled, settle } from "../../power/proof/settle.ts"
import { type SlotValue, partsOf } from "../../power/proof/slot-value.ts"
import { decidesCaller, isPossible } from "../../power/proof/possible.ts"
import { slotsThatSettle } from "../../power/proof/wanted.ts"
import { type Doubt, type HookFindings, power, unproven, unreadHook } from "./findings.ts"
import { MANAGER, isManager } from "./given-call.ts"
import { type Counters, slotsIn, swapPart, takesEther } from "./swap-part.ts"
import { isForeignCode } from "./walked.ts"

/** What one look at a hook may cost, running time only. */
export const HOOK_BUDGET = { steps: 400_000, milliseconds: 1_500 }

const feeChanges = ({ state }: Leaf): ReadonlyArray<CallRecord> =>
  [...listed(state.calls)].filter(
    ({ selector }) => selector?.op === "const" && selector.value === MANAGER.updateDynamicLPFee
  )

const isFeeSetter = (leaf: Leaf): boolean => feeChanges(leaf).length > 0

/** No counter grows faster than by this at once. */
const LARGEST_STEP = 1n << 32n

const isStep = ({ key, value }: StorageWrite): boolean => {
  const [before, step] = value.op === "add" ? value.args : []
  return (
    before?.op === "sload" && before.args[0] === key && step?.op === "const" && step.value <= LARGEST_STEP
  )
}

/** No counter that begins below this gets anywhere near the end of a word. */
const LARGEST_START = 1n << 128n

/** Places that stand for one counter each: its own, and those it may have beside. */
type Places = ReadonlyArray<Expr>

/** Whatever may be written to one of these places is a step of what stands there. */
const isCounted = (writes: ReadonlyArray<StorageWrite>, places: Places): boolean =>
  writes.every((write) => isStep(write) || places.every((place) => !mayBeSame(write.key, place)))

/** An entry of some pool, whose hash may be any. */
const entryIn = (arena: Arena, table: bigint): Expr => {
  const pool = arena.node(
    "keccak",
    [1, 2, 3, 4, 5].map(() => arena.unknown()),
    160n
  )
  return arena.node("keccak", [pool, arena.constant(table)], 64n)
}

/**
 * Places whose words were read, are small and only ever grow by small steps, whatever else is written: an entry of a table may
 * be a slot under another name. Of a table they are the entries of the hook's pools that were read; what others began with
 * nobody told.
 */
const countersIn = (arena: Arena, leaves: ReadonlyArray<Leaf>, state: ReadonlyArray<SlotValue>): Counters => {
  const acting = leaves.filter(({ ending }) => ending !== "revert")
  if (
    acting.some(({ ending, state: { calls } }) => ending === "lost" || [...listed(calls)].some(isForeignCode))
  )
    return { slots: new Set(), tables: new Set() }
  const writes = acting
    .flatMap((leaf) => [...listed(leaf.state.writes)])
    .filter(({ havoc }) => havoc !== true)
  const placeOf = ({ slot }: SlotValue): Expr => arena.constant(BigInt(slot))
  const isSmall = ({ value }: SlotValue): boolean => value < LARGEST_START
  const tables = new Set(state.flatMap(({ table }) => table ?? []))
  return {
    slots: new Set(
      state
        .filter((one) => one.table === undefined && isSmall(one) && isCounted(writes, [placeOf(one)]))
        .map(({ slot }) => BigInt(slot))
    ),
    tables: new Set(
      [...tables]
        .filter((table) => {
          const entries = state.filter((one) => one.table === table)
          const places = [entryIn(arena, BigInt(table)), ...entries.map(placeOf)]
          return entries.every(isSmall) && isCounted(writes, places)
        })
        .map(BigInt)
    )
  }
}

function* everyLeaf(contract: ExactContract): Sliced<ReadonlyArray<Leaf>> {
  const leaves = leavesOf(contract.fallback).slice()
  for (const selector of contract.selectors)
    if (selector !== FALLBACK && !contract.isIdle(selector))
      leaves.push(...(yield* contract.walk(selector)).flatMap(leavesOf))
  return leaves
}

const LARGEST_FEE = 1_000_000n
const FEE_ARGUMENT = 5

const mayBeManager = ({ target }: CallRecord): boolean => isManager(target) || target.op !== "const"

/** What a call makes of the fee of the hook's pools: nothing, a fee of so many millionths at most, or nobody knows. */
const feeOf = (call: CallRecord, leaf: Leaf, { limitOf }: Settled): number | Doubt | null => {
  if (isForeignCode(call)) return power("runs code that can be replaced, and with it may set any fee")
  if (call.kind !== "call" || !mayBeManager(call)) return null
  if (call.selector?.op !== "const") return unproven("makes calls that could set any fee")
  if (call.selector.value !== MANAGER.updateDynamicLPFee) return null
  const given = (word: Expr) => {
    const field = fieldOf(word)
    const most = field === undefined ? undefined : limitOf(field)
    return most === undefined ? undefined : atMost(most)
  }
  const fee = call.input[FEE_ARGUMENT]
  const { least, most } =
    fee === undefined ? { least: -1n, most: 0n } : new Ranges(given, leaf.state.conditions).of(fee)
  return least >= 0n && most < LARGEST_FEE
    ? Number(most)
    : power("lets somebody set the pool's fee to all of a swap")
}

const feeFindings = (leaves: ReadonlyArray<Leaf>, settled: Settled): HookFindings["fee"] => {
  const found = leaves
    .filter(({ ending, state }) => ending !== "revert" && isPossible(settled, state.conditions))
    .flatMap((leaf) => [
      ...(leaf.ending === "lost"
        ? [unproven(`could not be followed: ${leaf.why ?? "a path was lost"}`)]
        : []),
      ...[...listed(leaf.state.calls)].map((call) => feeOf(call, leaf, settled))
    ])
  const fees = found.filter((one) => typeof one === "number")
  const doubts = found.filter((one) => typeof one === "object" && one !== null)
  return {
    doubts: [...new Map(doubts.map((doubt) => [doubt.why, doubt])).values()],
    mostPips: fees.length === 0 ? null : Math.max(...fees)
  }
}

/**
 * What a hook's code can do to the swaps of its pools, whoever trades, in both directions, now and later: every path of
 * the swap's callbacks as the PoolManager calls them, and of all that could change the fee.
 * @param state words of slots at the pinned block; what no path changes any more is taken for granted
 */
export function* hookInSlices(
  code: Hex,
  now: () => number,
  state: ReadonlyArray<SlotValue> = []
): Sliced<HookFindings> {
  if (code.length <= 2 || code.startsWith("0xef")) return unreadHook("has no code of its own")
  const program = decode(bytesOfHex(code))
  const budget = { steps: HOOK_BUDGET.steps, deadline: now() + HOOK_BUDGET.milliseconds, now }
  const contract = yield* readExactly(program, budget, decidesCaller, BigInt(BASE_CHAIN_ID))
  const all = yield* everyLeaf(contract)
  const settled = yield* settle(contract.arena, all, budget, { words: partsOf(state).words, empty: [] })
  const kept = { settled, counters: countersIn(contract.arena, all, state) }
  const before = yield* swapPart(program, budget, "before", kept)
  const after = yield* swapPart(program, budget, "after", kept)
  const fee = feeFindings(all, settled)
  return {
    before: before.part,
    after: after.part,
    fee,
    takesEther: yield* takesEther(program, budget, settled),
    settledBy: slotsThatSettle([...before.leaves, ...after.leaves, ...all.filter(isFeeSetter)], all, [
      ...before.slots,
      ...after.slots,
      ...all.flatMap(feeChanges).flatMap(({ input }) => slotsIn(input[FEE_ARGUMENT] ?? contract.arena.zero))
    ]),
    countedIn: [...new Set([...before.tables, ...after.tables])].map((table) =>
      numberToHex(table, { size: 32 })
    )
  }
}
