import { type Program } from "./evm/code.ts"
import { Arena, type Expr } from "./evm/expression.ts"
import { type Budget, type Exploration, Explorer } from "./evm/explore.ts"
import { Machine } from "./evm/machine.ts"
import type { Sliced } from "./evm/slices.ts"
import type { CallRecord } from "./evm/path.ts"
import { type Entry, dispatch } from "./dispatch.ts"
import { SELECTOR } from "./selector.ts"
import type { Guard } from "./guard.ts"
import { type Field, readsOf } from "./location.ts"
import { modelOf } from "./model.ts"
import { type Latches, latchesOf } from "./once.ts"
import { type FunctionSummary, type TokenModel, answeredFields, returnedSlots, summarise } from "./summary.ts"
import { type OpenTables, openTables, withoutOpenGuards } from "./roles.ts"
import { type Gate, type Gates, gatesOf } from "./transfer-path.ts"
import { admitsIn, delivers, grants, moves, partiesIn } from "./work.ts"

/** Functions whose answers say which storage holds what. */
const ANSWERING: ReadonlyArray<string> = [
  SELECTOR.balanceOf,
  SELECTOR.totalSupply,
  SELECTOR.allowance,
  SELECTOR.owner,
  SELECTOR.getOwner
]

/** Read before the others, so that a used-up budget costs the least. */
const FIRST: ReadonlyArray<string> = [...ANSWERING, SELECTOR.transfer, SELECTOR.transferFrom]

/** What a seller needs: the functions that move a balance, and the one that lets a router do so. */
const SALE: ReadonlyArray<string> = [SELECTOR.transfer, SELECTOR.transferFrom, SELECTOR.approve]

export const FALLBACK = "fallback"

/** Everything the rules look at. */
export interface ContractModel {
  readonly arena: Arena
  readonly program: Program
  readonly model: TokenModel
  readonly functions: ReadonlyMap<string, FunctionSummary>
  /** Ways through functions that are taken once at most. */
  readonly latches: Latches
  /** Conditions on which `transfer`, `transferFrom` and `approve` depend. */
  readonly gates: ReadonlyArray<Gate>
  /** Which of these depend on the answer of a contract named in storage, or of one in the code that is told who trades. */
  readonly strangers: ReadonlyArray<string>
  /** Which of these do their work for the privileged alone. */
  readonly reserved: ReadonlyArray<string>
  /** Plain slots from which every balance is computed, or by which it is found. */
  readonly factors: ReadonlyArray<Field>
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
  new Explorer(
    machine,
    budget,
    undefined,
    ANSWERING.includes(entry.selector),
    SALE.includes(entry.selector)
  ).walk({
    ...entry.start,
    stack: entry.start.stack.slice(),
    conditions: undefined
  })

const gatesByFunction = (
  model: TokenModel,
  arena: Arena,
  explored: ReadonlyMap<string, Exploration>,
  open: OpenTables
): ReadonlyMap<string, Gates> =>
  new Map(
    SALE.flatMap((selector) => {
      const exploration = explored.get(selector)
      if (exploration === undefined) return []
      const works =
        selector === SELECTOR.approve ? grants(model, arena) : delivers(model, arena, selector, exploration)
      const admits = admitsIn(model, arena, selector, open)
      return [[selector, gatesOf(exploration, works, admits, partiesIn(arena, selector))] as const]
    })
  )

/** Users may have to be admitted; whoever a plain slot or the code names is not a user. */
const isUsers = ({ kind }: Guard): boolean => kind === "role" || kind === "authority"

const NOBODY: ReadonlySet<Expr> = new Set()

/** In a contract that is not a token: the conditions that decide whether functions open to anybody do anything. */
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
    return open.size === 0
      ? []
      : gatesOf(
          exploration,
          (outcome) => open.has(outcome),
          () => false,
          NOBODY
        ).gates
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
  const { model, isAnswered } = modelOf(arena, explored)
  const summaries = new Map(
    [...explored].map(([selector, x]) => [selector, summarise(arena, selector, x, model)])
  )
  const latches = latchesOf(arena, explored)
  const open = openTables([...summaries.values()], latches)
  const functions = withoutOpenGuards(summaries, open, latches)
  const gated = gatesByFunction(model, arena, explored, open)
  const gates = explored.has(SELECTOR.transfer)
    ? [...gated.values()].flatMap((one) => one.gates)
    : publicGates(explored, functions)
  yield
  const owners = [SELECTOR.owner, SELECTOR.getOwner].flatMap((selector) => [
    ...returnedSlots(explored.get(selector)).keys()
  ])
  return {
    arena,
    program,
    model,
    functions,
    latches,
    gates,
    strangers: [...gated].flatMap(([selector, { asksStranger }]) => (asksStranger ? [selector] : [])),
    reserved: [...gated].flatMap(([selector, { isReserved }]) => (isReserved ? [selector] : [])),
    factors: answeredFields(explored.get(SELECTOR.balanceOf))
      .flatMap((field) => [field, ...field.location.keys.flatMap(readsOf)])
      .filter(({ location }) => location.slot !== undefined),
    ownerSlots: new Set(owners),
    complete: [...explored.values()].every((x) => x.complete),
    unresolved: [...explored.values()].some((x) => x.unresolved),
    transfersFollowed: isAnswered && explored.get(SELECTOR.transfer)?.outcomes.some(moves(model)) === true,
    delegates: [...functions.values()].some(({ paths }) =>
      paths.some(({ calls }) => calls.some(isDelegation))
    )
  }
}
