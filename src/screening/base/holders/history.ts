import { Effect, Fiber, Option } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { APPROVAL, TRANSFER } from "../../../chain/evm-events.ts"
import { readLogRange } from "../../../chain/evm-log-ranges.ts"
import { type EvmLog, readLogs } from "../../../chain/evm-logs.ts"
import { ZERO_ADDRESS } from "../addresses.ts"
import { type Range, launchAndNow, launchBlock, sinceLaunch } from "../reads/log-windows.ts"
import { wordAt } from "../reads/query.ts"

/** One `Transfer` as the token tells it: good for finding accounts, never for what they hold. */
export interface Transferred {
  readonly from: Address
  readonly to: Address
}

/** The first event that names two accounts together, an approval rather than any other. */
export interface Naming {
  readonly event: "approval" | "other"
  readonly pair: readonly [Hex, Hex]
  readonly transaction: Hex
}

/** What a token's own events say about who and what stands in its storage. */
export interface History {
  /** Every indexed word and every word that may be an address, in the order they first appear. */
  readonly words: ReadonlyArray<Hex>
  /** First and second indexed word of one event: owner and spender, role and account. */
  readonly pairs: ReadonlyArray<readonly [Hex, Hex]>
  /** Of each pair, where it was named first. */
  readonly naming: ReadonlyArray<Naming>
  readonly transfers: ReadonlyArray<Transferred>
  /** The transaction of the first tokens ever seen: most tokens are born with them. */
  readonly birth: Hex | null
  /** What accounts had more after that transaction than before it, in smallest units; of whom tokens came, less than nothing. */
  readonly atBirth: ReadonlyMap<Address, bigint>
  /** Every event since a day before the first pool is in it. */
  readonly whole: boolean
}

export const NO_HISTORY: History = {
  words: [],
  pairs: [],
  naming: [],
  transfers: [],
  birth: null,
  atBirth: new Map(),
  whole: false
}

/** Events beyond these are a market's noise; a token with more cannot be read whole anyway. */
const MAX_LOGS = 6_000
const MAX_PAIRS = 2_000
const TIMEOUT = "3 seconds"

const logsOf = (rpc: Pick<BaseRpc, "client" | "nodes">, token: Address, range: Range) =>
  readLogRange(rpc, { address: token, ...range }, MAX_LOGS).pipe(Effect.timeout(TIMEOUT))

/** All that the token ever told, asked before its age is known; null where the node does not serve as much. */
export const readEvents = (
  rpc: Pick<BaseRpc, "client">,
  token: Address
): Effect.Effect<ReadonlyArray<EvmLog> | null> =>
  readLogs(rpc.client, { address: token, fromBlock: 0n, toBlock: "latest" }).pipe(
    Effect.timeout(TIMEOUT),
    Effect.orElseSucceed(() => null)
  )

const account = (word: Hex): Address => `0x${word.slice(26)}`
const dataWords = (data: Hex): ReadonlyArray<Hex> =>
  (data.slice(2, 2 + 64 * 8).match(/.{64}/g) ?? []).map((word): Hex => `0x${word}`)
/** Eight bytes at least that are not zero, in the place of an address: anything less is a number. */
const mayBeAddress = (word: Hex): boolean =>
  word.startsWith(`0x${"0".repeat(24)}`) && !/^0{16}/.test(word.slice(26))

const digest = (logs: ReadonlyArray<EvmLog>, served: boolean): History => {
  const words = new Set<Hex>()
  const named = new Map<string, Naming>()
  const transfers: Array<Transferred> = []
  const atBirth = new Map<Address, bigint>()
  const move = (holder: Address, amount: bigint) => atBirth.set(holder, (atBirth.get(holder) ?? 0n) + amount)
  let birth: Hex | null = null
  for (const { topics, data, transactionHash } of logs.slice(0, MAX_LOGS)) {
    const [event, first, second, third] = topics
    for (const word of [first, second, third]) if (word !== undefined) words.add(word)
    for (const word of dataWords(data)) if (mayBeAddress(word)) words.add(word)
    if (first === undefined || second === undefined) continue
    if (event !== TRANSFER) {
      const name = `${first}${second}`
      const kind = event === APPROVAL ? "approval" : "other"
      if (!named.has(name) || (kind === "approval" && named.get(name)?.event === "other"))
        named.set(name, { event: kind, pair: [first, second], transaction: transactionHash })
    } else {
      const [from, to, amount] = [account(first), account(second), wordAt(data, 0) ?? 0n]
      transfers.push({ from, to })
      if (birth === null && from === ZERO_ADDRESS) birth = transactionHash
      if (birth !== transactionHash) continue
      move(from, -amount)
      move(to, amount)
    }
  }
  const whole = served && logs.length <= MAX_LOGS
  const naming = [...named.values()].slice(0, MAX_PAIRS)
  const pairs = naming.map(({ pair }) => pair)
  return { words: [...words], pairs, naming, transfers, birth, atBirth, whole }
}

/**
 * The token's events since shortly before its first pool, or of its launch and of now where no node serves more.
 * An aid: a node without logs gives none, and whatever is concluded from them must be proven otherwise.
 * @param age seconds since the first pool was created; null where nobody knows
 */
const readHistory = (
  rpc: Pick<BaseRpc, "client" | "nodes">,
  token: Address,
  blockNumber: bigint,
  age: bigint | null
): Effect.Effect<History> => {
  const range = sinceLaunch(blockNumber, age)
  const whole = logsOf(rpc, token, range)
  const windows = launchAndNow(range, launchBlock(blockNumber, age))
  const parts = Effect.forEach(windows, (part) => logsOf(rpc, token, part), { concurrency: 2 }).pipe(
    Effect.map((found) => digest(found.flat(), false))
  )
  return whole.pipe(
    Effect.map((found) => digest(found, age !== null)),
    Effect.catchTag("UpstreamError", () => parts),
    Effect.catchAll(() => Effect.succeed(NO_HISTORY))
  )
}

/** Beside what the first wave waits for; a node that takes longer is asked for less. */
const PATIENCE = "250 millis"

/** What was asked beside the first wave, where it comes in time; null where it does not. */
export const inTime = <A>(asked: Fiber.Fiber<A>): Effect.Effect<A | null> =>
  Effect.flatMap(
    asked.poll,
    Option.match({
      onNone: () =>
        Fiber.join(asked).pipe(
          Effect.timeout(PATIENCE),
          Effect.orElseSucceed(() => null)
        ),
      // Nearly always it is there, and whoever asks for it need not wait for a limit to be set.
      onSome: (exit) => exit
    })
  )

/** The history that all events of a token tell, by the range of its age. */
export const historyIn = (all: ReadonlyArray<EvmLog>, blockNumber: bigint, age: bigint | null): History => {
  const { fromBlock, toBlock } = sinceLaunch(blockNumber, age)
  return digest(
    all.filter(({ blockNumber: at }) => at >= fromBlock && at <= toBlock),
    age !== null
  )
}

/**
 * The token's history, from all its events where they come in time, and else by the range of its age.
 * @param age seconds since the first pool was created; null where nobody knows
 */
export const historyOf = (
  rpc: Pick<BaseRpc, "client" | "nodes">,
  token: Address,
  blockNumber: bigint,
  age: bigint | null,
  events: Fiber.Fiber<ReadonlyArray<EvmLog> | null>
): Effect.Effect<History> =>
  Effect.flatMap(inTime(events), (all) =>
    all === null
      ? readHistory(rpc, token, blockNumber, age)
      : Effect.sync(() => historyIn(all, blockNumber, age))
  )
