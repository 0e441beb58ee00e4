/** What a token's pools held before: some minutes ago, and at moments of the last month. */
import { describe, expect, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import {
  type Address,
  concat,
  encodeAbiParameters,
  erc20Abi,
  keccak256,
  numberToHex,
  parseAbiParameters,
  parseEther
} from "viem"
import { SPACING, STAGE_HOOKS, addV4 } from "../../../scripts/attacks/concentrated.ts"
import { type Stage, addV2, people, startStage } from "../../../scripts/attacks/stage.ts"
import { directAnalyser } from "../../../scripts/eval/direct-analyser.ts"
import { ownArtifact } from "../../../scripts/sandbox/artifacts.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { known } from "../../../src/domain/fact.ts"
import { ZERO_ADDRESS, lower } from "../../../src/screening/base/addresses.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { lockerList } from "../../../src/screening/base/pools/lp-lock.ts"
import { v4Candidate } from "../../../src/screening/base/pools/pool-search.ts"
import { poolIdOf, v4Key } from "../../../src/screening/base/pools/v4.ts"
import { readAids } from "../../../src/screening/base/reads/aids.ts"
import { drawMoments, reservesAgo, reservesAt } from "../../../src/screening/base/reads/past.ts"
import { simulateTrades } from "../../../src/screening/base/simulation/simulate.ts"
import { tryWallets } from "../../../src/screening/base/simulation/wallet-trial.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { pair } from "../../support/base/fixtures.ts"
import { refOf } from "../../support/base/sandbox-world.ts"

const DAY_BLOCKS = 43_200n
const SUPPLY = parseEther("1000000")

class Local extends Context.Tag("test/Past")<Local, Stage>() {
  static readonly layer = Layer.scoped(Local, startStage)
}

const deployed = (stage: Stage) =>
  Effect.promise(() =>
    stage.devnet.deploy(
      people.deployer,
      concat([
        ownArtifact("PlainToken").bytecode,
        encodeAbiParameters(
          [{ type: "string" }, { type: "string" }, { type: "uint256" }],
          ["Coin", "COIN", SUPPLY]
        )
      ])
    )
  )

const rpcOf = ({ url }: Stage) =>
  makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "20 seconds", concurrency: 32 })

/** A V4 pool of one ether, and the node it is read from. */
const listed = Effect.gen(function* () {
  const stage = yield* Local
  const add = (token: Address, part: bigint) =>
    Effect.promise(() =>
      addV4(stage, token, { tokens: SUPPLY / part, ether: parseEther("100") / part, lp: "burned" })
    )
  const token = yield* deployed(stage)
  yield* add(token, 100n)
  const rpc = yield* rpcOf(stage)
  const key = v4Key(lower(token), ZERO_ADDRESS, { ...STAGE_HOOKS.none, tickSpacing: SPACING })
  const pool = v4Candidate(lower(token), key, poolIdOf(key))
  if (pool?.v4 === undefined) throw new Error("no pool")
  const mine = (blocks: number) => Effect.promise(() => stage.devnet.request("anvil_mine", [blocks]))
  const now = Effect.promise(() => stage.devnet.client.getBlockNumber({ cacheTime: 0 }))
  return { add, mine, now, pool, poolId: pool.v4.poolId, rpc, token }
})

layer(Local.layer, { excludeTestServices: true, timeout: "2 minutes" })("what a V4 pool held", (it) => {
  it.effect("some minutes ago is counted by its ticks, as what it holds now is", () =>
    Effect.gen(function* () {
      const { mine, now, pool, poolId, rpc, token } = yield* listed
      yield* mine(200)
      const first = { blockNumber: yield* now, blockTime: 0n, decimals: 18, market: known([]) }
      const aids = yield* readAids(rpc, lower(token), first, [pool], drawMoments)
      expect(aids.held.get(poolId)?.amount0).toBeGreaterThan(parseEther("0.9"))
      expect(aids.earlier.get(poolId)).toBe(aids.held.get(poolId)?.amount0)
    })
  )

  it.effect("is what stood there then, however much was added since", () =>
    Effect.gen(function* () {
      const { add, mine, now, pool, poolId, rpc, token } = yield* listed
      const poor = yield* now
      yield* mine(20)
      yield* add(token, 2n)
      const blockNumber = yield* now
      const at = (blocks: bigint) =>
        reservesAgo(rpc, lower(token), { blockNumber, decimals: 18 }, [pool], blocks)
      expect((yield* at(blockNumber - poor))?.get(poolId)).toBeLessThan(parseEther("1"))
      expect((yield* at(0n))?.get(poolId)).toBeGreaterThan(parseEther("50"))
      expect((yield* at(blockNumber - 1n))?.get(poolId)).toBe(0n)
    })
  )
})

layer(Local.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "liquidity of the last minutes",
  (it) => {
    it.effect("keeps a ping from calling a token safe that deep does not", () =>
      Effect.gen(function* () {
        const stage = yield* Local
        const token = yield* deployed(stage)
        const add = (percent: bigint) =>
          Effect.promise(() =>
            addV2(stage, token, (SUPPLY * percent) / 100n, { ether: parseEther("1") * percent }, "burned")
          )
        yield* add(50n)
        yield* Effect.promise(() => stage.devnet.request("anvil_mine", [200]))
        const rpc = yield* rpcOf(stage)
        const plan = makeBasePlan({
          rpc,
          pairs: () => Effect.succeed([]),
          analyser: directAnalyser(),
          simulate: simulateTrades,
          wallets: tryWallets,
          lockers: lockerList([])
        })
        const judged = Effect.map(plan.screen(refOf(token)), assess)
        expect(yield* judged).toMatchObject({ verdict: "allow", safe: true })
        yield* add(50n)
        expect(yield* judged).toMatchObject({ verdict: "caution", safe: null })
      })
    )
  }
)

const ENTRY = parseAbiParameters("address, uint256")
/** Source: scripts/contracts/src/Tokens.sol, whose coin keeps its name, its symbol and its supply first. */
const BALANCES = 3n
const LOTS = numberToHex(10n ** 30n, { size: 32 })
const LONG = { month: [6n, 5n, 4n], halfYear: [9n, 8n, 7n] }

layer(Local.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "a coin that was born with a balance beyond its supply",
  (it) => {
    it.effect.each([
      { ether: 8n, days: 40, verdict: "caution" },
      { ether: 8n, days: 179, verdict: "caution" },
      { ether: 8n, days: 180, verdict: "allow" },
      { ether: 90n, days: 40, verdict: "allow" },
      { ether: 90n, days: 29, verdict: "caution" }
    ])("$ether ether against it for $days days: $verdict", ({ days, ether, verdict }) =>
      Effect.gen(function* () {
        const stage = yield* Local
        const token = yield* deployed(stage)
        const friend: Address = `0x${keccak256(token).slice(26)}`
        const ghost = keccak256(encodeAbiParameters(ENTRY, [friend, BALANCES]))
        yield* Effect.promise(() => stage.devnet.request("anvil_setStorageAt", [token, ghost, LOTS]))
        yield* Effect.promise(() =>
          addV2(stage, token, (SUPPLY * 9n) / 10n, { ether: parseEther(String(ether)) }, "burned")
        )
        yield* Effect.promise(() => stage.devnet.request("anvil_mine", [130]))
        const { timestamp } = yield* Effect.promise(() => stage.devnet.client.getBlock())
        const createdAt = (Number(timestamp) - days * 86_400) * 1_000
        const plan = makeBasePlan({
          rpc: yield* rpcOf(stage),
          pairs: () => Effect.succeed([pair({ priceUsd: null, liquidityUsd: null, createdAt })]),
          analyser: directAnalyser(),
          simulate: simulateTrades,
          wallets: tryWallets,
          lockers: lockerList([]),
          moments: Effect.succeed(LONG)
        })
        const held = { address: token, abi: erc20Abi, functionName: "balanceOf", args: [friend] } as const
        expect(yield* Effect.promise(() => stage.devnet.client.readContract(held))).toBe(BigInt(LOTS))
        expect(assess(yield* plan.screen(refOf(token)))).toMatchObject({ verdict })
      })
    )
  }
)

describe("the moments at which an old token's pools must have held money", () => {
  it.effect.each([
    { age: "month", first: 30n, spans: [12n, 28n, 1n, 11n] },
    { age: "halfYear", first: 180n, spans: [105n, 170n, 35n, 100n] }
  ] as const)("are the whole $age ago and two that nobody knows before", ({ age, first, spans }) =>
    Effect.gen(function* () {
      const drawn = (yield* Effect.replicateEffect(drawMoments, 50)).map((moments) => moments[age])
      const [long, longest, short, shortest] = spans.map((days) => days * DAY_BLOCKS)
      for (const [whole, earlier = 0n, later = 0n, ...more] of drawn) {
        expect(whole).toBe(first * DAY_BLOCKS)
        expect(earlier).toBeGreaterThanOrEqual(long ?? 0n)
        expect(earlier).toBeLessThan(longest ?? 0n)
        expect(later).toBeGreaterThanOrEqual(short ?? 0n)
        expect(later).toBeLessThan(shortest ?? 0n)
        expect(more).toEqual([])
      }
      expect(new Set(drawn.map(String)).size).toBeGreaterThan(40)
    })
  )

  it.effect("show nothing where one of them was not shown, or there is none", () =>
    Effect.gen(function* () {
      const held = new Map([["pool", 1n]])
      const ago = (blocks: bigint) => Effect.succeed(blocks === 7n ? null : held)
      expect(yield* reservesAt([1n, 2n], ago)).toEqual([held, held])
      expect(yield* reservesAt([1n, 7n], ago)).toBeNull()
      expect(yield* reservesAt([], ago)).toBeNull()
    })
  )
})
