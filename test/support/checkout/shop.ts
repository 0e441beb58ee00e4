import { Clock, ConfigProvider, Config, Context, Effect, Layer, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { Hex } from "viem"
import { getAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { CheckoutRepoSql } from "../../../src/checkout/checkout-repo-sql.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { checkoutsLive } from "../../../src/checkout/checkouts-live.ts"
import type { MerchantAccount } from "../../../src/checkout/merchant-account.ts"
import { MerchantAccounts } from "../../../src/checkout/merchant-account.ts"
import { merchantsLive } from "../../../src/checkout/merchants/merchants-live.ts"
import { RandomnessLive } from "../../../src/checkout/randomness.ts"
import { WebhookOutboxSql } from "../../../src/checkout/webhooks/outbox.ts"
import { ReceivingAccountsSql } from "../../../src/checkout/watch/receiving-accounts.ts"
import { RefundRepoSql } from "../../../src/checkout/refunds/refund-repo.ts"
import { RefundsLive } from "../../../src/checkout/refunds/refunds.ts"
import { UnassignedTransfersSql } from "../../../src/checkout/watch/unassigned-transfers.ts"
import { SightingsSql } from "../../../src/checkout/watch/sightings.ts"
import type { AccountChange } from "../../../src/checkout/solana/account-history.ts"
import { AccountHistory } from "../../../src/checkout/solana/account-history.ts"
import { anonymousCaller } from "../../../src/checkout/caller.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { AttestorLive } from "../../../src/attestation/attestor-live.ts"
import { typedAuthorization } from "../../../scripts/sandbox/base/eip3009.ts"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../../../src/domain/checkout.ts"
import { CheckoutReceipt } from "../../../src/domain/checkout.ts"
import { PaymentRejected, PaymentUnavailable, UpstreamError } from "../../../src/domain/errors.ts"
import type { Evidence, SettlementOutcome } from "../../../src/payment/outcome.ts"
import { open } from "../../../src/payment/outcome.ts"
import type { CheckedPayment } from "../../../src/payment/verifier/checked-payment.ts"
import { PaymentVerifier } from "../../../src/payment/verifier/payment-verifier.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { FeePursesSql } from "../../../src/payment/settler/fee-purses.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { settledView } from "../payment/support.ts"
import { memoryDatabase } from "../storage/memory-database.ts"

export const PUBLIC_URL = "https://risk.test"
export const MERCHANT = getAddress("0x00000000000000000000000000000000000a11ce")
export const SOLANA_MERCHANT = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"

/** What a wallet moved; the balance it leaves follows from what came before. */
export type WalletChange = Omit<AccountChange, "leaves">

/** A chain that remembers which authorization moved money, and fails in the ways chains fail. */
export interface FakeChain {
  /** Transaction by authorization key. One entry is one transfer. */
  readonly transfers: Map<string, string>
  /** Calls of `settle`: broadcasts we would have paid for. */
  settles: number
  /** `lost`: it lands but nobody hears of it. `dead`: nothing lands and nobody knows. */
  mode: "ok" | "lost" | "dead" | "rejected" | "down"
  /** What `settle` waits for before it lands. */
  gate: Effect.Effect<void>
  account: MerchantAccount
  /** What sending a payment may cost us, millionths of a USD. */
  fee: bigint
  /** What wallets moved by themselves, by merchant, oldest first. */
  readonly wallets: Map<string, Array<WalletChange>>
  /** Calls of the account history. */
  looks: { balances: number; pages: number }
  /** Slot up to which nothing is taken back. */
  finalSlot: bigint
  /** The Solana node does not answer. */
  solanaDown: boolean
  /** Merchants whose account the node refuses to read through. */
  readonly unreadable: Set<string>
  /** Transactions the node lists and does not give. */
  readonly unknown: Set<string>
  /** What is older the node has dropped. Unix milliseconds. */
  keptSince: number
  /** Transactions that moved balances already, and that the node does not list yet. */
  readonly unlisted: Set<string>
  /** Transactions that name the account and give no balance of it. */
  readonly balanceless: Set<string>
  /** The chain as recorded transfers are looked for in it. */
  view: PaymentVerifier["Type"]["view"]
}

export class Chain extends Context.Tag("test/Chain")<Chain, FakeChain>() {
  static readonly layer = Layer.sync(Chain, () => ({
    transfers: new Map<string, string>(),
    settles: 0,
    mode: "ok" as const,
    gate: Effect.void,
    account: "ready" as const,
    fee: 0n,
    wallets: new Map<string, Array<WalletChange>>(),
    looks: { balances: 0, pages: 0 },
    finalSlot: 1_000_000_000n,
    solanaDown: false,
    unreadable: new Set<string>(),
    unknown: new Set<string>(),
    keptSince: 0,
    unlisted: new Set<string>(),
    balanceless: new Set<string>(),
    view: () => Effect.succeed(settledView)
  }))
}

const evidenceOf = ({ payment, requirements }: CheckedPayment, transaction: string): Evidence => ({
  network: payment.network,
  transaction,
  index: 0,
  height: 2,
  payer: "0xpayer",
  payTo: requirements.payTo,
  amount: requirements.amount
})

const verifierOf = (chain: FakeChain) => {
  const transferOf = ({ payment }: CheckedPayment) => chain.transfers.get(payment.authorizationKey)
  const look = (checked: CheckedPayment): SettlementOutcome => {
    const transaction = transferOf(checked)
    return transaction === undefined
      ? open(undefined, 1)
      : { state: "settled", evidence: evidenceOf(checked, transaction) }
  }
  return PaymentVerifier.of({
    extra: (network) =>
      network === BASE_NETWORK ? { name: "USD Coin", version: "2" } : { feePayer: SOLANA_FEE_PAYER },
    landedAt: () => Effect.succeed(0),
    verify: (checked) => {
      if (chain.mode === "down") return Effect.fail(new PaymentUnavailable({ upstream: "base-rpc" }))
      if (chain.mode === "rejected") return Effect.fail(new PaymentRejected({ reason: "insufficient_funds" }))
      const transaction = transferOf(checked)
      return Effect.succeed(
        transaction === undefined
          ? { height: 1, fee: chain.fee }
          : { height: 3, used: evidenceOf(checked, transaction) }
      )
    },
    settle: (checked) =>
      Effect.gen(function* () {
        chain.settles += 1
        yield* chain.gate
        if (chain.mode === "dead") return open(undefined, 1)
        if (transferOf(checked) !== undefined) return look(checked)
        chain.transfers.set(checked.payment.authorizationKey, `0x${randomBytes(32).toString("hex")}`)
        return chain.mode === "lost" ? open(undefined, 1) : look(checked)
      }),
    lookup: (checked) => Effect.sync(() => look(checked)),
    lookupOnChain: (checked) => Effect.sync(() => look(checked)),
    view: (network) => chain.view(network)
  })
}

export const SOLANA_FEE_PAYER = "2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4"

const solanaDown = new UpstreamError({ upstream: "solana-rpc", kind: "transport", detail: "down" })

/** Higher than any slot of a wallet's transaction. */
const NEWEST_SLOT = 1_000_000_000n

/** Transactions one page of the history has. */
export const PAGE = 50

/** Changes with the balance each of them leaves. */
const leftBy = (
  changes: ReadonlyArray<WalletChange>,
  { balanceless }: FakeChain
): ReadonlyArray<AccountChange> => {
  let left = 0n
  return changes.map((one) => {
    left += one.change
    return { ...one, leaves: balanceless.has(one.transaction) ? null : left }
  })
}

/** The past of merchants' accounts as `wallets` has it; the transaction id is the cursor. */
const historyOf = (chain: FakeChain) => {
  const changesOf = (owner: string) => chain.wallets.get(owner) ?? []
  const answer = <A>(value: A) => (chain.solanaDown ? Effect.fail(solanaDown) : Effect.succeed(value))
  return AccountHistory.of({
    finalSlot: Effect.sync(() => chain.finalSlot),
    trace: (evidence, { final }) =>
      Effect.sync(() => {
        const found = changesOf(evidence.payTo).find(
          ({ transaction }) => transaction === evidence.transaction
        )
        return found === undefined
          ? { absent: { node: "double", height: final } }
          : { ...evidence, height: found.slot }
      }),
    balances: (owners) =>
      Effect.flatMap(Clock.currentTimeMillis, (time) => {
        chain.looks.balances += 1
        const amounts = owners.map((owner) => changesOf(owner).reduce((sum, { change }) => sum + change, 0n))
        return answer({ slot: NEWEST_SLOT, time, amounts })
      }),
    page: ({ before, cursor, final, owner }) =>
      Effect.suspend(() => {
        chain.looks.pages += 1
        if (chain.unreadable.has(owner)) return Effect.fail(solanaDown)
        const all = leftBy(changesOf(owner), chain).filter(
          ({ at, transaction }) => at >= chain.keptSince && !chain.unlisted.has(transaction)
        )
        const position = (id: string | null) => all.findIndex(({ transaction }) => transaction === id)
        const listed = all.slice(position(cursor) + 1, before === null ? undefined : position(before))
        const page = listed.slice(-PAGE)
        return answer({
          changes: page.filter(({ transaction }) => !chain.unknown.has(transaction)),
          newest: page.findLast(({ slot }) => BigInt(slot) <= final)?.transaction ?? null,
          oldest: page[0]?.transaction ?? null,
          isLast: page.length === listed.length,
          knownSince: position(cursor) === -1 ? chain.keptSince : 0,
          left: chain.keptSince === 0 ? (all[position(cursor)]?.leaves ?? 0n) : null,
          isWhole: page.every(({ transaction }) => !chain.unknown.has(transaction))
        })
      })
  })
}

const Fakes = Layer.mergeAll(
  Layer.effect(AccountHistory, Effect.map(Chain, historyOf)),
  Layer.effect(PaymentVerifier, Effect.map(Chain, verifierOf)),
  Layer.effect(
    MerchantAccounts,
    Effect.map(Chain, (chain) =>
      MerchantAccounts.of({
        check: (network) => Effect.sync(() => (network === BASE_NETWORK ? "ready" : chain.account))
      })
    )
  )
)

/** What outlives a process: the database and the chain. */
export const world = Layer.merge(memoryDatabase, Chain.layer)

/** Keys that are given are not made and not warned about. */
const DEFAULTS = {
  ATTESTATION_SIGNING_KEY: "11".repeat(32),
  ATTESTATION_HMAC_KEY: "22".repeat(32),
  // Nobody listens there: a checkout asks no node for anything the fakes do not answer.
  BASE_RPC_URL: "http://127.0.0.1:1",
  SOLANA_RPC_URL: "http://127.0.0.1:1"
}

/** One process of the service: the real checkouts over the real sale and ledger, in front of a fake chain. */
export const shopProcess = (
  settings: Readonly<Record<string, string>> = {},
  chainRpc: typeof ChainRpcLive = ChainRpcLive
) =>
  checkoutsLive(Config.succeed(PUBLIC_URL)).pipe(
    Layer.provideMerge(Layer.merge(merchantsLive(Config.succeed(PUBLIC_URL)), RefundsLive)),
    Layer.provideMerge(chainRpc),
    Layer.provideMerge(SaleLive),
    Layer.provideMerge(
      Layer.mergeAll(
        Fakes,
        LedgerLive,
        CheckoutRepoSql,
        FeePursesSql,
        RefundRepoSql,
        SightingsSql,
        ReceivingAccountsSql,
        UnassignedTransfersSql,
        WebhookOutboxSql,
        AttestorLive,
        RandomnessLive
      )
    ),
    Layer.provide(
      Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ ...DEFAULTS, ...settings }))))
    )
  )

export const shop = (settings: Readonly<Record<string, string>> = {}, chainRpc = ChainRpcLive) =>
  Layer.provideMerge(shopProcess(settings, chainRpc), world)

export const order = (change: Partial<CreateCheckout> = {}): CreateCheckout => ({
  network: BASE_NETWORK,
  merchantPayTo: MERCHANT,
  amountUsd: "12.5",
  memo: "order-1",
  ...change
})

/** Address of a caller without a token. */
export const STRANGER = "192.0.2.1"

/** How a caller at an address creates checkouts. */
export const from = (address: string, idempotencyKey?: string) => ({
  caller: anonymousCaller(address),
  idempotencyKey: Option.fromNullable(idempotencyKey)
})

export const createCheckout = (change: Partial<CreateCheckout> = {}) =>
  Effect.flatMap(Checkouts, (checkouts) => checkouts.create(order(change), from(STRANGER)))

const buyer = privateKeyToAccount("0x0123456789012345678901234567890123456789012345678901234567890123")

export interface SigningOptions {
  /** What is signed in place of the terms' own. */
  readonly payTo?: string
  readonly amount?: string
  readonly nonce?: Hex
  /** Members of `accepted` in place of the terms' own. */
  readonly accepted?: Readonly<Record<string, unknown>>
  readonly resource?: string
}

export const randomNonce = (): Hex => `0x${randomBytes(32).toString("hex")}`

/** A payment of the terms as a stock client signs it: the terms come back whole in `accepted`. */
export const sign = (terms: CheckoutTerms, options: SigningOptions = {}) =>
  Effect.gen(function* () {
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const message = {
      from: buyer.address,
      to: getAddress((options.payTo ?? terms.payTo).toLowerCase()),
      value: options.amount ?? terms.amount,
      validAfter: "0",
      validBefore: String(now + terms.maxTimeoutSeconds),
      nonce: options.nonce ?? randomNonce()
    }
    const signature = yield* Effect.promise(() =>
      buyer.signTypedData(typedAuthorization(message, { verifyingContract: getAddress(terms.asset) }))
    )
    const payload = {
      x402Version: 2,
      resource: { url: options.resource ?? terms.url },
      accepted: { ...terms, ...options.accepted },
      payload: { signature, authorization: message }
    }
    return Buffer.from(JSON.stringify(payload), "utf8").toString("base64")
  })

export const verify = (id: string, payment: string) =>
  Effect.flatMap(Checkouts, (checkouts) => checkouts.verify(id, payment))

export const statusOf = (id: string) => Effect.flatMap(Checkouts, (checkouts) => checkouts.status(id))

export const decodeReceipt = Schema.decodeSync(Schema.parseJson(CheckoutReceipt))
