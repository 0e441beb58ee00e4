/** Base payments signed by fresh payers, and our settling side over a given client, for tests and benches. */
import { Clock, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import type { PrivateKeyAccount } from "viem/accounts"
import { evmAccount } from "../../../scripts/sandbox/accounts.ts"
import type { BaseChain } from "../../../scripts/sandbox/base/base-chain.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../../src/chain/chain-rpc.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { SettlementJournalLive } from "../../../src/payment/settler/evm/journal-live.ts"
import { makeSelfHostedEvm } from "../../../src/payment/settler/evm/self-hosted.ts"
import type { SettlerSettings } from "../../../src/payment/settler/settings.ts"
import { VerifiedPayment } from "../../../src/payment/verifier/verified-payment.ts"
import { lookUpOnBase } from "../../../src/payment/verifier/evm/lookup.ts"
import { makeTrials } from "../../../src/payment/verifier/evm/trial.ts"
import { typedAuthorization } from "../../../scripts/sandbox/base/eip3009.ts"
import { databaseAt } from "../../../src/storage/database.ts"
import { LocalBase } from "../sandbox.ts"
import { termsFor } from "./terms.ts"

const million = 1_000_000n

export const settings: SettlerSettings = {
  maxFeeShare: million,
  dailyFees: 1_000n * million,
  finalityFrom: 100n * million,
  trustBelow: 0n,
  lowEther: 2_000n,
  lowSol: 50_000n,
  etherAssumed: 5_000n * million,
  solAssumed: 300n * million
}

/** USD per ether in these tests, millionths: the sandbox's feed says the same. */
export const ETHER_PRICE = 3_000n * million

export interface SettlingOptions {
  readonly accounts: readonly [PrivateKeyAccount, ...ReadonlyArray<PrivateKeyAccount>]
  readonly settings?: Partial<SettlerSettings>
  readonly price?: bigint
}

/** Our settling side; needs a database, see `memory`. */
export const settlingOver = (url: string, options: SettlingOptions) =>
  Effect.flatMap(
    makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "4 seconds", concurrency: 32 }),
    (rpc) => settlingOn(rpc, options)
  )

export const settlingOn = (rpc: BaseRpc, options: SettlingOptions) =>
  makeSelfHostedEvm({
    rpc,
    trials: makeTrials(rpc),
    accounts: options.accounts,
    price: Effect.succeed(options.price ?? ETHER_PRICE),
    settings: { ...settings, ...options.settings },
    ask: lookUpOnBase([{ host: "local", client: rpc.client }])
  })

export const journalAt = (path: string) =>
  SettlementJournalLive.pipe(Layer.provideMerge(databaseAt({ dialect: "sqlite", path })))

export interface PaymentTerms {
  readonly payer: PrivateKeyAccount
  readonly payTo: `0x${string}`
  readonly amount?: bigint
  /** Unix seconds. */
  readonly validBefore: number
}

/** A signed payment, as it stands once it was checked. */
export const signedPayment = ({ amount = 5_000n, payTo, payer, validBefore }: PaymentTerms) =>
  Effect.gen(function* () {
    const requirements = termsFor(payTo, amount)
    const authorization = {
      from: payer.address,
      to: payTo,
      value: String(amount),
      validAfter: "0",
      validBefore: String(validBefore),
      nonce: `0x${randomBytes(32).toString("hex")}`
    }
    const signature = yield* Effect.promise(() => payer.signTypedData(typedAuthorization(authorization)))
    const parsed = yield* parsePaymentObject({
      x402Version: 2,
      accepted: requirements,
      payload: { signature, authorization }
    })
    if (parsed.scheme === "unsupported") return yield* Effect.dieMessage("not a payment on Base")
    return yield* VerifiedPayment.verify({ payment: parsed, requirements })
  }).pipe(Effect.orDie)

/** The chain's own clock, Unix seconds: tests that move it stay consistent. */
export const chainTime = (chain: BaseChain) =>
  Effect.promise(async () => Number((await chain.devnet.client.getBlock()).timestamp))

let payers = 0
/** A payer with 10 USDC. */
export const newPayer = (chain: BaseChain) =>
  Effect.gen(function* () {
    const account = evmAccount(`settling payer ${(payers += 1)}`)
    yield* chain.mintUsdc(account.address, 10_000_000n)
    return account
  })

/** A new payer's payment to the sandbox's merchant, good for a minute. */
export const newPayment = Effect.gen(function* () {
  const chain = yield* LocalBase
  const payer = yield* newPayer(chain)
  const validBefore = Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 60
  return yield* signedPayment({ payer, payTo: chain.accounts.merchant.address, validBefore })
})
