/**
 * The client of the token-risk service: pays per call under a spending policy, repeats a lost request with the same
 * payment, verifies every report. Needs `fetch` and WebCrypto, nothing else.
 */
export type { CallLimits } from "./deadline.ts"
export { DEFAULT_TIMEOUT_MS } from "./deadline.ts"
export {
  Aborted,
  InvalidRequest,
  MalformedChallenge,
  NetworkError,
  PaymentRefused,
  PolicyRefusal,
  RateLimited,
  SigningFailed,
  TimedOut,
  TokenNotFound,
  TokenRiskError,
  Unavailable,
  UnexpectedAnswer,
  VerificationFailure
} from "./errors.ts"
export type { Charged, VerificationReason } from "./errors.ts"
export { evmWallet } from "./evm-wallet.ts"
export type { EvmSigner } from "./evm-wallet.ts"
export { parseJwks } from "./jwks.ts"
export type { Approve } from "./pay.ts"
export { defaultPolicy } from "./policy.ts"
export type { SpendingPolicy } from "./policy.ts"
export type { Paid } from "./budget.ts"
export { solanaWallet } from "./solana-wallet.ts"
export type { SolanaSigner } from "./solana-wallet.ts"
export { createTokenRiskClient, DEEP_ORDER_USD } from "./token-risk-client.ts"
export type { CallOptions, ClientOptions, Decision, Delivered, TokenRiskClient } from "./token-risk-client.ts"
export type { Fetch } from "./transport.ts"
export { BASE_NETWORK, SOLANA_NETWORK, USDC } from "./types.ts"
export type * from "./types.ts"
export { verifyReport } from "./verify.ts"
export { combineWallets } from "./wallet.ts"
export type { Wallet } from "./wallet.ts"
