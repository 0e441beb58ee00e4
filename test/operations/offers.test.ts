import { sign } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import {
  extractOffersFromPaymentRequired,
  isJWSSignedOffer,
  verifyOfferSignatureJWS
} from "@x402/extensions/offer-receipt"
import { Config, ConfigProvider, Effect, Layer, Schema, TestClock } from "effect"
import { signingJwk, toSigningKey } from "../../src/attestation/keys.ts"
import { BASE_NETWORK, type Network, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { PaymentRequired } from "../../src/domain/x402.ts"
import { Offers } from "../../src/operations/offers.ts"
import type { PaymentVerifier } from "../../src/payment/verifier/payment-verifier.ts"
import { offersLive } from "../../src/operations/offers-live.ts"
import { mockAttestor, mockPaymentVerifier } from "../support/mocks.ts"

const key = toSigningKey(new Uint8Array(32).fill(7)).privateKey
const publicKey = signingJwk(toSigningKey(new Uint8Array(32).fill(7)).publicKey)

const extras = { [BASE_NETWORK]: { of: BASE_NETWORK }, [SOLANA_NETWORK]: { of: SOLANA_NETWORK } }

const signed = (bytes: Uint8Array) => sign(null, bytes, key)

const offersWith = (
  environment: Readonly<Record<string, string>> = {},
  extra: PaymentVerifier["Type"]["extra"] = (network) => extras[network],
  signing = signed
) => {
  const all = {
    BASE_PAY_TO: "0x00000000000000000000000000000000000000aa",
    SOLANA_PAY_TO: "So11111111111111111111111111111111111111112",
    PUBLIC_URL: "https://risk.example",
    ...environment
  }
  return offersLive(Config.string("PUBLIC_URL")).pipe(
    Layer.provide([
      mockPaymentVerifier({ extra }),
      mockAttestor({ jwks: { keys: [publicKey] }, sign: signing })
    ]),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(all)))))
  )
}

const IDS = ["check_token_safety_ping", "check_token_risk_deep"] as const
const CHANNELS = ["GET", "POST", "mcp"] as const

describe("the price list", () => {
  it.effect("offers Base first, then Solana, at the contract's prices, with what settling needs", () =>
    Effect.gen(function* () {
      const offers = yield* Offers
      for (const [id, amount] of [
        ["check_token_safety_ping", "5000"],
        ["check_token_risk_deep", "40000"]
      ] as const) {
        const accepts = offers.accepts(id)
        expect(accepts.map(({ network }) => network)).toEqual([BASE_NETWORK, SOLANA_NETWORK])
        for (const entry of accepts)
          expect(entry).toMatchObject({ amount, maxTimeoutSeconds: 60, extra: { of: entry.network } })
      }
    }).pipe(Effect.provide(offersWith()))
  )

  it.effect("says where money goes on each network, and what of", () =>
    Effect.gen(function* () {
      const offers = yield* Offers
      for (const id of IDS) {
        expect(offers.accepts(id)).toMatchObject([
          {
            payTo: "0x00000000000000000000000000000000000000AA",
            asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
          },
          {
            payTo: "So11111111111111111111111111111111111111112",
            asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
          }
        ])
        expect(offers.resourceUrl(id, "GET")).toBe(offers.resourceUrl(id, "POST"))
        expect(offers.resourceUrl(id, "mcp")).toMatch(/\/mcp$/)
        expect(offers.resourceUrl(id, "GET")).not.toMatch(/\/mcp$/)
      }
    }).pipe(Effect.provide(offersWith()))
  )

  it.effect("says what the settling side says now, and sells on no network that it cannot settle on", () => {
    const says: Record<Network, Readonly<Record<string, unknown>> | undefined> = {
      [BASE_NETWORK]: { domain: 1 },
      [SOLANA_NETWORK]: { feePayer: "first" }
    }
    return Effect.gen(function* () {
      const offers = yield* Offers
      const accepted = (id: (typeof IDS)[number]) => {
        const { base64, challenge } = offers.challenge(id, "POST")
        const written = JSON.parse(Buffer.from(base64, "base64").toString("utf8"))
        expect(written.accepts).toEqual(challenge.accepts)
        expect(challenge.accepts).toEqual(offers.accepts(id))
        return challenge.accepts.map(({ extra }) => extra)
      }
      expect(accepted("check_token_risk_deep")).toEqual([{ domain: 1 }, { feePayer: "first" }])
      says[SOLANA_NETWORK] = { feePayer: "second" }
      expect(accepted("check_token_risk_deep")).toEqual([{ domain: 1 }, { feePayer: "second" }])
      says[SOLANA_NETWORK] = undefined
      expect(accepted("check_token_safety_ping")).toEqual([{ domain: 1 }])
      yield* TestClock.adjust("61 seconds")
      expect(accepted("check_token_safety_ping")).toEqual([{ domain: 1 }])
      says[SOLANA_NETWORK] = { feePayer: "third" }
      says[BASE_NETWORK] = undefined
      expect(accepted("check_token_safety_ping")).toEqual([{ feePayer: "third" }])
    }).pipe(Effect.provide(offersWith({}, (network) => says[network])))
  })

  it.effect("says how many calls are free in what time", () =>
    Effect.gen(function* () {
      const said = (environment: Readonly<Record<string, string>>) =>
        Effect.provide(
          Effect.map(Offers, ({ freeTier }) => freeTier),
          offersWith(environment)
        )
      expect(yield* said({})).toBe("3 calls per x-client-id per 24 hours")
      expect(yield* said({ FREE_WINDOW: "2 hours" })).toBe("3 calls per x-client-id per 2 hours")
      expect(yield* said({ FREE_WINDOW: "1 hour" })).toBe("3 calls per x-client-id per 1h")
      expect(yield* said({ FREE_WINDOW: "90 minutes" })).toBe("3 calls per x-client-id per 1h 30m")
      expect(yield* said({ FREE_DEEP_CALLS: "1" })).toBe("1 call per x-client-id per 24 hours")
    })
  )

  it.effect("says nothing of free calls where nobody has any, whichever limit says so", () =>
    Effect.forEach(["FREE_DEEP_CALLS", "FREE_CALLS_PER_IP", "FREE_CALLS_GLOBAL"], (name) =>
      Effect.gen(function* () {
        const offers = yield* Offers
        expect([name, offers.freeTier]).toEqual([name, undefined])
        for (const id of IDS)
          for (const channel of CHANNELS)
            expect(offers.challenge(id, channel).challenge.preview).not.toHaveProperty("freeTier")
      }).pipe(Effect.provide(offersWith({ [name]: "0" })))
    )
  )

  it.effect("challenges with the same JSON in body and header, below 4 KB, and decodable", () =>
    Effect.gen(function* () {
      const offers = yield* Offers
      for (const id of IDS) {
        for (const channel of CHANNELS) {
          const { base64, challenge, json } = offers.challenge(id, channel)
          expect(Buffer.from(base64, "base64").toString("utf8")).toBe(json)
          expect(yield* Schema.decode(Schema.parseJson(PaymentRequired))(json)).toEqual(
            JSON.parse(JSON.stringify(challenge))
          )
          expect(base64.length).toBeLessThan(4_096)
          expect(challenge.resource.url).toBe(offers.resourceUrl(id, channel))
          expect(challenge.resource.url).toMatch(/^https:\/\/risk\.example\/api\//)
        }
      }
    }).pipe(Effect.provide(offersWith()))
  )

  it.effect("follows the operator's prices and free tier everywhere it states them", () =>
    Effect.gen(function* () {
      const offers = yield* Offers
      expect(offers.priceUsd("check_token_risk_deep")).toBe("1.5")
      expect(offers.accepts("check_token_risk_deep")[0]?.amount).toBe("1500000")
      const { challenge } = offers.challenge("check_token_risk_deep", "POST")
      expect(challenge.preview).toMatchObject({ priceUsd: "1.5", freeTier: offers.freeTier })
      expect(offers.freeTier).toContain("7 calls")
    }).pipe(Effect.provide(offersWith({ DEEP_PRICE_USD: "1.5", FREE_DEEP_CALLS: "7" })))
  )

  it.effect(
    "signs what it offers with the attestation's key, anew every minute, and the official client agrees",
    () =>
      Effect.gen(function* () {
        const offers = yield* Offers
        const read = (id: (typeof IDS)[number], channel: (typeof CHANNELS)[number]) =>
          Effect.promise(async () => {
            const { challenge } = offers.challenge(id, channel)
            const signed = extractOffersFromPaymentRequired({
              x402Version: 2,
              resource: challenge.resource,
              accepts: [],
              extensions: { ...challenge.extensions }
            }).filter(isJWSSignedOffer)
            const payloads = await Promise.all(
              signed.map((one) => verifyOfferSignatureJWS(one, { kty: "OKP", ...publicKey }))
            )
            return { challenge, signed, payloads }
          })
        for (const id of IDS) {
          for (const channel of CHANNELS) {
            const { challenge, payloads, signed } = yield* read(id, channel)
            expect(signed.map(({ acceptIndex }) => acceptIndex)[0]).toBe(0)
            const [terms] = challenge.accepts
            expect(payloads[0]).toMatchObject({
              resourceUrl: challenge.resource.url,
              network: terms?.network,
              amount: terms?.amount,
              payTo: terms?.payTo,
              validUntil: 180
            })
          }
        }
        yield* TestClock.adjust("61 seconds")
        const later = yield* read("check_token_risk_deep", "POST")
        expect(later.payloads[0]).toMatchObject({ validUntil: 240 })
      }).pipe(Effect.provide(offersWith()))
  )

  it.effect("is signed in the next minute again where signing broke off in one", () => {
    let isBroken = false
    const signing = (bytes: Uint8Array) => {
      if (isBroken) throw new Error("a defect")
      return signed(bytes)
    }
    return Effect.gen(function* () {
      const offers = yield* Offers
      const read = () => offers.challenge("check_token_risk_deep", "POST").json
      const first = read()
      isBroken = true
      yield* TestClock.adjust("61 seconds")
      expect(read()).toBe(first)
      isBroken = false
      yield* TestClock.adjust("61 seconds")
      expect(read()).not.toBe(first)
    }).pipe(Effect.provide(offersWith({}, undefined, signing)))
  })

  it.effect("leaves signed offers out where a long address leaves no room for them in the header", () =>
    Effect.gen(function* () {
      const offers = yield* Offers
      const { base64, challenge } = offers.challenge("check_token_risk_deep", "POST")
      expect(base64.length).toBeLessThan(4_096)
      expect(challenge.extensions).not.toHaveProperty("offer-receipt")
      expect(challenge.extensions).toHaveProperty("payment-identifier")
    }).pipe(Effect.provide(offersWith({ PUBLIC_URL: `https://${"a".repeat(200)}.example` })))
  )
})
