import { Effect, Option } from "effect"
import type { CallOptions, Decision, Delivered, TokenRiskClient } from "../client/token-risk-client.ts"
import type { TokenRef } from "../domain/token.ts"
import { formatUsd, USDC_UNIT } from "../domain/usd.ts"
import { screenFile } from "./batch.ts"
import { Display } from "./display.ts"
import { EXIT, Stop } from "./exit.ts"
import type { Outcome, Progress, ShopOptions } from "./purchase.ts"
import {
  calling,
  conclude,
  decisionCode,
  openClient,
  pingCode,
  received,
  tokenOf,
  VERDICT_CODE
} from "./purchase.ts"
import { readResumed, type Resumed } from "./resumed.ts"
import { type Render, renderDecision, renderDeep, renderPing } from "./render.ts"

export interface BuyOptions extends ShopOptions, Resumed {
  readonly chain: "base" | "solana"
  readonly address: string
}

export interface DeepOptions extends BuyOptions {
  readonly clientId: Option.Option<string>
  readonly jwks: Option.Option<string>
}

export interface ScreenOptions extends Omit<DeepOptions, "address"> {
  readonly address: Option.Option<string>
  readonly file: Option.Option<string>
  readonly concurrency: number
  /** Smallest units of USD. */
  readonly order: bigint
}

/** Runs a purchase with its progress shown, prints the outcome, ends with its code. */
const buy = Effect.fnUntraced(function* (
  options: BuyOptions,
  purchase: (client: TokenRiskClient, token: TokenRef, call: CallOptions) => Promise<Outcome>
) {
  const display = yield* Display
  const token = yield* tokenOf(options.chain, options.address)
  const payment = yield* readResumed(options)
  const status: Progress = { text: `asking ${options.url}`, prices: [] }
  const client = yield* openClient(options, status)
  const outcome = yield* display.during(
    () => status.text,
    calling(client, (limits) =>
      purchase(client, token, {
        ...limits,
        ...(Option.isSome(payment) ? { payment: payment.value } : {})
      })
    )
  )
  yield* conclude(outcome, options, status.prices)
})

/** One answer for people, for machines, and as the process's exit code. */
const outcomeOf = <A>(
  token: TokenRef,
  delivered: Delivered<A>,
  render: Render<A>,
  code: Outcome["code"]
): Outcome => ({
  human: (view, [price]) => render(token, delivered, price, view),
  machine: received(delivered),
  code
})

/** `ping`: the cheap gate. */
export const ping = (options: BuyOptions) =>
  buy(options, async (client, token, call) => {
    const delivered = await client.ping(token.chain, token.address, call)
    return outcomeOf(token, delivered, renderPing, pingCode(delivered.result.safe))
  })

/** `deep`: the report, verified. */
export const deep = (options: DeepOptions) =>
  buy(options, async (client, token, call) => {
    const delivered = await client.deep(token.chain, token.address, call)
    return outcomeOf(token, delivered, renderDeep, VERDICT_CODE[delivered.result.verdict])
  })

/** A decision as `--json` prints it. */
const decisionJson = (decision: Decision) => ({
  tradable: decision.tradable,
  why: decision.why,
  ping: received(decision.ping),
  deep: decision.deep === null ? null : received(decision.deep)
})

/** `screen`: ping, then deep where the spending rules say so, then one decision; or that for every token of a file. */
export const screen = (options: ScreenOptions) => {
  const { address, file } = options
  if (Option.isSome(address) === Option.isSome(file))
    return Effect.fail(
      new Stop({ code: EXIT.usage, message: "screen: name one token by ADDRESS, or many by --file FILE" })
    )
  if (Option.isSome(file)) return screenFile({ ...options, file: file.value })
  return buy({ ...options, address: Option.getOrElse(address, () => "") }, async (client, token, call) => {
    const usd = Number(options.order) / Number(USDC_UNIT)
    const decision = await client.screen(token.chain, token.address, usd, call)
    const spent = await client.spent()
    return {
      human: (view, prices) => renderDecision(token, decision, prices, view),
      machine: { ...decisionJson(decision), spentUsd: formatUsd(spent) },
      code: decisionCode(decision.why)
    }
  })
}
