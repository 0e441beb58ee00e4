/** Asks a chain whether the contracts of the registry are there and are what their rows say. */
import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { createPublicClient, encodeFunctionData, http, parseAbi } from "viem"
import {
  ALGEBRA_FACTORIES,
  EXCHANGE_ROWS,
  MANAGER_ROWS,
  SLIPSTREAM_ROWS,
  V2_FACTORIES,
  V3_FACTORIES
} from "../../src/screening/base/pools/registry/exchanges.ts"
import { REGISTRY } from "../../src/screening/base/pools/registry/registry.ts"
import { USDC, WETH } from "../../src/screening/base/addresses.ts"

/** Base's first block: only there every contract of the registry must stand. */
const BASE_GENESIS: Hex = "0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd"

const abi = parseAbi([
  "function getPair(address, address) view returns (address)",
  "function getPool(address, address, uint24) view returns (address)",
  "function getPool(address, address, int24) view returns (address)",
  "function poolByPair(address, address) view returns (address)",
  "function factory() view returns (address)",
  "function poolManager() view returns (address)"
])

interface Question {
  readonly to: Address
  readonly what: string
  readonly data: Hex
  /** Absent where any account will do. */
  readonly answer?: Address
}

const factoryOf = new Map<string, Address>([
  ...V3_FACTORIES.map(({ dex, address }) => [dex, address] as const),
  ...SLIPSTREAM_ROWS.map(
    ({ address }, index) =>
      [index === 0 ? "aerodrome-slipstream" : `aerodrome-slipstream-${index + 1}`, address] as const
  )
])

const ask = (functionName: "factory" | "poolManager"): Hex => encodeFunctionData({ abi, functionName })
const poolOf = "getPool(address, address, uint24)"

/** What a contract must answer to be what its row says it is. */
const questions: ReadonlyArray<Question> = [
  ...V2_FACTORIES.map(({ address, what }) => ({
    to: address,
    what: `${what}: getPair`,
    data: encodeFunctionData({ abi, functionName: "getPair", args: [WETH, USDC] })
  })),
  ...V3_FACTORIES.map(({ address, what }) => ({
    to: address,
    what: `${what}: ${poolOf}`,
    data: encodeFunctionData({
      abi: parseAbi([`function ${poolOf} view returns (address)`]),
      args: [WETH, USDC, 500]
    })
  })),
  ...ALGEBRA_FACTORIES.map(({ address, what }) => ({
    to: address,
    what: `${what}: poolByPair`,
    data: encodeFunctionData({ abi, functionName: "poolByPair", args: [WETH, USDC] })
  })),
  ...MANAGER_ROWS.flatMap(({ address, dex, what }): ReadonlyArray<Question> => {
    const answer = factoryOf.get(dex)
    return answer === undefined
      ? []
      : [{ to: address, what: `${what}: factory`, data: ask("factory"), answer }]
  }),
  ...[EXCHANGE_ROWS.stateView, EXCHANGE_ROWS.positionManager].map(({ address, what }) => ({
    to: address,
    what: `${what}: poolManager`,
    data: ask("poolManager"),
    answer: EXCHANGE_ROWS.poolManager.address
  }))
]

/** What a chain has of the registry. */
export interface RegistryCheck {
  readonly rows: number
  readonly present: number
  /** Why the evaluation must not go on; empty where all is as the registry says. */
  readonly mismatches: ReadonlyArray<string>
}

/** Rejects where the chain does not answer. */
export const checkRegistry = async (url: string): Promise<RegistryCheck> => {
  const client = createPublicClient({ transport: http(url, { retryCount: 3 }) })
  const genesis = await client.getBlock({ blockNumber: 0n }).catch(() => null)
  const isBase = genesis?.hash === BASE_GENESIS
  const rows = [...new Map(REGISTRY.map((row) => [row.address, row])).values()]
  const codes = new Map<Address, boolean>()
  for (const { address } of rows) codes.set(address, ((await client.getCode({ address })) ?? "0x") !== "0x")
  const mismatches = isBase
    ? rows
        .filter(({ address }) => codes.get(address) !== true)
        .map(({ what, address }) => `${what} (${address}): no code`)
    : []
  for (const { to, what, data, answer } of questions) {
    if (codes.get(to) !== true) continue
    const reply = await client.call({ to, data }).catch(() => null)
    const word = reply?.data
    const isAccount = word !== undefined && /^0x0{24}[0-9a-f]{40}$/.test(word)
    if (!isAccount || (answer !== undefined && BigInt(word) !== BigInt(answer)))
      mismatches.push(`${what} (${to}): answers otherwise`)
  }
  return { rows: rows.length, present: [...codes.values()].filter((is) => is).length, mismatches }
}

/** Ends the run where the chain contradicts the registry: verdicts on it would say nothing. */
export const requireRegistry = (url: string): Effect.Effect<RegistryCheck> =>
  Effect.promise(() => checkRegistry(url)).pipe(
    Effect.tap(({ mismatches }) =>
      mismatches.length === 0
        ? Effect.void
        : Effect.dieMessage(`the registry is not what stands on this chain:\n${mismatches.join("\n")}`)
    )
  )
