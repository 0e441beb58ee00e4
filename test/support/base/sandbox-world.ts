import { NodeHttpClient } from "@effect/platform-node"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { makeBaseRpc } from "../../../src/chain/base-rpc.ts"
import { normalizeEvmAddress } from "../../../src/domain/address.ts"
import { MarketData } from "../../../src/market/market-data.ts"
import { MarketDataLive } from "../../../src/market/market-data-live.ts"
import { lockerList } from "../../../src/screening/base/pools/lp-lock.ts"
import type { BasePlanParts } from "../../../src/screening/base/plan.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { simulateTrades } from "../../../src/screening/base/simulation/simulate.ts"
import { tryWallets } from "../../../src/screening/base/simulation/wallet-trial.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import type { BaseChain } from "../../../scripts/sandbox/base/base-chain.ts"
import { directAnalyser } from "../../../scripts/eval/direct-analyser.ts"
import { LocalSandbox, serviceEnvironment } from "../sandbox.ts"

/** The token at an address on Base. */
export const refOf = (address: string) => {
  const normal = normalizeEvmAddress(address)
  if (normal === undefined) throw new Error(`no address: ${address}`)
  return { chain: "base", address: normal } as const
}

interface World {
  readonly devnet: BaseChain["devnet"]
  /** Where the chain's node is. */
  readonly url: string
  readonly parts: BasePlanParts
  readonly tokens: BaseChain["tokens"]
  readonly accounts: BaseChain["accounts"]
}

/** The plan's parts over the sandbox, as the process wires them. */
export class SandboxWorld extends Context.Tag("test/SandboxWorld")<SandboxWorld, World>() {
  static readonly layer = Layer.scoped(
    SandboxWorld,
    Effect.gen(function* () {
      const sandbox = yield* LocalSandbox
      const config = Layer.setConfigProvider(
        ConfigProvider.fromMap(new Map(Object.entries(serviceEnvironment(sandbox))))
      )
      const services = yield* Layer.build(
        MarketDataLive.pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.provide(config))
      )
      const rpc = yield* makeBaseRpc.pipe(Effect.provide(config))
      const { pairs } = Context.get(services, MarketData)
      const parts = {
        rpc,
        pairs,
        analyser: directAnalyser(),
        simulate: simulateTrades,
        wallets: tryWallets,
        lockers: lockerList([])
      }
      return {
        devnet: sandbox.base.devnet,
        url: sandbox.base.url,
        parts,
        tokens: sandbox.base.tokens,
        accounts: sandbox.base.accounts
      }
    })
  ).pipe(Layer.provide(LocalSandbox.layer))
}

/** Screens with these parts and scores what was found. */
export const screen = (parts: BasePlanParts, address: string) =>
  Effect.map(makeBasePlan(parts).screen(refOf(address)), (screening) => ({
    screening,
    assessment: assess(screening)
  }))

/** The state of one signal. */
export const stateOf = (
  signals: ReadonlyArray<{ readonly id: string; readonly state: string }>,
  id: string
) => signals.find((signal) => signal.id === id)?.state
