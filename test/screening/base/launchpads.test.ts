import { describe, expect, it } from "@effect/vitest"
import type { Address } from "viem"
import { WETH, ZERO_ADDRESS } from "../../../src/screening/base/addresses.ts"
import { UNISWAP_V3_POSITIONS } from "../../../src/screening/base/pools/factories.ts"
import {
  launchpadHolders,
  readLaunchpads,
  readLockedPositions,
  sharesOfLocked
} from "../../../src/screening/base/pools/launchpads.ts"
import { CLANKER_HOOKS, ZORA_HOOKS, poolIdOf, v4Key } from "../../../src/screening/base/pools/v4.ts"
import { answer, ask } from "../../support/base/answers.ts"
import { OWNER, POOL, TOKEN, pool } from "../../support/base/fixtures.ts"

/** The factories as deployed on Base, each with the locker that holds its positions. */
const CLANKER_V4: Address = "0xe85a59c628f7d27878aceb4bf3b35733630083a9"
const CLANKER_V4_LOCKER: Address = "0x63d2dfea64b3433f4071a98665bcd7ca14d93496"
const CLANKER_V31: Address = "0x2a787b2362021cc3eea3c24c4748a6cd5b687382"
const CLANKER_V31_LOCKER: Address = "0x33e2eda238edcf470309b8c6d228986a1204c8f9"
const ZORA_FACTORY: Address = "0x777777751622c0d3258f214f9df38e35bf45baf3"
const AIRLOCK: Address = "0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12"

const hook = CLANKER_HOOKS[0] ?? ZERO_ADDRESS
const clanker = (locker: Address, ofHook: Address = hook) =>
  answer(CLANKER_V4, "0x22adcdb1", [TOKEN], 32, TOKEN, ofHook, locker, 128, 0)
const v4Pool = (hooks: Address) => pool({ kind: "v4", v4: { poolId: `0x${"44".repeat(32)}`, hooks } })
const holders = (claims: ReturnType<typeof clanker>, hooks: Address) => [
  ...launchpadHolders(ask(readLaunchpads(TOKEN), [claims]).launchpad, v4Pool(hooks))
]

const UNIT = 10n ** 18n

/** The share of a pool at the price of one that Clanker's locker keeps; undefined where no position of it is known. */
const lockedIn = ({
  owner = CLANKER_V31_LOCKER,
  liquidity = 1000n * UNIT,
  tickLower = -887_220,
  tickUpper = 887_220,
  isTold = true
}) => {
  const positionId = 77n
  const record = answer(CLANKER_V31, "0x06562980", [TOKEN], TOKEN, positionId, CLANKER_V31_LOCKER)
  const { launchpad } = ask(readLaunchpads(TOKEN), [record])
  const [token0, token1] = BigInt(TOKEN) < BigInt(WETH) ? [TOKEN, WETH] : [WETH, TOKEN]
  const [lower, upper] = token0 === TOKEN ? [tickLower, tickUpper] : [-tickUpper, -tickLower]
  const v3 = { address: POOL, dex: "uniswap-v3", quote: WETH, feePips: 10_000 }
  const [position] = ask(readLockedPositions(launchpad, [v3]), [
    answer(UNISWAP_V3_POSITIONS, "0x6352211e", [positionId], owner),
    answer(
      UNISWAP_V3_POSITIONS,
      "0x99fbab88",
      [positionId],
      0,
      0,
      token0,
      token1,
      10_000,
      BigInt.asUintN(256, BigInt(lower)),
      BigInt.asUintN(256, BigInt(upper)),
      liquidity
    ),
    ...(isTold ? [answer(POOL, "0x1a686502", [], 1000n * UNIT)] : []),
    answer(POOL, "0x3850c7bd", [], 2n ** 96n, 0n)
  ])
  const reserves = { quoteReserve: 1000n * UNIT, tokenReserve: 1000n * UNIT }
  return position === undefined
    ? undefined
    : sharesOfLocked(position, { token: TOKEN, quote: WETH, ...reserves }).locked
}

const FLAUNCH_HOOK: Address = "0x51bba15255406cfe7099a42183302640ba7dafdc"

describe("a launchpad's liquidity", () => {
  it("of Clanker v4 is what its lockers hold, where its factory names a known hook and locker for that pool", () => {
    expect(holders(clanker(CLANKER_V4_LOCKER), hook)).toEqual(
      expect.arrayContaining([CLANKER_V4_LOCKER, hook])
    )
    expect(holders(clanker(CLANKER_V4_LOCKER), ZERO_ADDRESS)).toEqual([])
    expect(holders(clanker(OWNER), hook)).toEqual([])
    expect(holders(clanker(CLANKER_V4_LOCKER, OWNER), OWNER)).toEqual([])
  })

  it("is not believed from a factory's record of another token", () => {
    const other = answer(CLANKER_V4, "0x22adcdb1", [TOKEN], 32, OWNER, hook, CLANKER_V4_LOCKER, 128, 0)
    expect(holders(other, hook)).toEqual([])
  })

  it("of Zora is what Zora's hook holds, where the factory made the coin", () => {
    const zoraHook = ZORA_HOOKS[0] ?? ZERO_ADDRESS
    const made = (version: number) => answer(ZORA_FACTORY, "0x885efbd2", [TOKEN], version)
    expect(holders(made(4), zoraHook)).toEqual([zoraHook])
    expect(holders(made(0), zoraHook)).toEqual([])
    expect(holders(made(4), OWNER)).toEqual([])
  })

  it("of Flaunch is what the hook holds in the very pool its PositionManager names", () => {
    const key = v4Key(TOKEN, "0x000000000d564d5be76f7f0d28fe52605afc7cf8", {
      fee: 0,
      tickSpacing: 60,
      hooks: FLAUNCH_HOOK
    })
    const named = answer(
      FLAUNCH_HOOK,
      "0x55d1cb60",
      [TOKEN],
      key.currency0,
      key.currency1,
      key.fee,
      key.tickSpacing,
      key.hooks
    )
    const { launchpad, keys } = ask(readLaunchpads(TOKEN), [named])
    expect(keys).toEqual([key])
    const own = pool({ kind: "v4", v4: { poolId: poolIdOf(key), hooks: FLAUNCH_HOOK } })
    expect([...launchpadHolders(launchpad, own)]).toEqual([FLAUNCH_HOOK])
    expect([...launchpadHolders(launchpad, v4Pool(FLAUNCH_HOOK))]).toEqual([])
  })

  const asset = (
    migrator: Address,
    initializer: Address = "0xd59ce43e53d69f190e15d9822fb4540dccc91178",
    timelock: Address = ZERO_ADDRESS
  ) => answer(AIRLOCK, "0x1652e7b7", [TOKEN], WETH, timelock, 0, migrator, initializer, 0)

  it("of Doppler has the hook that its timelock rules, where the initializer asks one that can be changed", () => {
    const ruler = (initializer?: Address) =>
      ask(readLaunchpads(TOKEN), [asset(OWNER, initializer, OWNER)]).hookRuler
    expect(ruler("0xbdf938149ac6a781f94faa0ed45e6a0e984c6544")).toBe(OWNER)
    expect(ruler()).toBeNull()
    expect(ask(readLaunchpads(TOKEN), []).hookRuler).toBeNull()
  })

  it("of Doppler is only proven where nothing can migrate it", () => {
    const noMigration = ask(readLaunchpads(TOKEN), [asset("0x6ddfed58d238ca3195e49d8ac3d4cea6386e5c33")])
    expect(noMigration.launchpad?.name).toBe("doppler")
    expect(ask(readLaunchpads(TOKEN), [asset(OWNER)]).launchpad).toBeUndefined()
  })

  it("of Clanker v3 is locked while the locker owns the position that is the pool's liquidity", () => {
    expect(lockedIn({})).toBe(1)
    expect(lockedIn({ liquidity: 900n * UNIT })).toBeCloseTo(0.9, 6)
    expect(lockedIn({ owner: OWNER })).toBeUndefined()
    // Of how much it would have to be is not known.
    expect(lockedIn({ isTold: false })).toBeUndefined()
  })

  it("of Clanker v3 is not what others put beneath the price, where the locker's has no part in it", () => {
    // Sold down below where the launch began: all liquidity in range is somebody else's.
    expect(lockedIn({ tickLower: 60, tickUpper: 887_220 })).toBe(0)
    // Just above it: the locker's is all liquidity in range, and next to no money.
    expect(lockedIn({ tickLower: -60, tickUpper: 887_220 })).toBeCloseTo(0.003, 4)
  })

  it("is nothing where no launchpad knows the token, whatever the token says of itself", () => {
    const claimed = v4Key(TOKEN, WETH, {
      fee: 30_000,
      tickSpacing: 200,
      hooks: ZORA_HOOKS[0] ?? ZERO_ADDRESS
    })
    const itself = answer(
      TOKEN,
      "0x683e76e0",
      [],
      claimed.currency0,
      claimed.currency1,
      claimed.fee,
      claimed.tickSpacing,
      claimed.hooks
    )
    const { launchpad, keys } = ask(readLaunchpads(TOKEN), [itself])
    expect(launchpad).toBeUndefined()
    expect(keys).toEqual([claimed])
  })
})
