/** A Solana in memory with encoders of its own, and market data that says what it is told: for attacks and outages. */
import { ConfigProvider, Context, Effect, Layer, Option, Schema } from "effect"
import { makeBaseRpc } from "../../../src/chain/base-rpc.ts"
import type { SolanaAccount, SolanaRpc, SolanaTokenBalance } from "../../../src/chain/chain-rpc.ts"
import { ChainRpc } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import type { UpstreamName } from "../../../src/domain/errors.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import type { MarketPair, RugCheckReport } from "../../../src/market/market-data.ts"
import { MarketData } from "../../../src/market/market-data.ts"
import { SolanaPlan } from "../../../src/screening/screener.ts"
import { associatedTokenAccount, seedOf } from "../../../src/chain/program-address.ts"
import { CURVE_GLOBAL, SWAP_GLOBAL } from "../../../src/screening/solana/simulation/swaps/pump.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { SolanaPlanLive } from "../../../src/screening/solana/plan.ts"
import { account, encodeTokenAccount, wallet, bytes } from "./encode.ts"
import { historyCall } from "./fake-history.ts"
import type { Behaviour } from "./fake-node.ts"
import { NOW_SECONDS, NOW_SLOT, simulated } from "./fake-node.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { turn } from "../test-clock.ts"

/** Which source does not answer. `largest` is the node's list of holders alone, `programs` its search by program, `history` its ledger. */
export type Outage =
  "solana-rpc" | "dexscreener" | "rugcheck" | "largest" | "programs" | "simulation" | "history"

export interface FakeWorld {
  readonly accounts: Map<SolanaAddress, SolanaAccount>
  readonly largest: Map<SolanaAddress, ReadonlyArray<SolanaTokenBalance>>
  readonly pairs: Map<string, ReadonlyArray<MarketPair>>
  readonly reports: Map<string, RugCheckReport>
  readonly down: Set<Outage>
  /** RPC round trips since the start. */
  readonly calls: Array<string>
  readonly extraLockers: Array<SolanaAddress>
  /** How long the node takes for each answer. */
  latencyMs?: number
  /** The slot of the node that answers a read of these accounts. */
  slotOf?: (addresses: ReadonlyArray<SolanaAddress>) => bigint
  /** The slot at which the node lists balances. */
  listedAt?: bigint
  /** The slot at which the node lists a program's accounts; null where it names none. */
  searchedAt?: bigint | null
  /** What an account held so many days ago; absent: what it holds today. Null: nothing had ever named it. */
  heldBefore?: (account: SolanaAddress, days: number, today: bigint) => bigint | null
  /** Whose an account was so many days ago; absent: whose it is today. Null: the node did not write it down. */
  ownedBefore?: (account: SolanaAddress, days: number, today: SolanaAddress) => SolanaAddress | null
  /** How the programs behave when the node simulates them. */
  behaviour: Behaviour
}

/** Who pays for simulated trades in these worlds: has SOL and dollars. */
const PAYER = wallet("payer of trials")

/** The settings of pump.fun's two programs, with somebody to pay fees to. */
const pumpSettings = (owner: SolanaAddress, size: number, offsets: ReadonlyArray<number>) =>
  account(
    owner,
    bytes(
      size,
      offsets.map((offset) => [offset, wallet(`payee ${offset}`)] as const)
    )
  )

export const makeFakeWorld = (): FakeWorld => ({
  accounts: new Map([
    [
      at.CLOCK_SYSVAR,
      account(
        at.SYSTEM_PROGRAM,
        bytes(40, [
          [0, NOW_SLOT],
          [16, 500n],
          [32, NOW_SECONDS]
        ])
      )
    ],
    [PAYER, { ...account(at.SYSTEM_PROGRAM, new Uint8Array()), lamports: 10n ** 15n }],
    [CURVE_GLOBAL, pumpSettings(at.program.pumpCurve, 1000, [41, 483, 741])],
    [SWAP_GLOBAL, pumpSettings(at.program.pumpSwap, 1000, [57, 385, 643])],
    ...[at.USDC, at.USDT, at.USD1].map(
      (dollar) =>
        [
          associatedTokenAccount(PAYER, dollar, at.TOKEN_PROGRAM),
          encodeTokenAccount(dollar, PAYER, 10n ** 15n)
        ] as const
    )
  ]),
  largest: new Map(),
  pairs: new Map(),
  reports: new Map(),
  down: new Set(),
  calls: [],
  extraLockers: [],
  behaviour: {}
})

const broken = (upstream: UpstreamName) => new UpstreamError({ upstream, kind: "timeout", detail: "down" })

const slowly = (world: FakeWorld) =>
  world.latencyMs === undefined ? Effect.void : Effect.sleep(world.latencyMs)

export const fakeRpc = (world: FakeWorld): SolanaRpc => ({
  getAccounts: (addresses, options) =>
    Effect.andThen(
      slowly(world),
      Effect.suspend(() => {
        world.calls.push("getAccounts")
        if (world.down.has("solana-rpc")) return broken("solana-rpc")
        if (addresses.length > 100) return Effect.dieMessage("a real node refuses more than 100")
        const cut = (found: SolanaAccount) => {
          const slice = options?.slice
          const data =
            slice === undefined ? found.data : found.data.subarray(slice.offset, slice.offset + slice.length)
          return { ...found, data }
        }
        const accounts = addresses.map((address) => {
          const found = world.accounts.get(address)
          return found === undefined ? null : cut(found)
        })
        const slot = world.slotOf?.(addresses) ?? NOW_SLOT
        if (slot < (options?.notBefore ?? 0n)) return broken("solana-rpc")
        return Effect.succeed({ slot, accounts })
      })
    ),
  getLargestTokenAccounts: (mint) =>
    Effect.andThen(
      slowly(world),
      Effect.suspend(() => {
        world.calls.push("getLargestTokenAccounts")
        const found = world.largest.get(mint)
        return world.down.has("solana-rpc") || world.down.has("largest") || found === undefined
          ? broken("solana-rpc")
          : Effect.succeed({ slot: world.listedAt ?? NOW_SLOT, balances: found })
      })
    ),
  getProgramAccounts: (program, query, slice) =>
    Effect.andThen(slowly(world), () => {
      world.calls.push("getProgramAccounts")
      if (world.down.has("solana-rpc") || world.down.has("programs")) return broken("solana-rpc")
      const wanted = seedOf(query.holds)
      const found = [...world.accounts].filter(
        ([, { data, owner }]) =>
          owner === program &&
          (query.size === undefined || data.length === query.size) &&
          wanted.every((byte, index) => data[query.offset + index] === byte)
      )
      return Effect.succeed({
        slot: world.searchedAt === undefined ? NOW_SLOT : world.searchedAt,
        accounts: found.map(([address, { data, owner }]) => ({
          address,
          owner,
          data: data.subarray(slice.offset, slice.offset + slice.length)
        }))
      })
    }),
  simulate: (transaction, accounts) =>
    Effect.andThen(slowly(world), () => {
      world.calls.push("simulate")
      return world.down.has("simulation") || world.down.has("solana-rpc")
        ? broken("solana-rpc")
        : Effect.succeed(simulated(transaction, accounts, world.behaviour))
    }),
  call: () => Effect.dieMessage("screening needs no other method"),
  together: (method, params, schema) =>
    Effect.andThen(slowly(world), () => {
      world.calls.push(method)
      return world.down.has("solana-rpc") || world.down.has("history")
        ? broken("solana-rpc")
        : Effect.mapError(Schema.decodeUnknown(schema)(historyCall(world, method, params)), () =>
            broken("solana-rpc")
          )
    }),
  nodes: [],
  urls: []
})

const fakeMarket = (world: FakeWorld): typeof MarketData.Service => ({
  pairs: ({ address }) =>
    Effect.andThen(slowly(world), () =>
      world.down.has("dexscreener") ? broken("dexscreener") : Effect.succeed(world.pairs.get(address) ?? [])
    ),
  rugReport: (mint) =>
    Effect.andThen(slowly(world), () =>
      world.down.has("rugcheck")
        ? broken("rugcheck")
        : Effect.succeed(Option.fromNullable(world.reports.get(mint)))
    )
})

/** There because the tag has both chains. Nothing of it is called. */
const BASE = Effect.runSync(
  Effect.withConfigProvider(
    makeBaseRpc,
    ConfigProvider.fromMap(new Map([["BASE_RPC_URL", "http://127.0.0.1:9"]]))
  )
)

/** A fresh plan over the world: nothing is remembered from one screening to the next. */
export const screenIn = (world: FakeWorld, mint: SolanaAddress) => screenBy(fakeRpc(world), world, mint)

/**
 * The same with the chain read by other means. The event loop goes round first: nothing here waits for anything outside, and
 * a worker that screens a hundred tokens without it hears nothing for longer than vitest waits where others burn the cores.
 */
export const screenBy = (solana: SolanaRpc, world: FakeWorld, mint: SolanaAddress) =>
  Effect.gen(function* () {
    yield* turn
    const config = new Map([
      ["EXTRA_LP_LOCKERS", world.extraLockers.join(",")],
      ["SOLANA_SIMULATION_PAYERS", PAYER]
    ])
    const chains = Layer.succeed(ChainRpc, { base: BASE, solana })
    const layer = SolanaPlanLive.pipe(
      Layer.provide(Layer.merge(chains, Layer.succeed(MarketData, fakeMarket(world)))),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(config)))
    )
    const plan = Context.get(yield* Layer.build(layer), SolanaPlan)
    const screening = yield* plan.screen({ chain: "solana", address: mint })
    return { screening, ...assess(screening) }
  }).pipe(Effect.scoped)

/** Everything that did not pass, as `ID:state`, in the table's order. */
export const findings = (screening: {
  readonly signals: ReadonlyArray<{ readonly id: string; readonly state: string }>
}): ReadonlyArray<string> =>
  screening.signals.filter(({ state }) => state !== "pass").map(({ id, state }) => `${id}:${state}`)
