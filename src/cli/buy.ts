import { FetchHttpClient } from "@effect/platform"
import { Clock, Console, Effect, Option, Schema } from "effect"
import type { Approve } from "../client/pay.ts"
import { PolicyRefusal } from "../client/policy.ts"
import type { Delivered, TokenRiskClient } from "../client/token-risk-client.ts"
import { makeTokenRiskClient } from "../client/token-risk-client.ts"
import { BASE_NETWORK, networkOf, SOLANA_NETWORK } from "../domain/chain.ts"
import { formatUsd } from "../domain/money.ts"
import { parseStrictJson } from "../domain/strict-json.ts"
import { TokenRef } from "../domain/token.ts"
import { Display } from "./display.ts"
import type { ExitCode } from "./exit.ts"
import { EXIT, Stop } from "./exit.ts"
import { networkName } from "./explorer.ts"
import { describeFailure } from "./failures.ts"
import { readJwks } from "./jwks.ts"
import type { Spending } from "./options.ts"
import type { Paint } from "./paint.ts"
import { paintFor } from "./paint.ts"
import { renderDecision, renderDeep, renderPing } from "./render.ts"
import { plain, printableJson } from "./text.ts"
import { openWallet } from "./wallet.ts"

/** What every command that may pay is told. */
export interface BuyOptions extends Spending {
  readonly chain: "base" | "solana"
  readonly address: string
  readonly url: string
  readonly json: boolean
}

export interface DeepOptions extends BuyOptions {
  readonly clientId: Option.Option<string>
  readonly jwks: Option.Option<string>
}

/** What a command is doing, and the payments it has made so far: smallest units, in order. */
interface Progress {
  text: string | undefined
  readonly prices: Array<bigint>
}

/** What a command has to say: once for people, once for machines, once for the shell. */
interface Outcome {
  readonly human: (paint: Paint, now: number, prices: ReadonlyArray<bigint>) => ReadonlyArray<string>
  readonly machine: unknown
  readonly code: ExitCode
}

const tokenOf = ({ address, chain }: BuyOptions) =>
  Schema.decodeUnknown(TokenRef)({ chain, address }).pipe(
    Effect.mapError(
      () =>
        new Stop({
          code: EXIT.usage,
          message: `${plain(address, 80)} is no ${chain === "base" ? "address on Base: 0x and 40 hex digits" : "mint on Solana: base58 of 32 bytes"}`
        })
    )
  )

const refused = (reason: string) => new PolicyRefusal({ reasons: [reason] })

/** Asks before each payment, or says why nobody can be asked; keeps the status in step. */
const approval = (options: Spending, display: Display["Type"], status: Progress): Approve =>
  Effect.fnUntraced(function* ({ amount, network, payTo }) {
    const terms = `${formatUsd(BigInt(amount))} USD in USDC on ${networkName(network)}`
    if (!options.yes) {
      if (!display.interactive) return yield* refused("not confirmed: add --yes to pay without being asked")
      status.text = undefined
      const agreed = yield* display.confirm(`Pay ${terms} to ${plain(payTo, 50)}?`)
      if (!agreed) return yield* refused("you did not confirm it")
    }
    status.prices.push(BigInt(amount))
    status.text = `paying ${terms}: waiting for the settlement`
  })

const openClient = Effect.fnUntraced(function* (
  options: BuyOptions & Partial<Pick<DeepOptions, "clientId" | "jwks">>,
  status: Progress
) {
  const display = yield* Display
  const jwks = Option.flatten(Option.fromNullable(options.jwks))
  const clientId = Option.flatten(Option.fromNullable(options.clientId))
  return yield* makeTokenRiskClient({
    baseUrl: options.url,
    wallet: yield* openWallet(options),
    policy: {
      maxPerCall: options.maxPrice,
      budget: options.budget,
      networks: Option.match(options.payOn, {
        onNone: () => [BASE_NETWORK, SOLANA_NETWORK],
        onSome: (chain) => [networkOf(chain)]
      }),
      maxTimeoutSeconds: 120
    },
    approve: approval(options, display, status),
    ...(Option.isSome(clientId) ? { clientId: clientId.value } : {}),
    ...(Option.isSome(jwks) ? { jwks: yield* readJwks(jwks.value) } : {})
  })
})

/** Runs a purchase with its progress shown, prints the outcome, ends with its code. */
const buy = Effect.fnUntraced(function* <E>(
  options: BuyOptions & Partial<Pick<DeepOptions, "clientId" | "jwks">>,
  purchase: (client: TokenRiskClient, token: TokenRef) => Effect.Effect<Outcome, E>
) {
  const display = yield* Display
  const token = yield* tokenOf(options)
  const status: Progress = { text: `asking ${options.url}`, prices: [] }
  const client = yield* openClient(options, status)
  const outcome = yield* display
    .during(() => status.text, purchase(client, token))
    .pipe(Effect.catchAll((error) => Effect.flatMap(client.spent, (spent) => describeFailure(error, spent))))
  const now = yield* Clock.currentTimeMillis
  yield* Console.log(
    options.json
      ? printableJson(outcome.machine)
      : outcome.human(paintFor(display.color), now, status.prices).join("\n")
  )
  if (outcome.code !== EXIT.good) return yield* new Stop({ code: outcome.code })
}, Effect.provide(FetchHttpClient.layer))

/** The answer with every member it came with: what is printed is what verifies. */
const received = ({ body, receipt }: Delivered<unknown>) => ({ result: parseStrictJson(body), receipt })

const pingCode = (safe: boolean | null): ExitCode => {
  if (safe === null) return EXIT.caution
  return safe ? EXIT.good : EXIT.avoid
}
const VERDICT_CODE = { allow: EXIT.good, caution: EXIT.caution, avoid: EXIT.avoid } as const

/** `ping`: the cheap gate. */
export const ping = (options: BuyOptions) =>
  buy(options, (client, token) =>
    Effect.map(client.ping(token), (delivered) => ({
      human: (paint, now, [price]) => renderPing(token, delivered, price, paint, now),
      machine: received(delivered),
      code: pingCode(delivered.result.safe)
    }))
  )

/** `deep`: the report, verified. */
export const deep = (options: DeepOptions) =>
  buy(options, (client, token) =>
    Effect.map(client.deep(token), (delivered) => ({
      human: (paint, now, [price]) => renderDeep(token, delivered, price, paint, now),
      machine: received(delivered),
      code: VERDICT_CODE[delivered.result.verdict]
    }))
  )

const decisionCode = (why: string): ExitCode => {
  if (why === "passed") return EXIT.good
  return why === "ping-unknown" || why === "verdict-caution" ? EXIT.caution : EXIT.avoid
}

/** `screen`: ping, then deep where the spending rules of the contract say so, then one decision. */
export const screen = (options: DeepOptions & { readonly order: number }) =>
  buy(options, (client, token) =>
    Effect.gen(function* () {
      const decision = yield* client.screen(token, options.order)
      const spent = yield* client.spent
      return {
        human: (paint: Paint, now: number, prices: ReadonlyArray<bigint>) =>
          renderDecision(token, decision, prices, paint, now),
        machine: {
          tradable: decision.tradable,
          why: decision.why,
          spentUsd: formatUsd(spent),
          ping: received(decision.ping),
          deep: decision.deep === null ? null : received(decision.deep)
        },
        code: decisionCode(decision.why)
      }
    })
  )
