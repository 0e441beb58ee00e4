import { Effect } from "effect"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import type { Trials } from "../../verifier/evm/trial.ts"
import { unwrap } from "../../verifier/evm/examine.ts"
import { transferCall } from "../../verifier/evm/usdc.ts"
import type { Settle } from "../../verifier/payment-verifier.ts"
import type { Price } from "../prices.ts"
import type { SettlerSettings } from "../settings.ts"
import { makeEconomy } from "./economy.ts"
import { SettlementJournal } from "./journal.ts"
import { makeKeySender } from "./key-sender.ts"
import { makeEvmNode } from "./node.ts"
import { EOA_GAS, makePreflight } from "./preflight.ts"
import { makeSenders, PACE, type Pace } from "./senders.ts"
import { makeBaseSettle } from "./settle.ts"
import { makeWaiters } from "./waiters.ts"
import type { SigningKey } from "./signing-key.ts"

interface SelfHostedOptions {
  readonly rpc: Pick<BaseRpc, "client" | "nodes">
  readonly trials: Trials
  /** One sender each; payments go to whichever is free. */
  readonly accounts: readonly [SigningKey, ...ReadonlyArray<SigningKey>]
  /** Ether in USD. */
  readonly price: Price
  readonly settings: SettlerSettings
  /** Asks the chain what became of a payment. */
  readonly ask: Settle
  readonly pace?: Pace
}

/** Settlement of EIP-3009 payments with our own keys. Lives in a scope: closing it hands over what still waits. */
export const makeSelfHostedEvm = Effect.fnUntraced(function* (options: SelfHostedOptions) {
  const { accounts, ask, pace = PACE, price, rpc, settings, trials } = options
  const journal = yield* SettlementJournal
  const node = makeEvmNode(rpc)
  const { finalityFrom } = settings
  const waiters = makeWaiters()
  const { announce } = waiters
  const keys = accounts.map((account) => makeKeySender({ node, journal, account, finalityFrom, announce }))
  const addresses = keys.map(({ address }) => address)
  const economy = yield* makeEconomy({ node, journal, price, settings, addresses })
  const { admitCode, begun: countsByLedger, budget, canPay, settingAside, terms } = economy
  const senders = yield* makeSenders({ keys, journal, waiters, terms, budget, canPay, pace })
  const preflight = makePreflight(trials, node, addresses[0] ?? "0x")
  const { lookup, settle: settleOnBase } = makeBaseSettle({ journal, preflight, senders, ask })
  const settle: Settle = (verified, begun) =>
    Effect.suspend(() => {
      countsByLedger(verified.payment.authorizationKey)
      return settleOnBase(verified, begun)
    })

  const admitted = Effect.fnUntraced(function* (verified: VerifiedPayment) {
    const { payment, requirements } = verified
    const gas = verified.signatureVerified ? EOA_GAS : (yield* preflight(verified)).gas
    const data = payment.scheme === "eip3009" ? transferCall(unwrap(payment.evm)) : "0x"
    return yield* economy.admit(BigInt(requirements.amount), { gas, data })
  })

  /**
   * Fails while this payment could not be settled at a fee in proportion to it. A signature that only the chain can
   * verify runs its payer's code on our gas, so what it takes is asked first.
   */
  const admit = (verified: VerifiedPayment): Effect.Effect<bigint, PaymentRejected | PaymentUnavailable> =>
    admitted(verified).pipe(
      Effect.catchTags({
        Reverted: ({ reason }) =>
          new PaymentRejected({ reason, network: verified.payment.network, payer: verified.payer }),
        UpstreamError: ({ upstream }) => new PaymentUnavailable({ upstream })
      })
    )

  return { settle, lookup, admit, admitCode, settingAside, failedToday: journal.failedToday }
})
