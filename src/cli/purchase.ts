import { Clock, Console, Effect, Option, ParseResult, Schema } from "effect"
import { PolicyRefusal, TokenRiskError } from "../client/errors.ts"
import type { Approve } from "../client/pay.ts"
import type { CallOptions, Decision, Delivered, TokenRiskClient } from "../client/token-risk-client.ts"
import { createTokenRiskClient } from "../client/token-risk-client.ts"
import type { PaymentRequirements } from "../client/types.ts"
import { BASE_NETWORK, networkOf, SOLANA_NETWORK } from "../domain/chain.ts"
import { parseStrictJson } from "../domain/strict-json.ts"
import { TokenRef } from "../domain/token.ts"
import { formatUsd } from "../domain/usd.ts"
import { Display } from "./display.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, Stop } from "./exit.ts"
import { networkName } from "./explorer.ts"
import { describeFailure } from "./failures.ts"
import { readJwks } from "./jwks.ts"
import type { Spending } from "./options.ts"
import type { View } from "./paint.ts"
import { paintFor } from "./paint.ts"
import { Session } from "./session.ts"
import { plain, printableJson } from "./text.ts"
import { openWallet } from "./wallet.ts"

/** What every command that may pay is told. */
export interface ShopOptions extends Spending {
  readonly url: string
  readonly json: boolean
  readonly clientId?: Option.Option<string>
  readonly jwks?: Option.Option<string>
}

/** What a command is doing, and the payments it has made so far: smallest units, in order. */
export interface Progress {
  text: string | undefined
  readonly prices: Array<bigint>
}

/** What a command has to say: once for people, once for machines, once for the shell. */
export interface Outcome {
  readonly human: (view: View, prices: ReadonlyArray<bigint>) => ReadonlyArray<string>
  readonly machine: unknown
  readonly code: ExitCode
}

/** The token that the arguments name. Fails with a usage error that says what is wrong with the address. */
export const tokenOf = (chain: "base" | "solana", address: string) =>
  Schema.decodeUnknown(TokenRef)({ chain, address }).pipe(
    Effect.mapError((error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      const message = `${plain(address, 80)} ${issue?.message ?? "names no token"}`
      return new Stop({ code: EXIT.usage, message })
    })
  )

const termsOf = ({ amount, network, payTo }: PaymentRequirements): string =>
  `${formatUsd(BigInt(amount))} USD in USDC on ${networkName(network)} to ${plain(payTo, 50)}`

/** Asks before each payment, or names the price and says why nobody can be asked; keeps the status in step. */
const approval =
  (
    options: ShopOptions,
    ask: (question: string) => Promise<boolean> | undefined,
    status: Progress
  ): Approve =>
  async (chosen) => {
    const terms = termsOf(chosen)
    if (!options.yes) {
      const resume = status.text
      status.text = undefined
      const agreed = await ask(`Pay ${terms}?`)
      if (agreed === undefined)
        throw new PolicyRefusal([
          `the price is ${terms}`,
          "not confirmed: add --yes to pay without being asked"
        ])
      if (!agreed) throw new PolicyRefusal(["you did not confirm it"])
      status.text = resume
    }
    status.prices.push(BigInt(chosen.amount))
    status.text = `paying ${terms}: waiting for the settlement`
    return true
  }

/** A client set up by the command's options. */
export const openClient = Effect.fnUntraced(function* (options: ShopOptions, status: Progress) {
  const display = yield* Display
  const jwks = Option.flatten(Option.fromNullable(options.jwks))
  const clientId = Option.flatten(Option.fromNullable(options.clientId))
  const ask = (question: string) =>
    display.interactive ? Effect.runPromise(display.confirm(question)) : undefined
  const settings = {
    baseUrl: options.url,
    wallet: yield* openWallet(options),
    policy: {
      maxPerCall: options.maxPrice,
      budget: options.budget,
      networks: Option.match(options.payOn, {
        onNone: () => [BASE_NETWORK, SOLANA_NETWORK] as const,
        onSome: (chain) => [networkOf(chain)]
      }),
      maxTimeoutSeconds: 120
    },
    approve: approval(options, ask, status),
    timeoutMs: options.timeout,
    ...(Option.isSome(clientId) ? { clientId: clientId.value } : {}),
    ...(Option.isSome(jwks) ? { jwks: yield* readJwks(jwks.value) } : {})
  }
  const client = yield* Effect.tryPromise({
    try: () => createTokenRiskClient(settings),
    catch: (error) => describeFailure(error, 0n)
  })
  const session = yield* Session
  session.committed = client.spent
  return client
})

/** How long an interrupted call may take to say what it had sent; it does so at once, unless a person is being asked. */
const LAST_WORD_MILLIS = 200

/** The payment that a call which was cut off had sent, if it had sent one. */
const openPaymentOf = (cutOff: Promise<unknown>): Promise<string | undefined> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, LAST_WORD_MILLIS, undefined)
    const end = (error?: unknown) => {
      clearTimeout(late)
      resolve(error instanceof TokenRiskError ? error.payment : undefined)
    }
    cutOff.then(() => end(), end)
  })

/** One call of the client, ended with the fiber: what was not signed by then is never signed. */
export const calling = <A>(
  client: TokenRiskClient,
  use: (limits: Pick<CallOptions, "signal">) => Promise<A>
): Effect.Effect<A, Stop, Session> =>
  Effect.gen(function* () {
    const { open } = yield* Session
    let call: Promise<unknown> = Promise.resolve()
    const asked = Effect.tryPromise((signal) => {
      const answer = use({ signal })
      call = answer
      return answer
    })
    const noteOpen = Effect.promise(async () => {
      const payment = await openPaymentOf(call)
      if (payment !== undefined) open.push(payment)
    })
    return yield* Effect.onInterrupt(asked, () => noteOpen).pipe(
      Effect.catchAll(({ error }) =>
        Effect.flatMap(Effect.promise(client.spent), (spent) => describeFailure(error, spent))
      )
    )
  })

/** Prints what a command found out, and ends with its code. */
export const conclude = Effect.fnUntraced(function* (
  outcome: Outcome,
  { json, url }: Pick<ShopOptions, "json" | "url">,
  prices: ReadonlyArray<bigint>
) {
  const { color } = yield* Display
  const view = { paint: paintFor(color), now: yield* Clock.currentTimeMillis, url }
  yield* Console.log(json ? printableJson(outcome.machine) : outcome.human(view, prices).join("\n"))
  if (outcome.code !== EXIT.good) return yield* new Stop({ code: outcome.code })
})

/** The answer with every member it came with: what is printed is what verifies. */
export const received = ({ body, receipt }: Delivered<unknown>) => ({
  result: parseStrictJson(body),
  receipt
})

/** Exit codes of the answers. */
export const pingCode = (safe: boolean | null): ExitCode => {
  if (safe === null) return EXIT.caution
  return safe ? EXIT.good : EXIT.avoid
}
export const VERDICT_CODE = { allow: EXIT.good, caution: EXIT.caution, avoid: EXIT.avoid } as const

const DECISION_CODE: Readonly<Record<Decision["why"], ExitCode>> = {
  passed: EXIT.good,
  "ping-unknown": EXIT.caution,
  "verdict-caution": EXIT.caution,
  "evidence-stale": EXIT.caution,
  "ping-failed": EXIT.avoid,
  "verdict-avoid": EXIT.avoid
}
/** The exit code of a decision. */
export const decisionCode = (why: Decision["why"]): ExitCode => DECISION_CODE[why]
