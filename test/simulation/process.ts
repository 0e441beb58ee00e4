/** One process of the service in a simulation: real sale, ledger, journal and sender on a database file of their own. */
import { SqlClient, Statement } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { ConfigProvider, Context, Effect, Exit, Layer, Random, Scope } from "effect"
import { encodeErrorResult, type Hex, parseAbi, type PublicClient, serializeTransaction } from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import type { BaseRpc, EvmRead, EvmReadResult } from "../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import { ReconcilerLive } from "../../src/payment/sale/reconciler.ts"
import { SaleLive } from "../../src/payment/sale/sale-live.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import { SettlementJournalLive } from "../../src/payment/settler/evm/journal-live.ts"
import { makeSelfHostedEvm } from "../../src/payment/settler/evm/self-hosted.ts"
import { lookUpOnBase } from "../../src/payment/verifier/evm/lookup.ts"
import { verifyOnBase } from "../../src/payment/verifier/evm/verify.ts"
import { viewOfBase } from "../../src/payment/verifier/evm/view.ts"
import { PaymentVerifier } from "../../src/payment/verifier/payment-verifier.ts"
import { ETHER_PRICE, settings } from "../support/payment/base-settling.ts"
import type { SimNodes } from "./base-node.ts"
import type { VirtualTime } from "./clock.ts"
import type { Dice } from "./dice.ts"

const reverts = parseAbi(["error Error(string)"])

/** Our settling key. Its signatures only name the sender, which is all the simulated chain looks at. */
export const simAccount = (seed: number): PrivateKeyAccount => {
  const account = privateKeyToAccount(`0x${seed.toString(16).padStart(64, "0")}`)
  const signature = {
    r: `0x${account.address.slice(2).toLowerCase().padStart(64, "0")}`,
    s: `0x${"11".repeat(32)}`
  } as const
  return {
    ...account,
    signTransaction: (transaction) =>
      Promise.resolve(serializeTransaction({ ...transaction, type: "eip1559" }, { ...signature, yParity: 0 }))
  }
}

/** A read that reverts is an answer. */
const readOne = async (
  client: PublicClient,
  { data, to }: EvmRead,
  blockHash: Hex
): Promise<EvmReadResult> => {
  try {
    const result = await client.request({ method: "eth_call", params: [{ to, data }, { blockHash }] })
    return { ok: true, data: result }
  } catch (error) {
    const [, reason] = /execution reverted: (.*)/.exec(error instanceof Error ? error.message : "") ?? []
    if (reason === undefined) throw error
    return { ok: false, data: encodeErrorResult({ abi: reverts, errorName: "Error", args: [reason] }) }
  }
}

const outage = () => new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "simulated" })

const readAllOver =
  (client: PublicClient): BaseRpc["readAll"] =>
  (reads) =>
    Effect.tryPromise({
      try: async () => {
        const { hash, number, timestamp } = await client.getBlock()
        const results = await Promise.all(reads.map((read) => readOne(client, read, hash)))
        return { blockNumber: number, blockTime: timestamp, results }
      },
      catch: outage
    })

export interface SimProcessOptions {
  readonly nodes: SimNodes
  readonly database: string
  readonly time: VirtualTime
  readonly dice: Dice
  readonly accounts: readonly [PrivateKeyAccount, ...ReadonlyArray<PrivateKeyAccount>]
  /** Asked before every statement and around every request: whether the process dies here. */
  readonly dies: () => boolean
}

/** Nothing a dead process asked for is ever answered. */
const never = () => new Promise<void>(() => {})

export interface SimProcess {
  readonly sell: Sale["Type"]["sell"]
  readonly isDead: () => boolean
  readonly kill: () => void
}

const verifierOver = (options: SimProcessOptions, step: () => Promise<void>) =>
  Layer.scoped(
    PaymentVerifier,
    Effect.gen(function* () {
      const { accounts, nodes } = options
      const client = nodes.client(step)
      const readAll = readAllOver(client)
      const nodeClients = [
        { host: "first", client: nodes.client(step, 0) },
        { host: "second", client: nodes.client(step, 1) }
      ]
      const ask = lookUpOnBase(nodeClients)
      const inspect: BaseRpc["inspect"] = (asked) =>
        Effect.succeed(asked.map(() => ({ code: "0x", slots: [] })))
      // There is no Multicall3 here: each transfer is tried by itself.
      const call: BaseRpc["call"] = () => Effect.succeed({ ok: false, data: "0x" })
      const rpc = { call, client, readAll, inspect }
      const price = Effect.succeed(ETHER_PRICE)
      const { lookup, settle } = yield* makeSelfHostedEvm({ rpc, accounts, price, settings, ask })
      return PaymentVerifier.of({
        extra: () => ({}),
        verify: verifyOnBase(rpc, lookup, { admit: () => Effect.void, examine: () => Effect.void }),
        settle,
        lookup,
        lookupOnChain: ask,
        view: () => viewOfBase(nodeClients),
        landedAt: () => Effect.succeed(0)
      })
    })
  ).pipe(Layer.provide(SettlementJournalLive))

/** A step that comes after the end does nothing any more. */
const pragmas = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // A statement that finds the file locked must not block the only thread: it is repeated in virtual time.
    yield* sql.unsafe("PRAGMA busy_timeout = 0")
    yield* sql.unsafe("PRAGMA synchronous = OFF")
  })
)

/** Starts a process. It dies between two statements or requests when `dies` says so, and what it had begun stops there. */
export const startProcess = async (options: SimProcessOptions): Promise<SimProcess> => {
  const { database, dice, dies, time } = options
  let dead = false
  const scope = Effect.runSync(Scope.make())
  const files = Effect.runSync(Scope.make())
  const kill = () => {
    if (dead) return
    dead = true
    // The kernel closes its files, which undoes an open transaction and frees its locks.
    Effect.runFork(time.on(Scope.close(files, Exit.void)))
    Effect.runFork(time.on(Scope.close(scope, Exit.void)))
  }
  const step = () => {
    if (!dead && dies()) kill()
    return dead ? never() : Promise.resolve()
  }
  const transformer = Statement.setTransformer((statement) =>
    Effect.suspend(() => {
      if (!dead && dies()) kill()
      return dead ? Effect.never : Effect.succeed(statement)
    })
  )
  const sqlite = await Effect.runPromise(
    time.on(
      Layer.buildWithScope(
        pragmas.pipe(Layer.provideMerge(SqliteClient.layer({ filename: database }))),
        files
      )
    )
  )
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
  return { sell: sale.sell, isDead: () => dead, kill }
}
