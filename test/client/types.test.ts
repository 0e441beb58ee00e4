import type { HttpApiClient, HttpClient } from "@effect/platform"
import { HttpApi } from "@effect/platform"
import { describe, expectTypeOf, it } from "@effect/vitest"
import type { Effect } from "effect"
import { TokenRiskGroup } from "../../src/api/token-risk.ts"
import type { PaymentRequiredError, Unavailable } from "../../src/api/errors.ts"
import type { PromiseClient } from "../../src/client/index.ts"
import type { Decision, Delivered, TokenRiskClient } from "../../src/client/token-risk-client.ts"
import type { VerificationFailure } from "../../src/domain/attestation.ts"
import type { Band, DeepReport, PingResult, Reason, Verdict } from "../../src/domain/report.ts"
import type { TokenRef } from "../../src/domain/token.ts"

/**
 * The client is derived: these types are the contract's own. `tsc` compiles this file, so a field that is renamed,
 * retyped or dropped in `src/domain` or `src/api` stops the build here and wherever the client uses it.
 */
describe("the client's types", () => {
  it("are the contract's", () => {
    expectTypeOf<PingResult["safe"]>().toEqualTypeOf<boolean | null>()
    expectTypeOf<PingResult["priceUsd"]>().toEqualTypeOf<number | null>()
    expectTypeOf<DeepReport["verdict"]>().toEqualTypeOf<"allow" | "caution" | "avoid">()
    expectTypeOf<Verdict>().toEqualTypeOf<DeepReport["verdict"]>()
    expectTypeOf<DeepReport["band"]>().toEqualTypeOf<Band>()
    expectTypeOf<DeepReport["reasons"]>().toEqualTypeOf<ReadonlyArray<Reason>>()
    expectTypeOf<DeepReport["attestation"]>().toHaveProperty("hmac").toEqualTypeOf<string>()
  })

  it("reach the caller unchanged, errors included", () => {
    type Deep = ReturnType<TokenRiskClient["deep"]>
    expectTypeOf<Parameters<TokenRiskClient["deep"]>>().toEqualTypeOf<[token: TokenRef]>()
    expectTypeOf<Effect.Effect.Success<Deep>>().toExtend<Delivered<DeepReport>>()
    expectTypeOf<PaymentRequiredError>().toExtend<Effect.Effect.Error<Deep>>()
    expectTypeOf<Unavailable>().toExtend<Effect.Effect.Error<Deep>>()
    expectTypeOf<VerificationFailure>().toExtend<Effect.Effect.Error<Deep>>()
    expectTypeOf<ReturnType<PromiseClient["screen"]>>().resolves.toEqualTypeOf<Decision>()
  })

  it("break when the contract loses an endpoint the client calls", () => {
    const smaller = HttpApi.make("smaller")
    const whole = HttpApi.make("whole").add(TokenRiskGroup)
    type ClientOf<A extends typeof smaller | typeof whole> =
      A extends HttpApi.HttpApi<infer _Id, infer Groups, infer E, infer _R>
        ? HttpApiClient.Client<Groups, E, HttpClient.HttpClient>
        : never
    expectTypeOf<ClientOf<typeof whole>>().toHaveProperty("tokenRisk")
    expectTypeOf<ClientOf<typeof smaller>>().not.toHaveProperty("tokenRisk")
  })
})
