import type { Program } from "../../../../bytecode/evm/code.ts"
import { Arena, type Expr, FROM_STORAGE, FROM_TIME, WORD_MASK } from "../../../../bytecode/evm/expression.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import { type CallRecord, listed } from "../../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { emptyState } from "../../../../bytecode/dispatch.ts"
import { isPlainPrecompile } from "../../../../bytecode/evm/data.ts"
import { type Leaf, leavesOf } from "../../../../bytecode/exact/tree.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import { ExactWalker } from "../../../../bytecode/exact/walk.ts"
import type { Settled } from "../../power/proof/settle.ts"
import { isPossible } from "../../power/proof/possible.ts"
import { type Doubt, type SwapPart, power, unproven } from "./findings.ts"
import {
  GivenMachine,
  MANAGER,
  type SwapCall,
  type SwapWords,
  isLook,
  isManager,
  swapCall
} from "./given-call.ts"
import { Ranges } from "../../../../bytecode/exact/ranges.ts"
import { refusalOf } from "./refusals.ts"
import { takingOf } from "./takings.ts"
import { type Walked, givenRanges, isForeignCode, isTaking } from "./walked.ts"

/** All of a swap. */
const LARGEST_FEE = 1_000_000n
/** No honest callback costs as much. */
const MOST_GAS = 2_000_000
/** A fee named for one swap counts with this bit; below it stands the fee. Source: Uniswap v4-core LPFeeLibrary. */
const OVERRIDE = 0x400000n

const THIS = 0x30n
const ADDRESS_BITS = 160

/** Words that the PoolManager wants for an answer: no more, no fewer. Source: Uniswap v4-core Hooks. */
const ANSWER = { before: 3, after: 2 } as const

const isCallback = ({ call, leaf, machine, words }: Walked): boolean => {
  const answer = machine.answerOf(leaf.state)
  const [first] = answer
  return (
    answer.length === ANSWER[call.callback] && first?.op === "const" && first.value >> 224n === words.selector
  )
}

const isFeeChange = ({ selector }: CallRecord): boolean =>
  selector?.op === "const" && selector.value === MANAGER.updateDynamicLPFee

/** The fee of this very pool, and one that there can be. */
const isOwnFee = ({ ranges, words }: Walked, { input }: CallRecord): boolean => {
  const fee = input[words.key.length]
  if (fee === undefined || !words.key.every((word, index) => input[index] === word)) return false
  const { least, most } = ranges.of(fee)
  return least >= 0n && most <= LARGEST_FEE
}

/** An account is no more than one: the PoolManager refuses a word with anything above it. */
const isAccount = (word: Expr | undefined): boolean => word !== undefined && word.bits <= ADDRESS_BITS

/** Whom the hook has the PoolManager pay, or give a claim. */
const receiverOf = ({ input: [first, second], selector }: CallRecord): Expr | undefined =>
  selector?.value === MANAGER.mint ? first : second

const managerDoubts = (walked: Walked, call: CallRecord): string | undefined => {
  if (!isLook(call.selector) && !isTaking(call) && !isFeeChange(call))
    return "does more in the PoolManager during a swap than was followed"
  if (!walked.machine.serves(call) || (isTaking(call) && !isAccount(receiverOf(call))))
    return "asks the PoolManager in a way that it may refuse"
  return isFeeChange(call) && !isOwnFee(walked, call)
    ? "sets a fee during a swap that the PoolManager may refuse"
    : undefined
}

/** Calls in the middle of a swap. Paying the hook, looking, and setting the fee are counted elsewhere. */
const callDoubts = (walked: Walked, calls: ReadonlyArray<CallRecord>): ReadonlyArray<Doubt> =>
  calls.flatMap((call) => {
    if (isForeignCode(call)) return [power("runs code that can be replaced")]
    if (isPlainPrecompile(call.target)) return []
    if (!isManager(call.target)) return [unproven("asks another contract during a swap")]
    const doubt = managerDoubts(walked, call)
    return doubt === undefined ? [] : [unproven(doubt)]
  })

/** The fee a callback names for this swap. */
const namedFee = ({ call, leaf, machine, ranges }: Walked): number | Doubt | null => {
  const [, , word] = machine.answerOf(leaf.state)
  if (call.callback === "after" || word === undefined) return null
  const { least, most } = ranges.of(word)
  if (least >= 0n && most < OVERRIDE) return null
  const [flag, rest] = word.op === "or" ? word.args : []
  const fee =
    flag?.op === "const" && flag.value === OVERRIDE && rest !== undefined ? ranges.of(rest) : undefined
  const known = word.op === "const" && word.value < 2n * OVERRIDE ? word.value - OVERRIDE : fee?.most
  if (known !== undefined && (fee?.least ?? 0n) >= 0n && known < OVERRIDE) return Number(known)
  return (word.from & FROM_STORAGE) !== 0
    ? power("names a fee for each swap that a stored number without a bound decides")
    : (word.from & FROM_TIME) !== 0
      ? power("names a fee for each swap that the time or the block decides")
      : unproven("names a fee for each swap that could not be bounded")
}

const paysOf = (calls: ReadonlyArray<CallRecord>): SwapPart["pays"] => {
  const paid = calls.filter(({ selector }) => selector?.op === "const" && selector.value === MANAGER.take)
  if (paid.length === 0) return "nobody"
  const receivers = paid.map(receiverOf)
  if (receivers.every((to) => to?.op === "env" && to.value === THIS)) return "itself"
  return receivers.every((to) => to?.op === "const" && to.value !== 0n) ? "one" : "others"
}

const NONE: SwapPart = {
  stops: [],
  takings: [],
  takesBps: 0,
  fees: [],
  feePips: null,
  pays: "nobody",
  keeps: false,
  setsFee: false
}

const partOf = (walked: Walked): SwapPart => {
  const { leaf } = walked
  // The paths out of the loop are walked, but not how long a swap stays in it: who runs out of gas does not trade.
  if (leaf.ending === "looped") return { ...NONE, stops: [unproven("repeats something without a bound")] }
  if (leaf.ending === "lost")
    return { ...NONE, stops: [unproven(`could not be followed: ${leaf.why ?? "a path was lost"}`)] }
  if (leaf.ending === "revert" || !isCallback(walked)) return { ...NONE, stops: [refusalOf(leaf)] }
  const calls = [...listed(leaf.state.calls)]
  const taking = takingOf(walked, calls)
  const fee = namedFee(walked)
  const isDear = leaf.state.gas > MOST_GAS
  return {
    stops: [...callDoubts(walked, calls), ...(isDear ? [unproven("uses gas without a bound")] : [])],
    takings: taking.doubts,
    takesBps: taking.bps,
    fees: typeof fee === "object" && fee !== null ? [fee] : [],
    feePips: typeof fee === "number" ? fee : null,
    pays: paysOf(calls),
    keeps: calls.some(isTaking),
    setsFee: calls.some(isFeeChange)
  }
}

const PAYS: ReadonlyArray<SwapPart["pays"]> = ["nobody", "itself", "one", "others"]

const distinct = (doubts: ReadonlyArray<Doubt>): ReadonlyArray<Doubt> => [
  ...new Map(doubts.map((doubt) => [doubt.why, doubt])).values()
]

const joined = (parts: ReadonlyArray<SwapPart>): SwapPart => {
  const fees = parts.flatMap(({ feePips }) => feePips ?? [])
  return {
    stops: distinct(parts.flatMap(({ stops }) => stops)),
    takings: distinct(parts.flatMap(({ takings }) => takings)),
    takesBps: Math.max(0, ...parts.map(({ takesBps }) => takesBps)),
    fees: distinct(parts.flatMap((part) => part.fees)),
    feePips: fees.length === 0 ? null : Math.max(...fees),
    pays: PAYS[Math.max(0, ...parts.map(({ pays }) => PAYS.indexOf(pays)))] ?? "others",
    keeps: parts.some(({ keeps }) => keeps),
    setsFee: parts.some(({ setsFee }) => setsFee)
  }
}

const DIRECTIONS = [true, false].flatMap((zeroForOne) =>
  [true, false].map((exactInput) => ({ zeroForOne, exactInput }))
)

/** What is known of a hook's storage, whatever is called. */
export interface Kept {
  readonly settled: Settled
  readonly counters: Counters
}

/** Where words stand that are small and only ever grow by small numbers. */
export interface Counters {
  /** Plain slots. */
  readonly slots: ReadonlySet<bigint>
  /** Slots of tables, by their entries of the hook's pools. */
  readonly tables: ReadonlySet<bigint>
}

const KEY_BYTES = 160n
const PAIR_BYTES = 64n

/** A word of a pool's key as it stands, or with the sign of 24 bits written out: a spacing has none. */
const isOfKey = (word: Expr, given: Expr | undefined): boolean => {
  const [bytes, inner] = word.op === "signextend" ? word.args : []
  return word === given || (inner !== undefined && inner === given && bytes?.value === 2n && inner.bits < 24)
}

/** The table in which a key is the entry of the very pool: of the hash of its own key. */
const tableOf = ({ key }: SwapWords, { args: [pool, table], op, value }: Expr): bigint | undefined =>
  op === "keccak" &&
  value === PAIR_BYTES &&
  table?.op === "const" &&
  pool?.op === "keccak" &&
  pool.value === KEY_BYTES &&
  pool.args.length === key.length &&
  pool.args.every((word, index) => isOfKey(word, key[index]))
    ? table.value
    : undefined

/** A word that would have to be a number that nobody can count to: it is one, or a number added to it is too much for a word. */
const beyond = ({ args: [a, b], op }: Expr): Expr | undefined => {
  if (a === undefined || b === undefined) return undefined
  if (op === "eq") return b.op === "const" && b.value >> 160n !== 0n ? a : undefined
  const [word, step] = op === "lt" && a.op === "add" ? a.args : []
  return word === b && step?.op === "const" && step.value >> 128n === 0n ? word : undefined
}

/** The places of such words. */
const beyondCounting = ({ state }: Leaf): ReadonlyArray<Expr> =>
  [...listed(state.conditions)].flatMap(({ expr, holds }) => {
    const word = holds ? beyond(expr) : undefined
    return word?.op === "sload" ? word.args.slice(0, 1) : []
  })

const isCounter = ({ counters: { slots, tables } }: Kept, words: SwapWords, key: Expr): boolean =>
  key.op === "const" ? slots.has(key.value) : tables.has(tableOf(words, key) ?? -1n)

/**
 * What one callback does on every path of every kind of swap, the ends of these paths, the slots of its answers, and the
 * tables of each pool's that keep swaps from going through once nobody can count on.
 */
export function* swapPart(
  program: Program,
  budget: Budget,
  callback: SwapCall["callback"],
  kept: Kept
): Sliced<{
  readonly part: SwapPart
  readonly leaves: ReadonlyArray<Leaf>
  readonly slots: ReadonlyArray<bigint>
  readonly tables: ReadonlyArray<bigint>
}> {
  const { settled } = kept
  const parts: Array<SwapPart> = []
  const leaves: Array<Leaf> = []
  const slots: Array<bigint> = []
  const tables = new Set<bigint>()
  for (const direction of DIRECTIONS) {
    const call: SwapCall = { callback, ...direction }
    const arena = new Arena(true)
    const given = swapCall(arena, call)
    const machine = new GivenMachine(program, arena, given.call)
    machine.settled = settled.stored
    const ranged = givenRanges(given.words, call, settled)
    const ranges = new Ranges(ranged)
    const decides = (expr: Expr): boolean | undefined => ranges.truth(expr)
    const tree = yield* new ExactWalker(machine, budget, undefined, decides).walk(emptyState())
    for (const leaf of leavesOf(tree)) {
      if (!isPossible(settled, leaf.state.conditions)) continue
      const places = beyondCounting(leaf)
      if (places.some((key) => isCounter(kept, given.words, key))) continue
      for (const key of places) {
        const table = tableOf(given.words, key)
        if (table !== undefined) tables.add(table)
      }
      leaves.push(leaf)
      slots.push(...machine.answerOf(leaf.state).flatMap(slotsIn))
      parts.push(
        partOf({
          call,
          words: given.words,
          machine,
          leaf,
          ranges: new Ranges(ranged, leaf.state.conditions)
        })
      )
      yield
    }
  }
  return { part: joined(parts), leaves, slots, tables: [...tables] }
}

/** Plain slots that a word is made of. */
export const slotsIn = (word: Expr): ReadonlyArray<bigint> =>
  readsOf(word).flatMap(({ location }) => location.slot ?? [])

/** Whether ether that the PoolManager sends always arrives. */
export function* takesEther(program: Program, budget: Budget, settled: Settled): Sliced<boolean> {
  const arena = new Arena(true)
  const value = arena.node("and", [arena.constant(WORD_MASK >> 128n), arena.unknown()])
  const machine = new GivenMachine(program, arena, { words: new Map(), size: 0n, value })
  machine.settled = settled.stored
  const tree = yield* new ExactWalker(machine, budget).walk(emptyState())
  return leavesOf(tree)
    .filter(({ state }) => isPossible(settled, state.conditions))
    .every(({ ending, state }) => ending === "success" && state.calls === undefined && state.gas <= MOST_GAS)
}
