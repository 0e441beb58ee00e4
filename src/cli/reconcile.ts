import { ConfigError, Console, Effect, Layer } from "effect"
import { ChainRpcLive } from "../chain/chain-rpc-live.ts"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import { counted } from "../domain/counted.ts"
import { formatUsd } from "../domain/usd.ts"
import {
  broughtOnBase,
  broughtOnSolana,
  inflowOnBase,
  inflowOnSolana,
  type Period
} from "../payment/audit/inflow.ts"
import { settlementFees } from "../payment/audit/fees.ts"
import { type Comparison, compare } from "../payment/audit/reconcile.ts"
import { type EvidenceRecord, makeRecords } from "../payment/audit/records.ts"
import { payToConfig } from "../payment/config.ts"
import { ServiceDatabaseLive } from "./database.ts"
import { EXIT, Stop } from "./exit.ts"
import { plain, printableJson } from "./text.ts"

interface Options {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly json: boolean
}

const DAY = 86_400

/** A day that no calendar has would be read as another: the 31st of February as the 3rd of March. */
export const periodOf = (day: string): Period | undefined => {
  const from = Date.parse(`${day}T00:00:00Z`) / 1_000
  const isDay = Number.isInteger(from) && new Date(from * 1_000).toISOString().slice(0, 10) === day
  return isDay ? { from, to: from + DAY } : undefined
}

const transactionsOf = (records: ReadonlyArray<EvidenceRecord>): ReadonlySet<string> =>
  new Set(records.map(({ transaction }) => transaction))

const readAll = Effect.fnUntraced(function* (period: Period) {
  const { base, solana } = yield* ChainRpc
  const payTo = yield* payToConfig
  const records = yield* makeRecords
  const ours = new Set([payTo.base.toLowerCase(), payTo.solana])
  // What a checkout brought went to its merchant, not to us.
  const isOurs = (record: { readonly payTo: string }) =>
    ours.has(record.payTo) || ours.has(record.payTo.toLowerCase())
  const recorded = (yield* records.evidence(period.from * 1_000, period.to * 1_000)).filter(isOurs)
  const chains = [
    {
      network: BASE_NETWORK,
      came: yield* inflowOnBase(base, payTo.base, period),
      brought: (some: ReadonlyArray<string>) => broughtOnBase(base, payTo.base, period, some)
    },
    {
      network: SOLANA_NETWORK,
      came: yield* inflowOnSolana(solana, payTo.solana, period),
      brought: (some: ReadonlyArray<string>) => broughtOnSolana(solana, payTo.solana, period, some)
    }
  ]
  return yield* Effect.forEach(chains, ({ brought, came, network }) =>
    Effect.gen(function* () {
      const listed = transactionsOf(came)
      const sold = recorded.filter((record) => record.network === network)
      const inLedger = (yield* records.evidenceIn([...listed])).filter(isOurs)
      const others = [...transactionsOf(sold)].filter((one) => !listed.has(one))
      const onChain = [...came, ...(yield* brought(others))]
      return { network, ...compare({ period: came, ever: onChain }, { period: sold, ever: inLedger }) }
    })
  )
})

const said = ({ network, differences, inLedger, onChain }: Comparison & { readonly network: string }) =>
  [
    `${network}`,
    `  on chain   ${formatUsd(onChain.amount)} USD in ${counted(onChain.transfers, "transfer")}`,
    `  in ledger  ${formatUsd(inLedger.amount)} USD in ${counted(inLedger.transfers, "sale")}`,
    ...differences.map(
      ({ amount, kind, payer, transaction }) =>
        `  ${kind}  ${formatUsd(BigInt(amount))} USD  ${plain(transaction)}  from ${plain(payer)}`
    )
  ].join("\n")

const jsonOf = ({ network, differences, inLedger, onChain }: Comparison & { readonly network: string }) => ({
  network,
  onChain: { ...onChain, amount: String(onChain.amount) },
  inLedger: { ...inLedger, amount: String(inLedger.amount) },
  differences
})

const unreachable = new Stop({
  code: EXIT.unavailable,
  message: "The day cannot be compared: the database or a chain gave no whole answer."
})

/**
 * `reconcile --day`: what came in on chain against what the ledger sold for, every difference named, and the network
 * fees per USDC. Exit code 1 when they differ.
 */
export const reconcile = ({ day, json }: Options) =>
  Effect.gen(function* () {
    const period = periodOf(day)
    if (period === undefined) {
      return yield* new Stop({ code: EXIT.usage, message: "--day must be a day such as 2026-11-20 (UTC)" })
    }
    const networks = yield* readAll(period)
    const { base } = yield* ChainRpc
    const records = yield* makeRecords
    const fees = yield* settlementFees(base, yield* records.evidence(period.from * 1_000, period.to * 1_000))
    const perUsdc = fees.earned === 0n ? null : Number(fees.wei) / 1e18 / (Number(fees.earned) / 1e6)
    const unknown = fees.withoutReceipt === 0 ? "" : `; without a receipt: ${fees.withoutReceipt} more`
    const gas = `Gas on Base: ${Number(fees.wei) / 1e18} ETH in ${counted(fees.transactions, "transaction")}, ${perUsdc ?? 0} ETH per USDC${unknown}`
    const text = [...networks.map(said), gas].join("\n")
    const { transactions, withoutReceipt } = fees
    const gasJson = { transactions, withoutReceipt, wei: String(fees.wei), ethPerUsdc: perUsdc }
    yield* Console.log(json ? printableJson({ day, networks: networks.map(jsonOf), gas: gasJson }) : text)
    if (networks.some(({ differences }) => differences.length > 0)) {
      return yield* new Stop({ code: EXIT.unhealthy })
    }
  }).pipe(
    Effect.catchTag("UpstreamError", () => Effect.fail(unreachable)),
    Effect.provide(Layer.merge(ServiceDatabaseLive, ChainRpcLive)),
    Effect.catchIf(ConfigError.isConfigError, () =>
      Effect.fail(
        new Stop({ code: EXIT.usage, message: "Run this with the service's own environment variables." })
      )
    )
  )
