/** One process of the service in a simulation: real sale, ledger, journal and senders on a database file of their own. */
import { HttpClient } from "@effect/platform"
import { ConfigProvider, Context, Deferred, Effect, Exit, Layer, Option, Random, Scope } from "effect"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { ReconcilerLive } from "../../src/payment/sale/reconciler.ts"
import { SaleLive } from "../../src/payment/sale/sale-live.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import { SettlementJournalLive } from "../../src/payment/settler/evm/journal-live.ts"
import type { Pace } from "../../src/payment/settler/evm/senders.ts"
import { makeFacilitator } from "../../src/payment/settler/remote/facilitator.ts"
import type { VerifiedPayment } from "../../src/payment/verifier/verified-payment.ts"
import { PaymentVerifier } from "../../src/payment/verifier/payment-verifier.ts"
import { sqliteClientOver } from "../../src/storage/sqlite/sqlite-client.ts"
import type { SimNodes } from "./base-node.ts"
import type { VirtualTime } from "./clock.ts"
import type { Dice } from "./dice.ts"
import { FACILITATOR_URL, facilitatorClient, type FacilitatorOptions } from "./facilitator.ts"
import { type Accounts, makeSimBase } from "./sim-base.ts"
import { openMortalFile } from "./mortal-file.ts"
import { makeSimSolana } from "./sim-solana.ts"
import type { SimSolanaNodes } from "./solana-node.ts"

export interface SimProcessOptions {
  readonly nodes: SimNodes
  readonly solanaNodes: SimSolanaNodes
  /** Who settles; ourselves when absent. */
  readonly facilitator: FacilitatorOptions | undefined
  readonly database: string
  readonly time: VirtualTime
  readonly dice: Dice
  readonly accounts: Accounts
  readonly pace: Pace
  /** Asked before every statement and around every request: whether the process dies here. */
  readonly dies: () => boolean
}

/** Nothing a dead process asked for is ever answered. */
const never = () => new Promise<void>(() => {})

export interface SimProcess {
  readonly sell: Sale["Type"]["sell"]
  readonly isDead: () => boolean
  /** Resolves when it dies. */
  readonly died: Promise<void>
  readonly kill: () => void
}

const verifierOver = (options: SimProcessOptions, step: () => Promise<void>) =>
  Layer.scoped(
    PaymentVerifier,
    Effect.gen(function* () {
      const { accounts, nodes, pace, solanaNodes } = options
      const facilitator =
        options.facilitator === undefined
          ? undefined
          : yield* Effect.provideService(
              makeFacilitator(FACILITATOR_URL, Option.none()),
              HttpClient.HttpClient,
              facilitatorClient(options.facilitator, step)
            )
      const base = yield* makeSimBase({ nodes, step, accounts, pace, facilitator })
      const solana = yield* makeSimSolana({ nodes: solanaNodes, step, facilitator })
      const of = ({ payment }: VerifiedPayment) => (payment.scheme === "eip3009" ? base : solana)
      return PaymentVerifier.of({
        extra: () => ({}),
        verify: (verified, before) => of(verified).verify(verified, before),
        settle: (verified, begun) => of(verified).settle(verified, begun),
        lookup: (verified, begun) => of(verified).lookup(verified, begun),
        lookupOnChain: (verified, begun) => of(verified).lookupOnChain(verified, begun),
        view: (network) => (network === BASE_NETWORK ? base : solana).view,
        landedAt: () => Effect.succeed(0)
      })
    })
  ).pipe(Layer.provide(SettlementJournalLive))

/** Ends what a process holds, and says so to whoever asks before the next step. */
const makeLife = ({ database, dies, time }: Pick<SimProcessOptions, "database" | "dies" | "time">) => {
  let dead = false
  const scope = Effect.runSync(Scope.make())
  const death = Effect.runSync(Deferred.make<void>())
  const kill = () => {
    if (dead) return
    dead = true
    file.close()
    Effect.runSync(Deferred.succeed(death, undefined))
    Effect.runFork(time.on(Scope.close(scope, Exit.void)))
  }
  /** Whether a step may be taken: one that comes after the end does nothing any more. */
  const lives = () => {
    if (!dead && dies()) kill()
    return !dead
  }
  const file = openMortalFile({ path: database, lives })
  return { scope, file, kill, lives, isDead: () => dead, died: Effect.runPromise(Deferred.await(death)) }
}

/** Starts a process. It dies between two statements or requests when `dies` says so, and what it had begun stops there. */
export const startProcess = async (options: SimProcessOptions): Promise<SimProcess> => {
  const { dice, time } = options
  const { died, file, isDead, kill, lives, scope } = makeLife(options)
  const step = () => (lives() ? Promise.resolve() : never())
  const layers = Layer.mergeAll(SaleLive, ReconcilerLive).pipe(
    Layer.provide(verifierOver(options, step)),
    Layer.provide(sqliteClientOver(() => file.connection, { endOfTurn: (call) => void time.after(0, call) })),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
  )
  const chance = Random.make(dice.between(0, 2 ** 30))
  const started = Layer.buildWithScope(layers, scope).pipe(
    Effect.map((services) => Context.get(services, Sale)),
    Effect.withRandom(chance)
  )
  const sale = await Effect.runPromise(time.on(started))
  return { sell: sale.sell, isDead, died, kill }
}
