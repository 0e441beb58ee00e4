import { NodeHttpClient } from "@effect/platform-node"
import { Layer } from "effect"
import { AttestorLive } from "../attestation/attestor-live.ts"
import { ChainRpcLive } from "../chain/chain-rpc-live.ts"
import { NodesLive } from "../chain/nodes/node-log.ts"
import { CheckoutRepoLive } from "../checkout/checkout-repo-live.ts"
import { SightingsLive } from "../checkout/watch/sightings.ts"
import { CheckoutWorkerLive } from "../checkout/checkout-worker.ts"
import { checkoutsLive } from "../checkout/checkouts-live.ts"
import { MerchantAccountsLive } from "../checkout/merchant-account.ts"
import { merchantsLive } from "../checkout/merchants/merchants-live.ts"
import { RandomnessLive } from "../checkout/randomness.ts"
import { AccountHistoryLive } from "../checkout/solana/account-history.ts"
import { RefundRepoLive } from "../checkout/refunds/refund-repo.ts"
import { RefundsLive } from "../checkout/refunds/refunds.ts"
import { ReceivingAccountsLive } from "../checkout/watch/receiving-accounts.ts"
import { UnassignedTransfersLive } from "../checkout/watch/unassigned-transfers.ts"
import { WebhookSenderLive } from "../checkout/webhooks/sender.ts"
import { WebhookOutboxLive } from "../checkout/webhooks/outbox.ts"
import { WebhookTransportLive } from "../checkout/webhooks/transport.ts"
import { FailureBudgetLive } from "../free-tier/failure-budget.ts"
import { FreeTierStoreLive } from "../free-tier/free-tier-store-live.ts"
import { MarketDataLive } from "../market/market-data-live.ts"
import { publicUrlConfig } from "./listen.ts"
import { offersLive } from "../operations/offers-live.ts"
import { PurchasesLive } from "../operations/purchases.ts"
import { OperationsLive } from "../operations/operations-live.ts"
import { LedgerLive } from "../payment/ledger/ledger-live.ts"
import { ReceivingLive } from "../payment/receiving.ts"
import { FeeBudgetsLive } from "../payment/settler/fee-budgets.ts"
import { PaymentVerifierLive } from "../payment/verifier/payment-verifier-live.ts"
import { ReconcilerLive } from "../payment/sale/reconciler.ts"
import { SaleLive } from "../payment/sale/sale-live.ts"
import { CodeAnalyserLive } from "../screening/base/analysis/analyser.ts"
import { BasePlanLive } from "../screening/base/plan.ts"
import { RiskScorerLive } from "../screening/risk-scorer-live.ts"
import { ScreenerLive } from "../screening/screener-live.ts"
import { SolanaPlanLive } from "../screening/solana/plan.ts"
import { DatabaseLive } from "../storage/database.ts"

/**
 * The capabilities, wired. Provide order is lifetime order: the database and the chains are outermost, so that they
 * close after the last sale has been recorded.
 */
const ScreeningLive = Layer.mergeAll(ScreenerLive, RiskScorerLive).pipe(
  Layer.provide(Layer.mergeAll(BasePlanLive, SolanaPlanLive)),
  Layer.provide(CodeAnalyserLive)
)

const SellingLive = Layer.mergeAll(SaleLive, ReconcilerLive).pipe(Layer.provideMerge(PaymentVerifierLive))

const CheckoutsLive = CheckoutWorkerLive.pipe(
  Layer.provideMerge(checkoutsLive(publicUrlConfig)),
  Layer.provideMerge(merchantsLive(publicUrlConfig)),
  Layer.provideMerge(RefundsLive),
  Layer.provide(WebhookSenderLive),
  Layer.provide([
    LedgerLive,
    CheckoutRepoLive,
    RefundRepoLive,
    SightingsLive,
    FeeBudgetsLive,
    ReceivingAccountsLive,
    UnassignedTransfersLive,
    WebhookOutboxLive,
    WebhookTransportLive,
    MerchantAccountsLive,
    AccountHistoryLive,
    RandomnessLive
  ])
)

const OutsideLive = Layer.mergeAll(ChainRpcLive, NodesLive, MarketDataLive, DatabaseLive).pipe(
  Layer.provide(NodeHttpClient.layerUndici)
)

export const CapabilitiesLive = Layer.mergeAll(OperationsLive, PurchasesLive, CheckoutsLive).pipe(
  Layer.provideMerge(offersLive(publicUrlConfig)),
  Layer.provideMerge(
    Layer.mergeAll(
      ScreeningLive,
      SellingLive,
      ReceivingLive,
      AttestorLive,
      FreeTierStoreLive,
      FailureBudgetLive
    )
  ),
  Layer.provideMerge(OutsideLive)
)
