import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../../chain/chain-rpc.ts"
import type { CodeAnalyser } from "../../analysis/analyser.ts"
import type { PoolEvidence } from "../../evidence.ts"
import { hookTrust } from "../v4.ts"
import type { HookCodes, HookFindings } from "./findings.ts"
import { unreadHook } from "./findings.ts"

/** Hooks looked at for one token: those of the pools that money goes to. */
const MAX_HOOKS = 3

const isSlot = (text: string): text is Hex => text.startsWith("0x")

/** The findings about one hook: by its code, then by what its storage settles. */
const findingsOf = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  analyse: CodeAnalyser["Type"]["hook"],
  address: Address,
  blockNumber: bigint
): Effect.fn.Return<HookFindings, never> {
  const unread = unreadHook("could not be read")
  const inspect = (slots: ReadonlyArray<Hex>) =>
    rpc.inspect([{ address, slots }], { blockNumber }).pipe(
      Effect.map(([found]) => found),
      Effect.orElseSucceed(() => undefined)
    )
  const code = (yield* inspect([]))?.code
  if (code === undefined) return unread
  const open = yield* analyse(code, [])
  const slots = open.settledBy.filter(isSlot)
  if (slots.length === 0) return open
  const words = (yield* inspect(slots))?.slots ?? []
  const state = slots.flatMap((slot, index) => {
    const word = words[index]
    return word === undefined ? [] : [{ slot, value: BigInt(word) }]
  })
  return state.length === 0 ? open : yield* analyse(code, state)
})

/** What hooks that no launchpad vouches for can do, by their code and storage at the pinned block. */
export const readHooks = (
  rpc: BaseRpc,
  analyse: CodeAnalyser["Type"]["hook"],
  pools: ReadonlyArray<Pick<PoolEvidence, "v4">>,
  blockNumber: bigint
): Effect.Effect<HookCodes> => {
  const unknown = pools.flatMap(({ v4 }) =>
    v4 === undefined || ["none", "known"].includes(hookTrust(v4.hooks)) ? [] : [v4.hooks]
  )
  return Effect.map(
    Effect.forEach(
      [...new Set(unknown)].slice(0, MAX_HOOKS),
      (hook) => Effect.map(findingsOf(rpc, analyse, hook, blockNumber), (found) => [hook, found] as const),
      { concurrency: MAX_HOOKS }
    ),
    (found) => new Map(found)
  )
}
