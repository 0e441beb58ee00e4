/**
 * The named layers as mocks. A test gives what it needs; anything else that is called is a defect that names the
 * missing member, so that no test passes on an answer nobody wrote.
 */
import { Layer } from "effect"
import { Attestor } from "../../src/attestation/attestor.ts"
import { ChainRpc } from "../../src/chain/chain-rpc.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { FreeTierStore } from "../../src/free-tier/free-tier-store.ts"
import { Purchases } from "../../src/operations/purchases.ts"
import { Receiving } from "../../src/payment/receiving.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import { PaymentVerifier } from "../../src/payment/verifier/payment-verifier.ts"
import { RiskScorer } from "../../src/screening/risk-scorer.ts"
import { Screener } from "../../src/screening/screener.ts"

export const mockChainRpc = Layer.mock(ChainRpc)
export const mockPaymentVerifier = Layer.mock(PaymentVerifier)
export const mockRiskScorer = Layer.mock(RiskScorer)
export const mockAttestor = Layer.mock(Attestor)
export const mockFreeTierStore = Layer.mock(FreeTierStore)
export const mockCheckoutRepo = Layer.mock(CheckoutRepo)

/** Every receiving address can be paid. */
export const everythingArrives = Layer.succeed(Receiving, { obstacle: () => undefined })

/** What stands between them. */
export const mockScreener = Layer.mock(Screener)
export const mockPurchases = Layer.mock(Purchases)
export const mockSale = Layer.mock(Sale)
