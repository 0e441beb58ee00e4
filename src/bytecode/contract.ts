import { type Program } from "./evm/code.ts"
import { Arena } from "./evm/expression.ts"
import { type Budget, type Exploration, Explorer } from "./evm/explore.ts"
import { Machine } from "./evm/machine.ts"
import type { Sliced } from "./evm/slices.ts"
import type { CallRecord, Outcome } from "./evm/path.ts"
import { type Entry, dispatch } from "./dispatch.ts"
import type { Guard } from "./guard.ts"
import { locationOf } from "./location.ts"
import {
  type FunctionSummary,
  type TokenModel,
  argument,
  returnedSlots,
  returnedTables,
  summarise
} from "./summary.ts"
import { listed } from "./evm/path.ts"
import { withoutOpenGuards } from "./roles.ts"
import { type Gate, gatesOf } from "./transfer-path.ts"

export const SELECTOR = {
  totalSupply: "0x18160ddd",
  balanceOf: "0x70a08231",
  transfer: "0xa9059cbb",
  transferFrom: "0x23b872dd",
  approve: "0x095ea7b3",
  allowance: "0xdd62ed3e",
  owner: "0x8da5cb5b",
  getOwner: "0x893d20e8"
} as const

/** Read before the others, so that a used-up budget costs the least. */
const FIRST: ReadonlyArray<string> = [
  SELECTOR.balanceOf,
  SELECTOR.totalSupply,
  SELECTOR.allowance,
  SELECTOR.owner,
  SELECTOR.getOwner,
  SELECTOR.transfer,
  SELECTOR.transferFrom
]

export const FALLBACK = "fallback"

/** Everything the rules look at. */
export interface ContractModel {
  readonly arena: Arena
  readonly program: Program
  readonly model: TokenModel
  readonly functions: ReadonlyMap<string, FunctionSummary>
  /** Conditions on which `transfer` and `transferFrom` depend. */
  readonly gates: ReadonlyArray<Gate>
  /** Plain slots that `owner()` or `getOwner()` return. */
  readonly ownerSlots: ReadonlySet<string>
  readonly complete: boolean
  readonly unresolved: boolean
  /** Some path of `transfer` writes the balances that `balanceOf` reads. */
  readonly transfersFollowed: boolean
  /** Some function runs other code in this contract's storage (DELEGATECALL, CALLCODE). */
  readonly delegates: boolean
}

const explore = (machine: Machine, budget: Budget, entry: Entry): Sliced<Exploration> =>
  new Explorer(machine, budget).walk({
    ...entry.start,
    stack: entry.start.stack.slice(),
    conditions: undefined
  })

const modelOf = (arena: Arena, explored: ReadonlyMap<string, Exploration>): TokenModel => ({
  balances: returnedTables(explored.get(SELECTOR.balanceOf), [argument(arena, 0)]),
  allowances: returnedTables(explored.get(SELECTOR.allowance), [argument(arena, 0), argument(arena, 1)]),
  supply: returnedSlots(explored.get(SELECTOR.totalSupply))
})

export const moves =
  (model: TokenModel) =>
  (outcome: Outcome): boolean => {
    for (const { key } of listed(outcome.writes)) if (model.balances.has(locationOf(key).base)) return true
    return false
  }

const transferGates = (
  explored: ReadonlyMap<string, Exploration>,
  succeeds: (outcome: Outcome) => boolean
): ReadonlyArray<Gate> =>
  [SELECTOR.transfer, SELECTOR.transferFrom].flatMap((selector) => {
    const exploration = explored.get(selector)
    return exploration === undefined ? [] : gatesOf(exploration, succeeds)
  })

/** Users may have to be admitted; who is named by a plain slot or the code is no user. */
const isUsers = ({ kind }: Guard): boolean => kind === "role" || kind === "authority"

/** In a contract that is no token: what decides whether anybody's functions do anything. */
const publicGates = (
  explored: ReadonlyMap<string, Exploration>,
  functions: ReadonlyMap<string, FunctionSummary>
): ReadonlyArray<Gate> =>
  [...explored].flatMap(([selector, exploration]) => {
    const open = new Set(
      (functions.get(selector)?.paths ?? [])
        .filter(({ guards, outcome }) => guards.every(isUsers) && outcome.end === "success")
        .map(({ outcome }) => outcome)
    )
    return open.size === 0 ? [] : gatesOf(exploration, (outcome) => open.has(outcome))
  })

const isDelegation = ({ kind }: CallRecord): boolean => kind === "delegatecall" || kind === "callcode"

/** Runs every function of the code symbolically and works out what the rules ask about. */
export function* readContract(program: Program, budget: Budget): Sliced<ContractModel> {
  const arena = new Arena()
  const machine = new Machine(program, arena)
  const { entries, fallback } = yield* dispatch(machine, budget)
  const explored = new Map<string, Exploration>()
  const order = [...FIRST, ...[...entries.keys()].filter((selector) => !FIRST.includes(selector))]
  for (const selector of order) {
    const entry = entries.get(selector)
    if (entry !== undefined) explored.set(selector, yield* explore(machine, budget, entry))
  }
  explored.set(FALLBACK, fallback)
  yield
  const model = modelOf(arena, explored)
  const functions = withoutOpenGuards(
    new Map([...explored].map(([selector, x]) => [selector, summarise(selector, x, model)]))
  )
  const gates = explored.has(SELECTOR.transfer)
    ? transferGates(explored, moves(model))
    : publicGates(explored, functions)
  yield
  const owners = [SELECTOR.owner, SELECTOR.getOwner].flatMap((selector) => [
    ...returnedSlots(explored.get(selector))
  ])
  return {
    arena,
    program,
    model,
    functions,
    gates,
    ownerSlots: new Set(owners),
    complete: [...explored.values()].every((x) => x.complete),
    unresolved: [...explored.values()].some((x) => x.unresolved),
    transfersFollowed: explored.get(SELECTOR.transfer)?.outcomes.some(moves(model)) === true,
    delegates: [...functions.values()].some(({ paths }) =>
      paths.some(({ calls }) => calls.some(isDelegation))
    )
  }
}
