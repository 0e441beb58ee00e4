import { Clock, Context, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import type { MerchantAccount } from "../../../src/checkout/merchant-account.ts"
import { MerchantAccounts } from "../../../src/checkout/merchant-account.ts"
import type { AccountChange } from "../../../src/checkout/solana/account-history.ts"
import { AccountHistory } from "../../../src/checkout/solana/account-history.ts"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"
import { PaymentRejected, PaymentUnavailable, UpstreamError } from "../../../src/domain/errors.ts"
import type { Evidence, SettlementOutcome } from "../../../src/payment/outcome.ts"
import { open } from "../../../src/payment/outcome.ts"
import type { VerifiedPayment } from "../../../src/payment/verifier/verified-payment.ts"
import { PaymentVerifier } from "../../../src/payment/verifier/payment-verifier.ts"
import { settledView } from "../payment/support.ts"

/** What a wallet moved; the balance it leaves follows from what came before. */
type WalletChange = Omit<AccountChange, "leaves">

/** A chain that remembers which authorization moved money, and fails in the ways chains fail. */
interface FakeChain {
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

const evidenceOf = ({ payment, requirements }: VerifiedPayment, transaction: string): Evidence => ({
  network: payment.network,
  transaction,
  index: 0,
  height: 2,
  payer: "0xpayer",
  payTo: requirements.payTo,
  amount: requirements.amount
})

const verifierOf = (chain: FakeChain) => {
  const transferOf = ({ payment }: VerifiedPayment) => chain.transfers.get(payment.authorizationKey)
  const look = (verified: VerifiedPayment): SettlementOutcome => {
    const transaction = transferOf(verified)
    return transaction === undefined
      ? open(undefined, 1)
      : { state: "settled", evidence: evidenceOf(verified, transaction) }
  }
  return PaymentVerifier.of({
    extra: (network) =>
      network === BASE_NETWORK ? { name: "USD Coin", version: "2" } : { feePayer: SOLANA_FEE_PAYER },
    landedAt: () => Effect.succeed(0),
    verify: (verified) => {
      if (chain.mode === "down") return Effect.fail(new PaymentUnavailable({ upstream: "base-rpc" }))
      if (chain.mode === "rejected") return Effect.fail(new PaymentRejected({ reason: "insufficient_funds" }))
      const transaction = transferOf(verified)
      return Effect.succeed(
        transaction === undefined
          ? { height: 1, fee: chain.fee }
          : { height: 3, used: evidenceOf(verified, transaction) }
      )
    },
    settle: (verified) =>
      Effect.gen(function* () {
        chain.settles += 1
        yield* chain.gate
        if (chain.mode === "dead") return open(undefined, 1)
        if (transferOf(verified) !== undefined) return look(verified)
        chain.transfers.set(verified.payment.authorizationKey, `0x${randomBytes(32).toString("hex")}`)
        return chain.mode === "lost" ? open(undefined, 1) : look(verified)
      }),
    lookup: (verified) => Effect.sync(() => look(verified)),
    lookupOnChain: (verified) => Effect.sync(() => look(verified)),
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

/** Everything of the shop that would ask a chain. */
export const Fakes = Layer.mergeAll(
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
