/** How many answers of the node, one after another, a screening on Base waits for. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import {
  type Address,
  type Hex,
  concat,
  encodeAbiParameters,
  erc20Abi,
  pad,
  parseAbi,
  parseEther
} from "viem"
import { addSlipstream, addV3Nft, addV4 } from "../../../scripts/attacks/concentrated.ts"
import { type Stage, addV2, buy, people, startStage } from "../../../scripts/attacks/stage.ts"
import { weth } from "../../../scripts/sandbox/base/abi.ts"
import { PRODUCT_ROUTERS } from "../../../src/domain/base-contracts.ts"
import { directAnalyser } from "../../../scripts/eval/direct-analyser.ts"
import { type OwnContract, ownArtifact } from "../../../scripts/sandbox/artifacts.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import type { MarketPair } from "../../../src/market/market-data.ts"
import { WETH, lower } from "../../../src/screening/base/addresses.ts"
import { lockerList } from "../../../src/screening/base/pools/lp-lock.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { simulateTrades } from "../../../src/screening/base/simulation/simulate.ts"
import { tryWallets } from "../../../src/screening/base/simulation/wallet-trial.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { refOf } from "../../support/base/sandbox-world.ts"
import { pair } from "../../support/base/fixtures.ts"
import { heldBack } from "../../support/base/waves.ts"

const SUPPLY = parseEther("1000000")
const ETHER = parseEther("30")
const DAY = 86_400_000
const FILLED: Hex = `0x${"ff".repeat(32)}`
const STRANGER = "0x57a6e57a6e57a6e57a6e57a6e57a6e57a6e57a6e"
const PROXY = "0xc1a0c1a0c1a0c1a0c1a0c1a0c1a0c1a0c1a0c1a0"

class Local extends Context.Tag("test/Waves")<Local, Stage>() {
  static readonly layer = Layer.scoped(Local, startStage)
}

/** @param named words after the constructor's arguments, which the birth then names */
const coin = ({ devnet }: Stage, named: Hex = "0x", contract: OwnContract = "PlainToken"): Promise<Address> =>
  devnet.deploy(
    people.deployer,
    ownArtifact(contract).bytecode,
    concat([
      encodeAbiParameters(
        [{ type: "string" }, { type: "string" }, { type: "uint256" }],
        ["Coin", "COIN", SUPPLY]
      ),
      named
    ])
  )

type Place = (stage: Stage, token: Address) => Promise<Address>
const deposit = { tokens: SUPPLY, ether: ETHER, lp: "burned" }
const v2: Place = (stage, token) => addV2(stage, token, SUPPLY, { ether: ETHER }, "burned")

/** The token's code moves behind a minimal proxy. */
const behindProxy: Place = async (stage, token) => {
  const pool = await v2(stage, token)
  const code = await stage.devnet.client.getCode({ address: token })
  await stage.devnet.setCode(PROXY, code ?? "0x")
  await stage.devnet.setCode(token, `0x363d3d373d3d3d363d73${PROXY.slice(2)}5af43d82803e903d91602b57fd5bf3`)
  return pool
}

const bought: Place = async (stage, token) => {
  const pool = await v2(stage, token)
  for (const who of [people.victim, people.anybody, people.friend])
    await buy(stage, token, who, parseEther("0.1"))
  return pool
}

/** Somebody gave the pool ether that its reserves do not count: the next purchase brings more. */
const donated: Place = async (stage, token) => {
  const pool = await v2(stage, token)
  await stage.devnet.write(people.anybody, WETH, weth, "deposit", [], parseEther("0.01"))
  await stage.devnet.write(people.anybody, WETH, erc20Abi, "transfer", [pool, parseEther("0.01")])
  return pool
}

/** The last purchase was taxed: the token takes its fee of whatever comes to this buyer. */
const taxed: Place = async (stage, token) => {
  const pool = await v2(stage, token)
  const setPair = parseAbi(["function setPair(address)"])
  await stage.devnet.write(people.deployer, token, setPair, "setPair", [people.victim])
  await buy(stage, token, people.victim, parseEther("0.1"))
  return pool
}

/** Screens with every answer held back. */
const screened = (place: Place, age: number | null, named?: Address, contract?: OwnContract) =>
  Effect.gen(function* () {
    const stage = yield* Local
    const { token, pool, now } = yield* Effect.promise(async () => {
      const made = await coin(
        stage,
        named === undefined ? "0x" : concat([FILLED, pad(named, { size: 32 })]),
        contract
      )
      const at = await place(stage, made)
      return { token: made, pool: at, now: Number((await stage.devnet.client.getBlock()).timestamp) * 1000 }
    })
    const { asked, fetch } = heldBack()
    const rpc = yield* makeBaseRpcWith({
      urls: [Redacted.make(stage.url)],
      timeout: "20 seconds",
      concurrency: 32,
      fetch
    })
    const listed: ReadonlyArray<MarketPair> =
      age === null
        ? []
        : [pair({ pairAddress: lower(pool), quoteAddress: WETH, createdAt: now - age, priceUsd: null })]
    const plan = makeBasePlan({
      rpc,
      pairs: () => Effect.succeed(listed),
      analyser: directAnalyser(),
      simulate: simulateTrades,
      wallets: tryWallets,
      lockers: lockerList([])
    })
    const screening = yield* plan.screen(refOf(token))
    return { waves: asked(), assessment: assess(screening) }
  })

/** Waves at most: what is read of the pools that a token is traded in makes the difference. */
const cases: ReadonlyArray<
  readonly [name: string, place: Place, age: number | null, waves: number, named?: Address]
> = [
  ["a V2 pool, half a day old", v2, DAY / 2, 2],
  ["a V2 pool in which was traded", bought, DAY / 2, 2],
  ["a V2 pool, 400 days old", v2, 400 * DAY, 2],
  ["a V2 pool that nobody lists", v2, null, 2],
  // Whose an NFT is, is read when the receipt has named it.
  ["a V3 pool", (stage, token) => addV3Nft(stage, token, deposit), DAY / 2, 4],
  ["a Slipstream pool", (stage, token) => addSlipstream(stage, token, deposit), DAY / 2, 4],
  // How much money stands in it is counted by its ticks, once it is found.
  ["a V4 pool", (stage, token) => addV4(stage, token, deposit), DAY / 2, 4],
  // Where its storage may lie stands in the code behind.
  ["a V2 pool, behind a minimal proxy", behindProxy, DAY / 2, 3],
  // What a purchase brings shows only when it was made, and the story of it is asked then.
  ["a V2 pool whose purchases bring other sums than was foretold", donated, DAY / 2, 3],
  // What a router holds is asked ahead; what a stranger holds whom the birth alone names, when it was read.
  ["a V2 pool, whose birth names a router", v2, DAY / 2, 2, PRODUCT_ROUTERS.sushi],
  ["a V2 pool, whose birth names a stranger", v2, DAY / 2, 3, STRANGER]
]
/** Requests to the node at most, batches counted once. */
const REQUESTS = 24

layer(Local.layer, { excludeTestServices: true, timeout: "2 minutes" })("a cold screening on Base", (it) => {
  describe("asks its node nothing twice, and concludes, of a token with", () => {
    for (const [name, place, age, most, named] of cases)
      it.effect(`${name}: ${most} waves`, () =>
        Effect.gen(function* () {
          const { assessment, waves } = yield* screened(place, age, named)
          expect(assessment).toMatchObject({ verdict: "allow", safe: true })
          expect(waves).toHaveLength(most)
          const bodies = waves.flat()
          expect(bodies.length).toBeLessThanOrEqual(REQUESTS)
          expect(new Set(bodies).size).toBe(bodies.length)
        })
      )
  })

  it.effect(
    "asks no story ahead of a token whose events tell a tax, and asks it when the purchases are known",
    () =>
      Effect.gen(function* () {
        const stories = (wave: ReadonlyArray<string> | undefined) =>
          (wave ?? []).filter((body) => body.includes("eth_simulateV1")).length
        const { waves } = yield* screened(taxed, DAY / 2, undefined, "FeeToken")
        expect(waves.map(stories)).toEqual([0, 1, 1])
        const plain = yield* screened(bought, DAY / 2, undefined, "FeeToken")
        expect(stories(plain.waves[1])).toBe(2)
      })
  )
})
