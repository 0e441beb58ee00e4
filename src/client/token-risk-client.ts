import { parseStrictJson } from "../domain/strict-json.ts"
import type { Buyer } from "./buyer.ts"
import { checkTimeout, makeBuyer } from "./buyer.ts"
import { jwksReader } from "./jwks.ts"
import type { CallLimits } from "./deadline.ts"
import { InvalidRequest, VerificationFailure } from "./errors.ts"
import type { Exchanged } from "./outcome.ts"
import type { Approve, Payer } from "./pay.ts"
import type { SpendingPolicy } from "./policy.ts"
import { policyOf } from "./policy.ts"
import type { Paid } from "./budget.ts"
import { openBudget } from "./budget.ts"
import { isPing, readReceipt } from "./read.ts"
import { readToken } from "./token.ts"
import type { Token } from "./token.ts"
import type { Fetch } from "./transport.ts"
import type { Chain, DeepReport, Jwks, PingResult, SettlementResponse } from "./types.ts"
import { verificationFailure, verifyReport } from "./verify.ts"
import type { Wallet } from "./wallet.ts"
import { combineWallets } from "./wallet.ts"

export interface ClientOptions {
  /** Address of the service; a path is ignored. */
  readonly baseUrl: string
  /** Pays. Left out, only what is free can be had. */
  readonly wallet?: Wallet
  /** Limits to change; the others stay as in `defaultPolicy`. */
  readonly policy?: Partial<SpendingPolicy>
  /** Sent as `x-client-id` with deep calls, which makes the first ones of a day free. */
  readonly clientId?: string
  /** Asked before each signature, after the policy agreed; `false` stops the payment. */
  readonly approve?: Approve
  /** Keys to verify reports with. Pin them; left out, they are read from the service. */
  readonly jwks?: Jwks
  /** Milliseconds a call may take when it does not say otherwise. Default: 15,000. */
  readonly timeoutMs?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch
}

export interface CallOptions extends CallLimits {
  /** A payment another process signed for exactly this request (`error.payment`): it is sent again first. */
  readonly payment?: string
}

/** An answer and the receipt of its payment; `receipt` is null on a free call. */
export interface Delivered<A> {
  readonly result: A
  /** The answer's text as received. Keep it: a report verifies only with every member it came with. */
  readonly body: string
  readonly receipt: SettlementResponse | null
}

/** What to do about one candidate token. `tradable: false` means position size zero. */
export interface Decision {
  readonly tradable: boolean
  readonly why:
    "ping-failed" | "ping-unknown" | "verdict-avoid" | "verdict-caution" | "evidence-stale" | "passed"
  readonly ping: Delivered<PingResult>
  readonly deep: Delivered<DeepReport> | null
}

/**
 * A client that pays its own way under a spending policy and verifies every report it buys. Every method rejects with a
 * `TokenRiskError`.
 */
export interface TokenRiskClient {
  readonly ping: (chain: Chain, address: string, options?: CallOptions) => Promise<Delivered<PingResult>>
  readonly deep: (chain: Chain, address: string, options?: CallOptions) => Promise<Delivered<DeepReport>>
  /**
   * The spending rules of the contract: ping first; deep only when the ping passes or the order exceeds 100 USD; an
   * unknown ping, a `caution` verdict and evidence older than 15 minutes, or from as far ahead, mean size zero.
   * `timeoutMs` holds for each of the two calls.
   */
  readonly screen: (
    chain: Chain,
    address: string,
    orderValueUsd: number,
    options?: CallLimits
  ) => Promise<Decision>
  /** Smallest units of USDC committed so far, payments with an open outcome included. */
  readonly spent: () => Promise<bigint>
  /** Every payment that was executed, in order. */
  readonly receipts: () => ReadonlyArray<Paid>
}

/** Paths of the two operations; `test/client/types.test.ts` compares them with the contract's. */
export const PATHS = { ping: "/api/token-risk/v1/ping", deep: "/api/token-risk/v1/deep" } as const

/** Orders above this are worth a deep report even when the ping does not pass. USD. */
export const DEEP_ORDER_USD = 100

const CLIENT_ID = /^[\x21-\x7e]{1,128}$/

const originOf = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new InvalidRequest(`baseUrl must be an http or https URL, such as https://risk.example`)
  return new URL(baseUrl).origin
}

const checkOptions = ({ clientId, timeoutMs }: ClientOptions): void => {
  if (clientId !== undefined && !CLIENT_ID.test(clientId))
    throw new InvalidRequest("clientId must be 1 to 128 printable ASCII characters without spaces")
  checkTimeout(timeoutMs)
}

const checkOrder = (usd: number): void => {
  if (!Number.isFinite(usd) || usd < 0)
    throw new InvalidRequest("the order's value must be a finite number of USD, 0 or more")
}

/**
 * Evidence older than this is none to trade on. A payment that was left open brings the answer it bought then, however
 * long ago; the next call buys a new one. Longer than clocks differ, and than a service keeps what it read. Milliseconds.
 */
const MAX_AGE_MS = 900_000

/** A time that lies as far ahead tells no age: what was read long ago would pass for fresh, and for as long as one likes. */
const isStale = (delivered: Delivered<PingResult | DeepReport> | null): boolean =>
  delivered !== null && Math.abs(Date.now() - delivered.result.fetchedAt) > MAX_AGE_MS

const decide = (ping: Delivered<PingResult>, deep: Delivered<DeepReport> | null): Decision => {
  const why = (): Decision["why"] => {
    if (ping.result.safe === false) return "ping-failed"
    if (deep?.result.verdict === "avoid") return "verdict-avoid"
    if (ping.result.safe === null) return "ping-unknown"
    if (deep?.result.verdict === "caution") return "verdict-caution"
    if (isStale(ping) || isStale(deep)) return "evidence-stale"
    return "passed"
  }
  const reason = why()
  return { tradable: reason === "passed" && deep !== null, why: reason, ping, deep }
}

const sameToken = (report: DeepReport, { address, chain }: Token): boolean =>
  report.chain === chain &&
  (chain === "base" ? report.address.toLowerCase() === address.toLowerCase() : report.address === address)

/** A failed verification of a report that was paid for says so. */
const onPaidReport =
  ({ charged }: Exchanged) =>
  (error: unknown) => {
    throw error instanceof VerificationFailure
      ? new VerificationFailure(error.reason, error.message, charged)
      : error
  }

const receiptIn = ({ answer }: Exchanged) => readReceipt(answer.headers.get("payment-response")) ?? null

const makePing =
  ({ buy, within }: Buyer): TokenRiskClient["ping"] =>
  (chain, address, call = {}) =>
    within(call, async (deadline) => {
      const token = readToken(chain, address)
      const exchanged = await buy({ path: PATHS.ping, token, headers: {}, payment: call.payment }, deadline)
      const body = exchanged.answer.text
      const result = parseStrictJson(body)
      if (!isPing(result)) throw exchanged.unexpected("not a ping result")
      return { result, body, receipt: receiptIn(exchanged) }
    })

const makeDeep =
  (
    { buy, within }: Buyer,
    keys: ReturnType<typeof jwksReader>,
    clientId: string | undefined
  ): TokenRiskClient["deep"] =>
  (chain, address, call = {}) =>
    within(call, async (deadline) => {
      const token = readToken(chain, address)
      // Before anything is paid: a report that cannot be verified is not worth its price.
      await keys.current(deadline)
      const headers: Readonly<Record<string, string>> =
        clientId === undefined ? {} : { "x-client-id": clientId }
      const exchanged = await buy({ path: PATHS.deep, token, headers, payment: call.payment }, deadline)
      const body = exchanged.answer.text
      // The bytes as received: the digest covers members this version does not know.
      const value = parseStrictJson(body)
      const result = await keys
        .verify(deadline, (jwks) => verifyReport(value, jwks))
        .catch(onPaidReport(exchanged))
      if (!sameToken(result, token)) onPaidReport(exchanged)(verificationFailure("wrong-token"))
      return { result, body, receipt: receiptIn(exchanged) }
    })

/** Makes a client. Nothing is sent before its first call. */
export const createTokenRiskClient = async (options: ClientOptions): Promise<TokenRiskClient> => {
  checkOptions(options)
  const origin = originOf(options.baseUrl)
  const fetcher: Fetch = options.fetch ?? ((input, init) => fetch(input, init))
  const budget = openBudget(policyOf(options.policy))
  const payer: Payer = {
    fetch: fetcher,
    wallet: options.wallet ?? combineWallets(),
    budget,
    approve: options.approve
  }
  const buyer = makeBuyer(payer, origin, options.timeoutMs)
  const ping = makePing(buyer)
  const deep = makeDeep(buyer, jwksReader(fetcher, origin, options.jwks), options.clientId)
  return {
    ping,
    deep,
    screen: async (chain, address, orderValueUsd, limits = {}) => {
      checkOrder(orderValueUsd)
      const first = await ping(chain, address, limits)
      const worthIt = first.result.safe === true || orderValueUsd > DEEP_ORDER_USD
      return decide(first, worthIt ? await deep(chain, address, limits) : null)
    },
    spent: async () => budget.spent(),
    receipts: budget.receipts
  }
}
