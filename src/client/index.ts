import { FetchHttpClient } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import type { Jwks } from "../domain/attestation.ts"
import { verifyReport } from "../domain/attestation.ts"
import type { DeepReport } from "../domain/report.ts"
import type { Chain } from "../domain/chain.ts"
import { TokenRef } from "../domain/token.ts"
import type { ClientOptions, Decision, Delivered } from "./token-risk-client.ts"
import { makeTokenRiskClient } from "./token-risk-client.ts"
import type { PingResult } from "../domain/report.ts"

export { Api } from "../api/api.ts"
export type { Jwks, VerificationFailure } from "../domain/attestation.ts"
export { verifyReport } from "../domain/attestation.ts"
export type { DeepReport, PingResult } from "../domain/report.ts"
export { TokenRef } from "../domain/token.ts"
export { MalformedChallenge, withPayment } from "./pay.ts"
export type { Approve, PaymentError, Purse } from "./pay.ts"
export { defaultPolicy, PolicyRefusal } from "./policy.ts"
export type { SpendingPolicy } from "./policy.ts"
export { DEEP_ORDER_USD, makeTokenRiskClient } from "./token-risk-client.ts"
export type {
  ClientOptions,
  Decision,
  Delivered,
  TokenRiskClient,
  TokenRiskClientError
} from "./token-risk-client.ts"
export { evmWallet, solanaWallet } from "./signers.ts"
export { combineWallets, SigningFailed } from "./wallet.ts"
export type { Wallet } from "./wallet.ts"

/** The client for code that does not use Effect. Every method rejects with the typed error of its Effect twin. */
export interface PromiseClient {
  readonly ping: (chain: Chain, address: string) => Promise<Delivered<PingResult>>
  readonly deep: (chain: Chain, address: string) => Promise<Delivered<DeepReport>>
  readonly screen: (chain: Chain, address: string, orderValueUsd: number) => Promise<Decision>
  /** Smallest units of USDC committed so far. */
  readonly spent: () => Promise<bigint>
}

const tokenOf = Schema.decodeUnknown(TokenRef)

/** A paying client on `fetch`. */
export const createTokenRiskClient = async (options: ClientOptions): Promise<PromiseClient> => {
  const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
    Effect.runPromise(Effect.either(effect)).then(
      Either.getOrElse((error) => {
        throw error
      })
    )
  const client = await run(Effect.provide(makeTokenRiskClient(options), FetchHttpClient.layer))
  return {
    ping: (chain, address) => run(Effect.flatMap(tokenOf({ chain, address }), client.ping)),
    deep: (chain, address) => run(Effect.flatMap(tokenOf({ chain, address }), client.deep)),
    screen: (chain, address, orderValueUsd) =>
      run(Effect.flatMap(tokenOf({ chain, address }), (token) => client.screen(token, orderValueUsd))),
    spent: () => run(client.spent)
  }
}

/** Verifies a report offline. Throws a `VerificationFailure` that names the first check that failed. */
export const assertVerified = (report: unknown, jwks: Jwks): DeepReport =>
  Either.getOrThrowWith(verifyReport(report, jwks), (failure) => failure)
