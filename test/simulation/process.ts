/** One process of the service in a simulation: real sale, ledger, journal and senders on a database file of their own. */
import { HttpClient } from "@effect/platform"
import { SqlClient, Statement } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { ConfigProvider, Context, Deferred, Effect, Exit, Layer, Option, Random, Scope } from "effect"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { ReconcilerLive } from "../../src/payment/sale/reconciler.ts"
import { SaleLive } from "../../src/payment/sale/sale-live.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import { SettlementJournalLive } from "../../src/payment/settler/evm/journal-live.ts"
import type { Pace } from "../../src/payment/settler/evm/senders.ts"
import { makeFacilitator } from "../../src/payment/settler/remote/facilitator.ts"
import type { CheckedPayment } from "../../src/payment/verifier/checked-payment.ts"
import { PaymentVerifier } from "../../src/payment/verifier/payment-verifier.ts"
import type { SimNodes } from "./base-node.ts"
import type { VirtualTime } from "./clock.ts"
import type { Dice } from "./dice.ts"
import { FACILITATOR_URL, facilitatorClient, type FacilitatorOptions } from "./facilitator.ts"
import { type Accounts, makeSimBase } from "./sim-base.ts"
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
      const of = ({ payment }: CheckedPayment) => (payment.scheme === "eip3009" ? base : solana)
      return PaymentVerifier.of({
        extra: () => ({}),
        verify: (checked) => of(checked).verify(checked),
        settle: (checked, begun) => of(checked).settle(checked, begun),
        lookup: (checked, begun) => of(checked).lookup(checked, begun),
        lookupOnChain: (checked, begun) => of(checked).lookupOnChain(checked, begun),
        view: (network) => (network === BASE_NETWORK ? base : solana).view,
        landedAt: () => Effect.succeed(0)
      })
    })
  ).pipe(Layer.provide(SettlementJournalLive))

const pragmas = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A statement that finds the file locked must not block the only thread: it is repeated in virtual time.
    yield* sql.unsafe("PRAGMA busy_timeout = 0")
    yield* sql.unsafe("PRAGMA synchronous = OFF")
  })
)

/** Ends what a process holds, and says so to whoever asks before the next step. */
const makeLife = async ({ dies, time }: Pick<SimProcessOptions, "dies" | "time">) => {
  let dead = false
  const scope = Effect.runSync(Scope.make())
  const files = Effect.runSync(Scope.make())
  const death = Effect.runSync(Deferred.make<void>())
  const kill = () => {
    if (dead) return
    dead = true
    Effect.runSync(Deferred.succeed(death, undefined))
    // The kernel closes its files, which undoes an open transaction and frees its locks.
    Effect.runFork(time.on(Scope.close(files, Exit.void)))
    Effect.runFork(time.on(Scope.close(scope, Exit.void)))
  }
  /** Whether a step may be taken: one that comes after the end does nothing any more. */
  const lives = () => {
    if (!dead && dies()) kill()
    return !dead
  }
  return { scope, files, kill, lives, isDead: () => dead, died: Effect.runPromise(Deferred.await(death)) }
}

/** Starts a process. It dies between two statements or requests when `dies` says so, and what it had begun stops there. */
export const startProcess = async (options: SimProcessOptions): Promise<SimProcess> => {
  const { database, dice, time } = options
  const { died, files, isDead, kill, lives, scope } = await makeLife(options)
  const step = () => (lives() ? Promise.resolve() : never())
  const transformer = Statement.setTransformer((statement) =>
    Effect.suspend(() => (lives() ? Effect.succeed(statement) : Effect.never))
  )
  const connection = pragmas.pipe(Layer.provideMerge(SqliteClient.layer({ filename: database })))
  const sqlite = await Effect.runPromise(time.on(Layer.buildWithScope(connection, files)))
  const layers = Layer.mergeAll(SaleLive, ReconcilerLive).pipe(
    Layer.provide(verifierOver(options, step)),
    Layer.provide(Layer.succeedContext(sqlite)),
    Layer.provide(transformer),
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
