import { getBase58Encoder } from "@solana/kit"
import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, TestClock } from "effect"
import { solanaAddress } from "../../scripts/sandbox/accounts.ts"
import { numberToHex } from "viem"
import { ChainRpc, type SolanaAccount } from "../../src/chain/chain-rpc.ts"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { SolanaAddress } from "../../src/domain/address.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import { SOLANA_PROGRAMS } from "../../src/domain/solana-programs.ts"
import { Receiving, ReceivingLive } from "../../src/payment/receiving.ts"

const OURS = solanaAddress("merchant")

const accountOf = (owner: string, state = 1): SolanaAccount => {
  const data = Buffer.alloc(165)
  data.set(getBase58Encoder().encode(owner), 32)
  data[108] = state
  return { owner: SolanaAddress.make(SOLANA_PROGRAMS.token), lamports: 1n, data, space: 165 }
}

/** What the chain shows where our token account would be; `undefined`: no node answers. */
type Shown = SolanaAccount | null | undefined

const silent = new UpstreamError({ upstream: "base-rpc", kind: "timeout", detail: "" })

interface Chain {
  tokens: Shown
  /** Who owns what stands at our address itself; none: a wallet that holds nothing. */
  owner?: string
  /** What the token says of our address on Base; `undefined`: no node answers. `breaks off`: a defect. */
  isBlacklisted?: boolean | "reverts" | "breaks off" | undefined
}

const walletOf = (owner: string | undefined): SolanaAccount | null =>
  owner === undefined
    ? null
    : { owner: SolanaAddress.make(owner), lamports: 1n, data: new Uint8Array(), space: 0 }

const canArriveWhere = (chain: Chain) => {
  const readAll = () =>
    Effect.suspend(() => {
      if (chain.isBlacklisted === undefined) return silent
      if (chain.isBlacklisted === "breaks off") return Effect.die("a defect")
      const ok = chain.isBlacklisted !== "reverts"
      const data = numberToHex(chain.isBlacklisted === true ? 1 : 0, { size: 32 })
      return Effect.succeed({ blockNumber: 1n, blockTime: 1n, results: [{ ok, data }] })
    })
  const getAccounts = () =>
    Effect.suspend(() =>
      chain.tokens === undefined
        ? silent
        : Effect.succeed({ slot: 1n, accounts: [walletOf(chain.owner), chain.tokens] })
    )
  const chains = Layer.effect(
    ChainRpc,
    Effect.map(ChainRpc, ({ base, solana }) => ({
      base: { ...base, readAll },
      solana: { ...solana, getAccounts }
    }))
  )
  const environment = new Map([
    ["BASE_PAY_TO", "0x00000000000000000000000000000000000000aa"],
    ["SOLANA_PAY_TO", OURS]
  ])
  const live = ReceivingLive.pipe(
    Layer.provide(chains),
    Layer.provide(ChainRpcLive),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(environment)))
  )
  const begun = Effect.zipLeft(Layer.build(live), TestClock.adjust("1 millis"))
  return Effect.map(begun, (context) => {
    const { obstacle } = Effect.runSync(Effect.provide(Receiving, context))
    return () => ([BASE_NETWORK, SOLANA_NETWORK] as const).map((network) => obstacle(network) === undefined)
  })
}

it.scoped.each<readonly [string, Shown, boolean]>([
  ["is there", accountOf(OURS), true],
  ["is not there", null, false],
  ["is frozen", accountOf(OURS, 2), false],
  ["was signed away", accountOf(solanaAddress("thief")), false],
  ["is not shown by any node", undefined, true]
])("where our token account %s, what is paid on Solana can arrive: soon after the start", ([, tokens, can]) =>
  Effect.gen(function* () {
    const canArrive = yield* canArriveWhere({ tokens })
    expect(canArrive()).toEqual([true, can])
  })
)

it.scoped.each<readonly [string, string, boolean]>([
  ["a wallet", SOLANA_PROGRAMS.system, true],
  ["an account of a multisig's program", "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf", true],
  ["a token account", SOLANA_PROGRAMS.token, false],
  ["a program", "BPFLoaderUpgradeab1e11111111111111111111111", false],
  ["an older program", "BPFLoader2111111111111111111111111111111111", false],
  ["a program of Solana's own", "NativeLoader1111111111111111111111111111111", false]
])("where SOLANA_PAY_TO is %s, what is paid there can be moved: %s %s", ([, owner, can]) =>
  Effect.map(canArriveWhere({ tokens: accountOf(OURS), owner }), (canArrive) =>
    expect(canArrive()).toEqual([true, can])
  )
)

it.scoped("a token account that is created later is seen, and silence changes nothing", () =>
  Effect.gen(function* () {
    const chain: Chain = { tokens: null }
    const canArrive = yield* canArriveWhere(chain)
    chain.tokens = undefined
    yield* TestClock.adjust("21 seconds")
    expect(canArrive()).toEqual([true, false])
    chain.tokens = accountOf(OURS)
    yield* TestClock.adjust("21 seconds")
    expect(canArrive()).toEqual([true, true])
    chain.tokens = undefined
    yield* TestClock.adjust("21 seconds")
    expect(canArrive()).toEqual([true, true])
  })
)

it.scoped("an address on the blacklist of USDC is paid by nobody on Base, for as long as it is there", () =>
  Effect.gen(function* () {
    const chain: Chain = { tokens: accountOf(OURS), isBlacklisted: true }
    const canArrive = yield* canArriveWhere(chain)
    expect(canArrive()).toEqual([false, true])
    for (const unknown of [undefined, "reverts", "breaks off"] as const) {
      chain.isBlacklisted = unknown
      yield* TestClock.adjust("21 seconds")
      expect(canArrive()).toEqual([false, true])
    }
    chain.isBlacklisted = false
    yield* TestClock.adjust("21 seconds")
    expect(canArrive()).toEqual([true, true])
  })
)
