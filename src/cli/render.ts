import type { Decision, Delivered } from "../client/token-risk-client.ts"
import type { DeepReport, PingResult, SettlementResponse, SignalState } from "../client/types.ts"
import { sum } from "../domain/bigint.ts"
import type { TokenRef } from "../domain/token.ts"
import { formatUsd } from "../domain/usd.ts"
import { EXIT } from "./exit.ts"
import { explorerUrl, networkName } from "./explorer.ts"
import type { Paint, View } from "./paint.ts"
import { decisionCode } from "./purchase.ts"
import { bar, labelled, plain, usd, wrap } from "./text.ts"

/** Every line fits the oldest terminal. */
const WIDTH = 80
const LABEL = 13
const BAR = 40

type Lines = ReadonlyArray<string>
type Tone = (paint: Paint) => (text: string) => string

const good: Tone = (paint) => paint.green
const doubtful: Tone = (paint) => paint.yellow
const bad: Tone = (paint) => paint.red

const row = (label: string, text: string): Lines => labelled(`  ${label}`, text, LABEL, WIDTH)

const heading = (title: string, paint: Paint): Lines => ["", paint.bold(title)]

const title = (name: string, token: TokenRef, paint: Paint): Lines => [
  paint.bold(`${name} · ${token.chain === "base" ? "Base" : "Solana"}`),
  paint.dim(token.address)
]

const age = (fetchedAt: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - fetchedAt) / 1_000))
  return seconds < 120 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`
}

const marketPrice = (value: number | null): string =>
  value === null ? "unknown, or sources disagree" : usd(value)

const flag = (value: boolean | null): string => (value === null ? "unknown" : value ? "yes" : "no")

/** What was paid (smallest units; undefined for nothing), where, and where to look at it. */
const payment = (
  receipt: SettlementResponse | null,
  price: bigint | undefined,
  url: string,
  free: boolean
): Lines => {
  if (receipt === null) return row("paid", free ? "nothing: a free call" : "nothing")
  const amount = price === undefined ? "USDC" : `${formatUsd(price)} USD in USDC`
  return [
    ...row("paid", `${amount} on ${networkName(receipt.network)}`),
    // On a line of its own and never broken: people click it.
    `  ${explorerUrl(receipt, url) ?? plain(receipt.transaction, 90)}`
  ]
}

const SAFE = {
  true: { word: "SAFE", tone: good, means: "every critical signal is known and good" },
  false: { word: "NOT SAFE", tone: bad, means: "a critical signal failed" },
  null: { word: "UNKNOWN", tone: doubtful, means: "evidence is missing: position size zero" }
} as const

/** How an answer looks in a terminal. `price` is what was to be paid, in atomic USDC. */
export type Render<Result> = (
  token: TokenRef,
  delivered: Delivered<Result>,
  price: bigint | undefined,
  view: View
) => Lines

/** A ping for people. */
export const renderPing: Render<PingResult> = (token, { receipt, result }, price, { now, paint, url }) => {
  const { means, tone, word } = SAFE[`${result.safe}`]
  return [
    ...title("Safety ping", token, paint),
    "",
    `  ${tone(paint)(paint.bold(word))}  ${means}`,
    "",
    ...row("mint off", flag(result.mintAuthorityOff)),
    ...row("LP locked", flag(result.lpLocked)),
    ...row("pools", String(result.pairs)),
    ...row("price", marketPrice(result.priceUsd)),
    ...row("evidence", `read ${age(result.fetchedAt, now)}${result.cacheHit ? ", from the cache" : ""}`),
    ...payment(receipt, price, url, false)
  ]
}

const VERDICT = {
  allow: { word: "ALLOW", tone: good },
  caution: { word: "CAUTION: position size zero", tone: doubtful },
  avoid: { word: "AVOID", tone: bad }
} as const

const STATES: ReadonlyArray<readonly [SignalState, string, Tone, string]> = [
  ["fail", "✗", bad, "failed"],
  ["unknown", "?", doubtful, "unknown"],
  ["pass", "✓", good, "passed"]
]

/** The bands under the gauge, each as wide as its share of the score. */
const SCALE = ["low", "elevated", "high", "critical"].map((band) => `|${band}`.padEnd(BAR / 4)).join("")

const points = (value: number): string => (value > 0 ? ` (+${Math.round(value)})` : "")

const hanging = (mark: string, text: string): Lines =>
  wrap(text, WIDTH - 4).map((line, at) => (at === 0 ? `  ${mark} ${line}` : `    ${line}`))

/** What failed and what is unknown, heaviest first, with the reason; what passed only by name. */
const signals = (report: DeepReport, paint: Paint): Lines =>
  STATES.flatMap(([state, mark, tone, name]) => {
    const group = report.signals.filter((one) => one.state === state).toSorted((a, b) => b.points - a.points)
    if (group.length === 0) return []
    const title = tone(paint)(`  ${mark} ${group.length} ${name}`)
    return state === "pass"
      ? [
          title,
          ...wrap(group.map(({ id }) => plain(id, 40)).join(", "), WIDTH - 4).map((line) =>
            paint.dim(`    ${line}`)
          )
        ]
      : [
          title,
          ...group.flatMap(({ id, message, points: weight }) =>
            hanging(" ", `${plain(id, 40)}${points(weight)}: ${plain(message)}`)
          )
        ]
  })

const readAt = ({ block, slot }: DeepReport["evidence"]): string => {
  if (block !== null) return `block ${plain(block, 20)}, `
  return slot === null ? "" : `slot ${plain(slot, 20)}, `
}

/** A deep report for people. */
export const renderDeep: Render<DeepReport> = (token, { receipt, result }, price, { now, paint, url }) => {
  const { tone, word } = VERDICT[result.verdict]
  return [
    ...title("Deep report", token, paint),
    "",
    `  ${tone(paint)(paint.bold(word))}`,
    `  ${tone(paint)(bar(result.score / 100, BAR))} ${Math.round(result.score)} of 100, ${result.band}`,
    paint.dim(`  ${SCALE}`),
    ...heading("Reasons", paint),
    ...(result.reasons.length === 0
      ? ["  none"]
      : result.reasons.flatMap(({ code, message, points: weight }) =>
          hanging("•", `${plain(message)} ${plain(code, 40)}${points(weight)}`)
        )),
    ...heading("Signals", paint),
    ...signals(result, paint),
    ...heading("Facts", paint),
    ...row("price", marketPrice(result.priceUsd)),
    ...row("liquidity", usd(result.liquidityUsd)),
    ...row("coverage", `${Math.round(result.coverage * 100)} % of the signals known`),
    ...row(
      "evidence",
      `${readAt(result.evidence)}read ${age(result.fetchedAt, now)}${result.cacheHit ? ", from the cache" : ""}`
    ),
    ...row("attested", `verified, key ${plain(result.attestation.keyId, 50)}`),
    ...payment(receipt, price, url, result.free)
  ]
}

const WHY: Record<Decision["why"], string> = {
  passed: "The ping passed and the verdict is allow.",
  "ping-failed": "The ping says the token is not safe.",
  "ping-unknown": "The ping could not tell: missing evidence counts as unsafe.",
  "verdict-avoid": "The deep report says avoid.",
  "verdict-caution": "The deep report says caution.",
  "evidence-stale": "The evidence is not of the last 15 minutes by this machine's clock: ask again."
}

/** `prices`: smallest units of the payments made, in order. */
export const renderDecision = (
  token: TokenRef,
  decision: Decision,
  prices: ReadonlyArray<bigint>,
  view: View
): Lines => {
  const { paint } = view
  return [
    ...renderPing(token, decision.ping, prices[0], view),
    "",
    ...(decision.deep === null
      ? [paint.dim("No deep report: the ping did not pass and the order is at most 100 USD.")]
      : renderDeep(token, decision.deep, prices[1], view)),
    "",
    decision.tradable
      ? paint.green(paint.bold("TRADE"))
      : (decisionCode(decision.why) === EXIT.caution ? paint.yellow : paint.red)(
          paint.bold("DO NOT TRADE: position size zero")
        ),
    `  ${WHY[decision.why]}`,
    `  Spent ${formatUsd(sum(prices))} USD in all.`
  ]
}
