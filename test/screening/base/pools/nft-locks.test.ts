import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { Address } from "viem"
import { createPublicClient, custom, encodeAbiParameters, parseAbi, parseEther } from "viem"
import { compileDirectory } from "../../../../scripts/attacks/compile.ts"
import { addV3Nft } from "../../../../scripts/attacks/concentrated.ts"
import type { Stage } from "../../../../scripts/attacks/stage.ts"
import { people, startStage, wait } from "../../../../scripts/attacks/stage.ts"
import { ownArtifact } from "../../../../scripts/sandbox/artifacts.ts"
import * as at from "../../../../scripts/sandbox/base/addresses.ts"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { WETH, lower } from "../../../../src/screening/base/addresses.ts"
import { readMints } from "../../../../src/screening/base/pools/minted.ts"
import type { PoolSides } from "../../../../src/screening/base/pools/position-reads.ts"
import { readPositions } from "../../../../src/screening/base/pools/positions.ts"

/** Where UNCX's locker of V3 positions stands on Base, and its stand-in here. */
const LOCKER = "0x231278eDd38B00B07fBd52120CEf685B9BaEBCC1"
const MARKET = join(import.meta.dirname, "..", "..", "..", "support", "base", "attacks", "market")
const LOCKS = parseAbi([
  "function allowNftPositionManager(address manager)",
  "function lock(address manager, uint256 nft, uint256 duration)",
  "function withdraw(uint256 number)"
])
const NFTS = parseAbi([
  "function approve(address to, uint256 tokenId)",
  "function ownerOf(uint256 tokenId) view returns (address)"
])
const SUPPLY = parseEther("1000000000")
/** The first NFT of a chain that was just started. */
const NFT = 1n

const scope = Effect.runSync(Scope.make())
let stage: Stage
let rpc: BaseRpc
let pool: PoolSides

beforeAll(async () => {
  stage = await Effect.runPromise(Scope.extend(startStage, scope))
  const urls = [Redacted.make(stage.url)]
  rpc = await Effect.runPromise(makeBaseRpcWith({ urls, timeout: "20 seconds", concurrency: 8 }))
  await stage.devnet.setCode(LOCKER, compileDirectory(MARKET).get("PositionLocker")?.deployedBytecode ?? "0x")
  const args = [{ type: "string" }, { type: "string" }, { type: "uint256" }] as const
  const born = encodeAbiParameters(args, ["Coin", "COIN", SUPPLY])
  const token = await stage.devnet.deploy(people.deployer, ownArtifact("PlainToken").bytecode, born)
  const deposit = { tokens: SUPPLY / 2n, ether: parseEther("5"), lp: "deployer" }
  pool = {
    kind: "v3",
    dex: "uniswap-v3",
    address: lower(await addV3Nft(stage, token, deposit)),
    token: lower(token),
    quote: WETH,
    feePips: 3000,
    tokenReserve: SUPPLY / 2n,
    quoteReserve: 0n
  }
}, 60_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const sharesBy = async (by: BaseRpc, vouched: ReadonlySet<Address> = new Set()) => {
  const { number: blockNumber, timestamp: now } = await stage.devnet.client.getBlock()
  const range = { fromBlock: 0n, toBlock: blockNumber }
  const mints = await Effect.runPromise(readMints(by, [pool], range, 0n))
  const launchpadHolders = () => new Set<Address>()
  const input = { mints, pools: [pool], launchpadHolders, vouched, blockNumber, now, range }
  const found = await Effect.runPromise(
    readPositions(by, { ...input, hasNoWayOut: () => Effect.succeed(false) })
  )
  return found.get(pool.address)
}

const lockFor = async (days: number) => {
  const { deployer } = people
  await stage.devnet.write(deployer, at.V3_POSITIONS, NFTS, "approve", [LOCKER, NFT])
  await stage.devnet.write(deployer, LOCKER, LOCKS, "lock", [at.V3_POSITIONS, NFT, BigInt(days * 86_400)])
}

/** The same node, except that it tells nothing of locks. */
const withoutLocks = (): BaseRpc => {
  const request = ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
    const isOfLocks = method === "eth_getLogs" && JSON.stringify(params).includes(lower(LOCKER))
    return isOfLocks
      ? Promise.reject(new Error("no locks here"))
      : stage.devnet.request(method, Array.isArray(params) ? params : [])
  }
  return { ...rpc, client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }) }
}

describe("an NFT in a locker", () => {
  it("is its owner's while the last lock ends within 30 days, locked where not, and neither where no node tells of it", async () => {
    await stage.devnet.write(people.deployer, LOCKER, LOCKS, "allowNftPositionManager", [at.V3_POSITIONS])
    await lockFor(29)
    expect(await sharesBy(rpc)).toMatchObject({ locked: 0, known: 1, largestFree: 1 })
    await wait(stage, 30 * 86_400)
    await stage.devnet.write(people.deployer, LOCKER, LOCKS, "withdraw", [0n])
    await lockFor(31)
    expect(await sharesBy(rpc)).toMatchObject({ locked: 1, known: 1, largestFree: 0 })
    expect(await sharesBy(withoutLocks())).toMatchObject({ locked: 0, known: 0 })
  })

  it("is locked where the operator vouches for its holder, whatever that is", async () => {
    const holder = await stage.devnet.client.readContract({
      address: at.V3_POSITIONS,
      abi: NFTS,
      functionName: "ownerOf",
      args: [NFT]
    })
    expect((await sharesBy(withoutLocks()))?.locked).toBe(0)
    expect(await sharesBy(withoutLocks(), new Set([lower(holder)]))).toMatchObject({ locked: 1, known: 1 })
  })
})
