import type { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { HttpApi } from "@effect/platform"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { Api } from "../../src/api/api.ts"
import type { TokenRiskGroup } from "../../src/api/token-risk.ts"
import type { DeepReport, PaymentRequired, PaymentRequirements, PingResult } from "../../src/client/index.ts"
import { BASE_NETWORK, SOLANA_NETWORK, USDC } from "../../src/client/index.ts"
import { PATHS } from "../../src/client/token-risk-client.ts"
import type { Decision, TokenRiskClient } from "../../src/client/token-risk-client.ts"
import * as chain from "../../src/domain/chain.ts"
import type { SettlementResponse } from "../../src/client/types.ts"
import type * as X402 from "../../src/domain/x402.ts"

/** Endpoints of a group by name. */
type Endpoints<G> =
  G extends HttpApiGroup.HttpApiGroup<infer _Name, infer E, infer _Error, infer _R> ? E : never
type Success<Name extends string> = HttpApiEndpoint.HttpApiEndpoint.SuccessWithName<
  Endpoints<typeof TokenRiskGroup>,
  Name
>

/** Every member the contract has, at every depth: a client that misses one would hide it from its caller. */
type Paths<A> =
  A extends ReadonlyArray<infer Item>
    ? Paths<Item>
    : A extends object
      ? { [K in keyof A & string]: K | `${K}.${Paths<NonNullable<A[K]>>}` }[keyof A & string]
      : never

/**
 * The client's types are written out by hand, so that the package needs nothing. `tsc` compiles this file: a member
 * that is added, renamed, retyped or dropped in `src/domain` or `src/api` stops the build here.
 */
describe("the client's types", () => {
  it("are the contract's", () => {
    expectTypeOf<Success<"pingPost">>().toExtend<PingResult>()
    expectTypeOf<Success<"deepPost">>().toExtend<DeepReport>()
    expectTypeOf<Paths<PingResult>>().toEqualTypeOf<Paths<Success<"pingPost">>>()
    expectTypeOf<Paths<DeepReport>>().toEqualTypeOf<Paths<Success<"deepPost">>>()
    expectTypeOf<DeepReport["verdict"]>().toEqualTypeOf<Success<"deepPost">["verdict"]>()
    expectTypeOf<DeepReport["band"]>().toEqualTypeOf<Success<"deepPost">["band"]>()
    expectTypeOf<DeepReport["signals"][number]["state"]>().toEqualTypeOf<
      Success<"deepPost">["signals"][number]["state"]
    >()
    expectTypeOf<X402.PaymentRequirements>().toExtend<PaymentRequirements>()
    expectTypeOf<PaymentRequirements>().toExtend<X402.PaymentRequirements>()
    expectTypeOf<X402.PaymentRequired>().toExtend<PaymentRequired>()
    expectTypeOf<X402.SettlementResponse>().toEqualTypeOf<SettlementResponse>()
  })

  it("break when the contract loses an operation the client calls", () => {
    expectTypeOf<Success<"noSuchOperation">>().toBeNever()
  })

  it("of screen is one decision", () => {
    expectTypeOf<ReturnType<TokenRiskClient["screen"]>>().resolves.toEqualTypeOf<Decision>()
  })
})

describe("the client's constants", () => {
  it("are the contract's", () => {
    const paths = new Set<string>()
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => paths.add(`${endpoint.method} ${endpoint.path}`)
    })
    for (const path of Object.values(PATHS)) expect(paths).toContain(`POST ${path}`)
    expect(BASE_NETWORK).toBe(chain.BASE_NETWORK)
    expect(SOLANA_NETWORK).toBe(chain.SOLANA_NETWORK)
    expect(USDC).toEqual({ [chain.BASE_NETWORK]: chain.BASE_USDC, [chain.SOLANA_NETWORK]: chain.SOLANA_USDC })
  })
})
