import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { checkoutConfig } from "../../src/checkout/config.ts"

const read = (settings: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(checkoutConfig, ConfigProvider.fromMap(new Map(Object.entries(settings))))

it.effect(
  "half of the day's fees are the checkouts', and of these a part is merchants' with a token alone",
  () =>
    Effect.gen(function* () {
      expect((yield* read({})).feeShares).toEqual({ all: 500_000n, anonymous: 400_000n, merchant: 200_000n })
      expect(
        (yield* read({ CHECKOUT_FEE_SHARE: "1", CHECKOUT_MERCHANT_FEE_SHARE: "1" })).feeShares
      ).toMatchObject({
        all: 1_000_000n,
        merchant: 1_000_000n
      })
    })
)

it.effect.each<[name: string, value: string]>([
  ["CHECKOUT_FEE_SHARE", "1.1"],
  ["CHECKOUT_FEE_SHARE", "-0.1"],
  ["CHECKOUT_FEE_SHARE", "half"],
  // All of it would leave nothing to merchants with a token.
  ["CHECKOUT_ANONYMOUS_FEE_SHARE", "1"],
  ["CHECKOUT_MERCHANT_FEE_SHARE", "20"]
])("%s may not be %s, by name", ([name, value]) =>
  Effect.gen(function* () {
    expect(String(yield* Effect.flip(read({ [name]: value })))).toContain(name)
  })
)
