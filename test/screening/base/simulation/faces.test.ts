import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Random, Scope } from "effect"
import { keccak256 } from "viem"
import { code } from "../../../../src/screening/base/simulation/probe.artifact.ts"
import { simulateTrades } from "../../../../src/screening/base/simulation/simulate.ts"
import { code as spenderCode } from "../../../../src/screening/base/simulation/spender.artifact.ts"
import { tryWallets } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { TestChain } from "../../../support/base/simulation/chain.ts"
import { compile } from "../../../support/base/simulation/compile.ts"

const scope = Effect.runSync(Scope.make())
let chain: TestChain
let faced: ReturnType<ReturnType<typeof compile>>

beforeAll(async () => {
  chain = await Effect.runPromise(Scope.extend(TestChain.start, scope))
  faced = compile("../../attacks/faces/Faces.sol")("Faced")
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** Faces of `Faces.sol`. */
const FACE = {
  code: 0,
  purse: 1,
  asked: 2,
  crowd: 3,
  unlimited: 4,
  clock: 5,
  randomness: 6,
  parts: 7
} as const

const traded = async (face: keyof typeof FACE) => {
  const args = [BigInt(FACE[face]), keccak256(code), keccak256(spenderCode)]
  const token = await chain.deploy(faced, args)
  const pool = await chain.v2Pool(token)
  await chain.send(token, "setPair(address)", [pool.address])
  return pool
}

/** What a run draws is drawn from the name, so that a test sees the same every time. */
const drawn = <A>(name: string, run: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.withRandom(run, Random.make(name)))

/** Sales that wallets could not make. */
const refusals = async (face: keyof typeof FACE, name: string): Promise<ReadonlyArray<string>> => {
  const pool = await traded(face)
  const { number, timestamp } = await chain.client.getBlock()
  const fact = await drawn(name, tryWallets(chain.rpc, [pool], { blockNumber: number, blockTime: timestamp }))
  if (!fact.known) throw new Error(fact.why)
  const { sales, whale } = fact.value
  return [...sales, ...(whale === null ? [] : [whale])].flatMap((sale) => (sale.sold ? [] : [sale.name]))
}

const isTrap = async (face: keyof typeof FACE): Promise<boolean> => {
  const pool = await traded(face)
  const blockNumber = await Effect.runPromise(chain.rpc.blockNumber)
  const input = { token: pool.token, pools: [pool], holders: Effect.succeed([]), blockNumber }
  const fact = await drawn("trials", simulateTrades(chain.rpc, input))
  return fact.known && (fact.value.honeypot || fact.value.inconsistent)
}

describe("a token that sells to trials alone is found", () => {
  it.each(["code", "purse", "parts"] as const)(
    "where trials by contracts were known by their %s",
    async (face) => {
      expect(await isTrap(face)).toBe(true)
    }
  )

  it.each(["asked", "crowd"] as const)("where wallets were known by %s", async (face) => {
    expect(await refusals(face, "any")).toHaveLength(6)
  })

  it("where blocks of the first minutes were not two seconds apart", async () => {
    expect(await refusals("clock", "any")).toEqual(
      expect.arrayContaining(["sell soon", "sell second", "sell whale"])
    )
  })

  it.each(["purse", "unlimited", "randomness"] as const)(
    "where wallets had always the same %s: in one run or the next it is another",
    async (face) => {
      const runs = [await refusals(face, "one"), await refusals(face, "two")]
      expect(runs.flat().length).toBeGreaterThan(0)
    }
  )
})
