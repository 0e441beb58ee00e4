import type { Arena } from "./evm/expression.ts"
import type { Exploration } from "./evm/explore.ts"
import { listed } from "./evm/path.ts"
import { changeOf } from "./location.ts"
import { deltaOf } from "./amount.ts"
import { SELECTOR } from "./selector.ts"
import { type TokenModel, argument, returnedSlots, returnedTables } from "./summary.ts"

const CALLER = 0x33

/** Tables that a transfer lowers at the caller and raises at the recipient, with the bits it writes. */
const movedTables = (arena: Arena, transfer: Exploration | undefined): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>()
  const [caller, to] = [arena.env(CALLER), argument(arena, 0)]
  for (const { writes } of transfer?.outcomes ?? []) {
    const changes = [...listed(writes)].map(({ key, value }) => {
      const change = changeOf(key, value)
      return { ...change, delta: deltaOf(key, value) }
    })
    for (const { location, mask, delta } of changes) {
      const isLowered = !delta.replaced && delta.minus.length > 0 && location.keys.includes(caller)
      const raised = changes.find(
        (other) =>
          other.location.base === location.base &&
          other.location.keys.includes(to) &&
          other.delta.plus.length > 0
      )
      if (isLowered && raised !== undefined)
        found.set(location.base, (found.get(location.base) ?? 0n) | mask | raised.mask)
    }
  }
  return found
}

/** Tables in which `approve` writes the amount, unchanged, to the entry of the caller and the spender. */
const grantedTables = (arena: Arena, approve: Exploration | undefined): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>()
  const [caller, spender, amount] = [arena.env(CALLER), argument(arena, 0), argument(arena, 1)]
  for (const { writes } of approve?.outcomes ?? [])
    for (const { key, value } of listed(writes)) {
      const { location, mask } = changeOf(key, value)
      if (value === amount && location.keys.includes(caller) && location.keys.includes(spender))
        found.set(location.base, mask)
    }
  return found
}

const CALLED_FROM = 0

/** Tables in which `transferFrom` lowers the entry of the holder and the caller. */
const spentTables = (arena: Arena, transferFrom: Exploration | undefined): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>()
  const [caller, from] = [arena.env(CALLER), argument(arena, CALLED_FROM)]
  for (const { writes } of transferFrom?.outcomes ?? [])
    for (const { key, value } of listed(writes)) {
      const { location, mask } = changeOf(key, value)
      const isEntry = location.keys.includes(caller) && location.keys.includes(from)
      if (isEntry && deltaOf(key, value).minus.length > 0) found.set(location.base, mask)
    }
  return found
}

/**
 * Which storage holds what. Getters name it; where they do not, or lie, it follows from what the ordinary functions do.
 * `isAnswered`: what a transfer moves is what `balanceOf` answers.
 */
export const modelOf = (
  arena: Arena,
  explored: ReadonlyMap<string, Exploration>
): { readonly model: TokenModel; readonly isAnswered: boolean } => {
  const answered = returnedTables(explored.get(SELECTOR.balanceOf), [argument(arena, 0)])
  const moved = movedTables(arena, explored.get(SELECTOR.transfer))
  const isAnswered =
    answered.size > 0 && (moved.size === 0 || [...moved.keys()].some((base) => answered.has(base)))
  return {
    model: {
      balances: new Map([...moved, ...answered]),
      allowances: new Map([
        ...spentTables(arena, explored.get(SELECTOR.transferFrom)),
        ...grantedTables(arena, explored.get(SELECTOR.approve)),
        ...returnedTables(explored.get(SELECTOR.allowance), [argument(arena, 0), argument(arena, 1)])
      ]),
      supply: returnedSlots(explored.get(SELECTOR.totalSupply))
    },
    isAnswered
  }
}
