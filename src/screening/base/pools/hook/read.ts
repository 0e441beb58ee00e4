import { Effect } from "effect"
import { type Address, type Hex, concatHex } from "viem"
import type { BaseRpc } from "../../../../chain/chain-rpc.ts"
import { keccakHex } from "../../../../chain/keccak.ts"
import type { CodeAnalyser } from "../../analysis/analyser.ts"
import type { PoolEvidence } from "../../evidence.ts"
import type { SlotValue } from "../../power/proof/slot-value.ts"
import { hookTrust } from "../v4.ts"
import type { HookCodes, HookFindings } from "./findings.ts"
import { unreadHook } from "./findings.ts"

/** Hooks looked at for one token: those of the pools that money goes to. */
const MAX_HOOKS = 3

const isSlot = (text: string): text is Hex => text.startsWith("0x")

/** Entries of a hook's tables that are looked up: a stranger can open any number of its pools. */
const MAX_ENTRIES = 24

/** `table[pool]`: the place of a pool's entry in a hook's table. */
const entryOf = (pool: Hex, table: Hex): Hex => keccakHex(concatHex([pool, table]))

/** The findings about one hook: by its code, then by what its storage settles. */
const findingsOf = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  analyse: CodeAnalyser["Type"]["hook"],
  address: Address,
  pools: ReadonlyArray<Hex>,
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
  const plain = open.settledBy.filter(isSlot).map((slot) => ({ slot }))
  const entries = open.countedIn
    .filter(isSlot)
    .flatMap((table) => pools.map((pool) => ({ slot: entryOf(pool, table), table })))
  const asked = entries.length > MAX_ENTRIES ? plain : [...plain, ...entries]
  if (asked.length === 0) return open
  const words = (yield* inspect(asked.map(({ slot }) => slot)))?.slots ?? []
  // Of a table the entries of all its pools count, or none.
  if (words.length < asked.length) return open
  const state = asked.flatMap((one, index): ReadonlyArray<SlotValue> => {
    const word = words[index]
    return word === undefined ? [] : [{ ...one, value: BigInt(word) }]
  })
  return yield* analyse(code, state)
})

/**
 * What hooks that no launchpad vouches for can do, by their code and storage at the pinned block.
 * @param all every pool of the token: what holds of a hook holds in all of them
 */
export const readHooks = (
  rpc: BaseRpc,
  analyse: CodeAnalyser["Type"]["hook"],
  pools: ReadonlyArray<Pick<PoolEvidence, "v4">>,
  all: ReadonlyArray<Pick<PoolEvidence, "v4">>,
  blockNumber: bigint
): Effect.Effect<HookCodes> => {
  const unknown = pools.flatMap(({ v4 }) =>
    v4 === undefined || ["none", "known"].includes(hookTrust(v4.hooks)) ? [] : [v4.hooks]
  )
  return Effect.map(
    Effect.forEach(
      [...new Set(unknown)].slice(0, MAX_HOOKS),
      (hook) => {
        const own = all.flatMap(({ v4 }) => (v4?.hooks === hook ? [v4.poolId] : []))
        return Effect.map(findingsOf(rpc, analyse, hook, own, blockNumber), (found) => [hook, found] as const)
      },
      { concurrency: MAX_HOOKS }
    ),
    (found) => new Map(found)
  )
}
