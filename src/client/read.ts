import { isRecord } from "../domain/json.ts"
import { jsonFromBase64 } from "./base64.ts"
import type {
  DeepReport,
  Network,
  PaymentRequired,
  PaymentRequirements,
  PingResult,
  SettlementResponse
} from "./types.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "./types.ts"

/** Reads foreign JSON: each function gives a typed value or `undefined`, and never throws. */

const isText = (value: unknown): value is string => typeof value === "string"
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)
const isFlag = (value: unknown): value is boolean => typeof value === "boolean"
const orNull = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value)
const among =
  (...values: ReadonlyArray<string>) =>
  (value: unknown) =>
    isText(value) && values.includes(value)
const list = (check: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(check)
const members =
  (checks: Readonly<Record<string, (value: unknown) => boolean>>) =>
  (value: unknown): boolean =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]))

const pingShape = members({
  safe: orNull(isFlag),
  mintAuthorityOff: orNull(isFlag),
  lpLocked: orNull(isFlag),
  pairs: isNumber,
  priceUsd: orNull(isNumber),
  fetchedAt: isNumber,
  cacheHit: isFlag
})
/** Whether it has the form of a ping's result. */
export const isPing = (value: unknown): value is PingResult => pingShape(value)

const signalShape = members({
  id: isText,
  state: among("pass", "fail", "unknown"),
  points: isNumber,
  critical: isFlag,
  hard: isFlag,
  source: isText,
  message: isText
})
const attestationShape = members({
  digest: isText,
  hmac: isText,
  keyId: isText,
  hmacKeyId: isText,
  algorithm: isText,
  signature: isText
})
const deepShape = members({
  chain: isText,
  address: isText,
  verdict: among("allow", "caution", "avoid"),
  score: (value) => isNumber(value) && value >= 0 && value <= 100,
  band: among("low", "elevated", "high", "critical"),
  reasons: list(members({ code: isText, message: isText, points: isNumber })),
  priceUsd: orNull(isNumber),
  liquidityUsd: isNumber,
  fetchedAt: isNumber,
  cacheHit: isFlag,
  free: isFlag,
  signals: list(signalShape),
  coverage: isNumber,
  methodology: isText,
  evidence: isRecord,
  attestation: attestationShape
})
/** Whether it has the form of a deep report. */
export const isDeep = (value: unknown): value is DeepReport => deepShape(value)

const AMOUNT = /^(?:0|[1-9][0-9]{0,38})$/
const isNetwork = (value: unknown): value is Network => value === BASE_NETWORK || value === SOLANA_NETWORK

const isOption = (value: unknown): value is PaymentRequirements =>
  members({
    scheme: (scheme) => scheme === "exact",
    network: isNetwork,
    amount: (amount) => isText(amount) && AMOUNT.test(amount),
    asset: isText,
    payTo: isText,
    maxTimeoutSeconds: (seconds) => Number.isInteger(seconds) && Number(seconds) > 0,
    extra: isRecord
  })(value)

const isChallenge = (value: unknown): value is PaymentRequired =>
  members({
    x402Version: (version) => version === 2,
    resource: members({ url: isText }),
    accepts: Array.isArray,
    extensions: (extensions) => extensions === undefined || isRecord(extensions)
  })(value)

/** The challenge in a `PAYMENT-REQUIRED` header; options of schemes and networks unknown here are left out. */
export const readChallenge = (header: string): PaymentRequired | undefined => {
  const value = jsonFromBase64(header)
  return isChallenge(value) ? { ...value, accepts: value.accepts.filter(isOption) } : undefined
}

const isReceipt = (value: unknown): value is SettlementResponse =>
  members({ success: isFlag, transaction: isText, network: isText })(value)

/** The receipt, or the refusal, in a `PAYMENT-RESPONSE` header. */
export const readReceipt = (header: string | null): SettlementResponse | undefined => {
  const value = header === null ? undefined : jsonFromBase64(header)
  return isReceipt(value) ? value : undefined
}
