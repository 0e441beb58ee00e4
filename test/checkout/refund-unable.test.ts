/** Refunds on Solana that could not arrive, or not leave: said before anybody signs, and prepared once they can. */
import { expect, layer } from "@effect/vitest"
import { address, getAddressEncoder } from "@solana/kit"
import { Effect, Either } from "effect"
import { readTokenAccount } from "../../scripts/sandbox/solana/token-balance.ts"
import { usdcAccountOf } from "../../src/chain/usdc-account.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { Refunds } from "../../src/checkout/refunds/refunds.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { inSandboxShop } from "../support/checkout/in-shop.ts"
import { createCheckout } from "../support/checkout/shop.ts"
import { LocalSandbox } from "../support/sandbox.ts"

const OWNER_OFFSET = 32
const AMOUNT_OFFSET = 64
const STATE_OFFSET = 108
const FROZEN = 2

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })("a refund on Solana", (it) => {
  /** An order of the sandbox's rich wallet that the shop has paid. */
  const paidOrder = Effect.gen(function* () {
    const { payer: merchant, shop: payer } = (yield* LocalSandbox).solana.accounts
    const repo = yield* CheckoutRepo
    const { checkoutId } = yield* createCheckout({
      network: SOLANA_NETWORK,
      merchantPayTo: merchant.address,
      amountUsd: "1"
    })
    const moved = { transaction: "t", payer: payer.address, amount: 1_000_000n, at: Date.now() }
    const transfer = { evidence: `paid ${checkoutId}`, checkoutId, via: "wallet", ...moved } as const
    yield* repo.record(transfer, Date.now(), () => ({ paid: null, messages: [] }))
    return { checkoutId, merchant: merchant.address, payer: payer.address }
  })

  /** A wallet's token account with other bytes, until the end of the scope. */
  const altered = (wallet: string, change: (data: Uint8Array) => void) =>
    Effect.gen(function* () {
      const { ledger, place } = (yield* LocalSandbox).solana
      const account = address(usdcAccountOf(wallet) ?? "")
      const before = readTokenAccount(ledger.svm, account)
      if (before === null) return yield* Effect.dieMessage("no token account")
      const write = (data: Uint8Array) =>
        place.account(account, { data, owner: before.program, lamports: before.lamports })
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const data = before.data.slice()
          change(data)
          write(data)
        }),
        () => Effect.sync(() => write(before.data))
      )
    })

  const frozen = (data: Uint8Array): void => void (data[STATE_OFFSET] = FROZEN)
  const emptied = (data: Uint8Array): void => void data.fill(0, AMOUNT_OFFSET, AMOUNT_OFFSET + 8)
  const givenAway = (data: Uint8Array): void =>
    data.set(
      getAddressEncoder().encode(address("9hBtedmwk3FAmsvWvdTQQ7ejbM1R7gatBMQZhHTSYMiS")),
      OWNER_OFFSET
    )

  it.effect.each([
    { whose: "payer", what: "frozen", change: frozen, says: "the payer's USDC token account is frozen" },
    { whose: "payer", what: "given away", change: givenAway, says: "the payer has given" },
    {
      whose: "merchant",
      what: "frozen",
      change: frozen,
      says: "the merchant's USDC token account is frozen"
    },
    { whose: "merchant", what: "given away", change: givenAway, says: "the merchant has given" },
    { whose: "merchant", what: "empty", change: emptied, says: "does not hold enough USDC" }
  ] as const)(
    "is not prepared while the account of its $whose is $what, which is said, and is prepared afterwards",
    ({ change, says, whose }) =>
      Effect.gen(function* () {
        const refunds = yield* Refunds
        const { checkoutId, ...wallets } = yield* paidOrder
        const refused = yield* altered(wallets[whose], change).pipe(
          Effect.zipRight(Effect.either(refunds.prepare(checkoutId, {}))),
          Effect.scoped
        )
        expect(Either.isLeft(refused) && refused.left).toMatchObject({
          _tag: "CheckoutConflict",
          message: expect.stringContaining(says)
        })
        expect((yield* refunds.prepare(checkoutId, {})).amount).toBe("1000000")
      }).pipe(inSandboxShop)
  )

  it.effect(
    "that was prepared is not given again while its payer's account is frozen, and then is the same",
    () =>
      Effect.gen(function* () {
        const refunds = yield* Refunds
        const { checkoutId, payer } = yield* paidOrder
        const first = yield* refunds.prepare(checkoutId, {})
        const refused = yield* altered(payer, frozen).pipe(
          Effect.zipRight(Effect.flip(refunds.prepare(checkoutId, {}))),
          Effect.scoped
        )
        expect(refused).toMatchObject({ message: expect.stringContaining("is frozen") })
        expect(yield* refunds.prepare(checkoutId, {})).toEqual(first)
      }).pipe(inSandboxShop)
  )
})
