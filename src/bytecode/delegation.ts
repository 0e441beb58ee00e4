import type { Address, Hex } from "viem"
import { Arena, type Expr } from "./evm/expression.ts"
import { bytesOfHex, decode } from "./evm/code.ts"
import { Explorer } from "./evm/explore.ts"
import { Machine } from "./evm/machine.ts"
import { listed } from "./evm/path.ts"
import { withoutPause } from "./evm/slices.ts"
import { emptyState } from "./dispatch.ts"
import { stripped } from "./guard.ts"
import { locationOf } from "./location.ts"

/** Where code that runs other code finds it. */
export type Delegation =
  /** The target stands in the code (EIP-1167 and its kin): it never changes. */
  | { readonly kind: "fixed"; readonly target: Address }
  /** The target stands in a storage slot (EIP-1967 and older or own slots). */
  | { readonly kind: "slot"; readonly slot: Hex }
  /** A contract named by a slot is asked for the target (EIP-1967 beacon); no slot where it is named in the code. */
  | { readonly kind: "beacon"; readonly slot: Hex | undefined }
  /** A table says which contract answers which selector (EIP-2535 diamond). */
  | { readonly kind: "table" }
  | { readonly kind: "unknown" }

const PROXY_STEPS = 20_000
const PROXY_MILLISECONDS = 200

const hex = (value: bigint, bytes: number): Hex => `0x${value.toString(16).padStart(2 * bytes, "0")}`

const slotOf = (word: Expr): Hex | undefined => {
  const [key] = word.args
  const slot = word.op === "sload" && key !== undefined ? locationOf(key).slot : undefined
  return slot === undefined ? undefined : hex(slot, 32)
}

const classify = (target: Expr): Delegation => {
  const word = stripped(target)
  if (word.op === "const") return { kind: "fixed", target: hex(word.value, 20) }
  if (word.op === "sload") {
    const slot = slotOf(word)
    return slot === undefined ? { kind: "table" } : { kind: "slot", slot }
  }
  const asked = word.op === "ret" ? word.args[0]?.args[0] : undefined
  return asked === undefined ? { kind: "unknown" } : { kind: "beacon", slot: slotOf(stripped(asked)) }
}

/**
 * What this code delegates calls of any selector to, found by running it, whatever slot or pattern it uses;
 * `undefined` where it answers by itself. The whole input must be passed on: a library call is no proxy.
 */
export const proxyTarget = (code: Hex): Delegation | undefined => {
  const arena = new Arena()
  const machine = new Machine(decode(bytesOfHex(code)), arena)
  const budget = {
    steps: PROXY_STEPS,
    deadline: performance.now() + PROXY_MILLISECONDS,
    now: () => performance.now()
  }
  const { outcomes } = withoutPause(new Explorer(machine, budget, () => false).walk(emptyState()))
  for (const { calls } of outcomes)
    for (const { kind, target, selector } of listed(calls))
      if (kind === "delegatecall" && selector !== undefined && isOwnSelector(arena, selector))
        return classify(target)
  return undefined
}

const isOwnSelector = (arena: Arena, selector: Expr): boolean => {
  const word = stripped(selector)
  return word.op === "calldata" && word.args[0] === arena.zero
}
