import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Address, Hex } from "viem"
import { encodeFunctionData, keccak256, parseAbi, parseEther, toHex } from "viem"
import { addV2, people, startStage } from "../../../scripts/attacks/stage.ts"
import type { Stage } from "../../../scripts/attacks/stage.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { normalizeEvmAddress } from "../../../src/domain/address.ts"
import { undecidedFindings } from "../../../src/screening/base/power/analyse.ts"
import { B20_FACTORY, POLICY_REGISTRY } from "../../../src/screening/base/b20/interface.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { known, missing } from "../../../src/domain/fact.ts"
import { fairTrades } from "../../support/base/fixtures.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { compile } from "../../support/base/simulation/compile.ts"
import { planParts } from "../../support/base/plan-parts.ts"

const abi = parseAbi([
  "function register(address token)",
  "function create(uint64 policy, address admin, uint64[] children)",
  "function stage(uint64 policy, address pending)",
  "function put(uint64 policy, address account, bool member)",
  "function give(address to, uint256 amount, uint256 cap)",
  "function grant(bytes32 role, address account, bool granted)",
  "function seal(bytes32 role)",
  "function setPolicy(bytes32 scope, uint64 policy)",
  "function setPaused(uint8 feature, bool paused)"
])
const TOKEN: Address = "0xb20000000000000000000000aabbccddeeff0011"
const SUPPLY = parseEther("1000000")
const NO_CAP = 2n ** 128n - 1n
const ADMIN: Hex = `0x${"0".repeat(64)}`
const named = (name: string): Hex => keccak256(toHex(name))
const BLOCKLIST = 7n
const ALLOWLIST = (1n << 56n) | 8n
const UNION = (2n << 56n) | 9n

interface World {
  readonly stage: Stage
  /** Runs calls on the token or the registry, screens, and takes all of it back. */
  readonly screened: (...calls: ReadonlyArray<readonly [Address, Hex]>) => Effect.Effect<{
    readonly verdict: string
    readonly safe: boolean | null
    readonly mintAuthorityOff: boolean | null
    readonly state: (id: string) => string | undefined
    readonly message: (id: string) => string
  }>
}

/** A chain with the doubles, a native token listed with burned liquidity, and nobody holding any role. */
class Native extends Context.Tag("test/Native")<Native, World>() {
  static readonly layer = Layer.scoped(
    Native,
    Effect.gen(function* () {
      const stage = yield* startStage
      const { devnet, url } = stage
      const doubles = compile("B20.sol")
      const place = async (name: string, at: Address) => {
        const copy = await devnet.deploy(people.deployer, doubles(name).bytecode)
        await devnet.setCode(at, (await devnet.client.getCode({ address: copy })) ?? "0x")
      }
      yield* Effect.promise(async () => {
        await place("B20Factory", B20_FACTORY)
        await place("PolicyRegistry", POLICY_REGISTRY)
        await place("B20", TOKEN)
        await devnet.write(people.deployer, B20_FACTORY, abi, "register", [TOKEN])
        await devnet.write(people.deployer, TOKEN, abi, "give", [people.deployer, SUPPLY, NO_CAP])
        await addV2(stage, TOKEN, SUPPLY, { ether: parseEther("30") }, "burned")
      })
      const rpc = yield* makeBaseRpcWith({
        urls: [Redacted.make(url)],
        timeout: "20 seconds",
        concurrency: 8
      })
      const parts = planParts(rpc, () => undecidedFindings("native tokens have no code to analyse"))
      const traded = makeBasePlan(parts)
      // Roles and policies are read whatever trades show; one test trades, the others need not.
      const plan = makeBasePlan({
        ...parts,
        simulate: () => Effect.succeed(known(fairTrades)),
        wallets: () => Effect.succeed(missing("not tried here"))
      })
      const address = normalizeEvmAddress(TOKEN)
      if (address === undefined) return yield* Effect.dieMessage("no address")
      const screened: World["screened"] = (...calls) => screenedBy(calls.length === 0 ? traded : plan, calls)
      const screenedBy = (by: typeof plan, calls: ReadonlyArray<readonly [Address, Hex]>) =>
        Effect.gen(function* () {
          const snapshot = yield* Effect.promise(async () => {
            const id = await devnet.request("evm_snapshot", [])
            for (const [to, data] of calls) await devnet.send(people.deployer, to, data)
            return id
          })
          const screening = yield* Effect.orDie(by.screen({ chain: "base", address }))
          yield* Effect.promise(() => devnet.request("evm_revert", [snapshot]))
          const { safe, verdict } = assess(screening)
          const of = (id: string) => screening.signals.find((signal) => signal.id === id)
          return {
            verdict,
            safe,
            mintAuthorityOff: screening.mintAuthorityOff,
            state: (id: string) => of(id)?.state,
            message: (id: string) => of(id)?.message ?? ""
          }
        })
      return { stage, screened }
    })
  )
}

const grant = (role: Hex, who: Address): readonly [Address, Hex] => [
  TOKEN,
  encodeFunctionData({ abi, functionName: "grant", args: [role, who, true] })
]
const revoke = (role: Hex, who: Address): readonly [Address, Hex] => [
  TOKEN,
  encodeFunctionData({ abi, functionName: "grant", args: [role, who, false] })
]
const onToken = (data: Hex): readonly [Address, Hex] => [TOKEN, data]
const onRegistry = (data: Hex): readonly [Address, Hex] => [POLICY_REGISTRY, data]
const policy = (scope: string, id: bigint) =>
  onToken(encodeFunctionData({ abi, functionName: "setPolicy", args: [named(scope), id] }))
const create = (id: bigint, admin: Address, children: ReadonlyArray<bigint> = []) =>
  onRegistry(encodeFunctionData({ abi, functionName: "create", args: [id, admin, children] }))
const NOBODY: Address = "0x0000000000000000000000000000000000000000"

layer(Native.layer, { excludeTestServices: true, timeout: "1 minute" })(
  "a token that Base itself runs",
  (it) => {
    it.effect(
      "is decided by roles and policies, not by code: with nobody in power nothing is undecided",
      () =>
        Effect.gen(function* () {
          const { screened } = yield* Native
          const plain = yield* screened()
          expect(plain.mintAuthorityOff).toBe(true)
          for (const id of ["MINT_POWER", "BLACKLIST_POWER", "PAUSE_POWER", "SEIZE_POWER", "TRANSFER_PROVEN"])
            expect([id, plain.state(id), plain.message(id)]).toEqual([id, "pass", plain.message(id)])
          expect(plain).toMatchObject({ verdict: "allow", safe: true })
        })
    )

    it.effect("is never safe while somebody may mint, pause, block or seize", () =>
      Effect.gen(function* () {
        const { screened } = yield* Native
        const cases = [
          ["MINT_POWER", [grant(named("MINT_ROLE"), people.friend)]],
          ["PAUSE_POWER", [grant(named("PAUSE_ROLE"), people.friend)]],
          ["SEIZE_POWER", [grant(named("PREAUTHORIZED_SPENDER_ROLE"), people.friend)]],
          ["MINT_POWER", [grant(ADMIN, people.friend)]],
          [
            "BLACKLIST_POWER",
            [create(BLOCKLIST, people.friend), policy("TRANSFER_SENDER_POLICY", BLOCKLIST)]
          ],
          [
            "BLACKLIST_POWER",
            [
              create(BLOCKLIST, people.friend),
              create(UNION, NOBODY, [BLOCKLIST, 0n]),
              policy("TRANSFER_EXECUTOR_POLICY", UNION)
            ]
          ]
        ] as const
        for (const [id, calls] of cases) {
          const found = yield* screened(...calls)
          expect([id, found.state(id)]).toEqual([id, "fail"])
          expect(found.safe).not.toBe(true)
          expect(found.verdict).not.toBe("allow")
        }
      })
    )

    it.effect("is avoided while its transfers are paused or its policy admits nobody", () =>
      Effect.gen(function* () {
        const { screened } = yield* Native
        const paused = yield* screened(
          onToken(encodeFunctionData({ abi, functionName: "setPaused", args: [0, true] }))
        )
        expect(paused).toMatchObject({ verdict: "avoid", safe: false })
        const closed = yield* screened(
          create(ALLOWLIST, NOBODY),
          policy("TRANSFER_RECEIVER_POLICY", ALLOWLIST)
        )
        expect(closed.state("NATIVE_TRANSFERS")).toBe("fail")
        expect(closed).toMatchObject({ verdict: "avoid", safe: false })
      })
    )

    it.effect("forgets roles that were given back, and mints nothing beyond a cap that nobody can lift", () =>
      Effect.gen(function* () {
        const { screened } = yield* Native
        const returned = yield* screened(
          grant(named("MINT_ROLE"), people.friend),
          revoke(named("MINT_ROLE"), people.friend)
        )
        expect(returned.state("MINT_POWER")).toBe("pass")
        const capped = yield* screened(
          onToken(encodeFunctionData({ abi, functionName: "give", args: [people.friend, 0n, SUPPLY] })),
          grant(named("MINT_ROLE"), people.friend)
        )
        expect(capped.mintAuthorityOff).toBe(true)
      })
    )

    it.effect("is an ordinary contract where the factory does not vouch for it", () =>
      Effect.gen(function* () {
        const { screened, stage } = yield* Native
        const code = yield* Effect.promise(() => stage.devnet.client.getCode({ address: B20_FACTORY }))
        yield* Effect.promise(() => stage.devnet.setCode(B20_FACTORY, "0x"))
        const pretender = yield* screened()
        yield* Effect.promise(() => stage.devnet.setCode(B20_FACTORY, code ?? "0x"))
        expect(pretender.state("TRANSFER_PROVEN")).toBe("unknown")
        expect(pretender.safe).not.toBe(true)
      })
    )
  }
)
