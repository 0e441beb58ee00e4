import { HttpApiBuilder, HttpClient, HttpClientRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Clock, Duration, Effect, Metric, Option, Redacted, Schedule } from "effect"
import type { PublicClient } from "viem"
import { Unavailable } from "../api/errors.ts"
import type { SolanaAccount } from "../chain/chain-rpc.ts"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { isDevelopment, isTooOld } from "../chain/development-node.ts"
import { askBlock } from "../chain/evm-blocks.ts"
import { isSolanaAddress } from "../domain/address.ts"
import { cached } from "../domain/cached.ts"
import { BASE_NETWORK, chainOf, SOLANA_NETWORK } from "../domain/chain.ts"
import type { UpstreamError } from "../domain/errors.ts"
import { makeTrouble } from "../domain/trouble.ts"
import { HEALTH } from "../http/health.ts"
import { OUTAGE_RETRY_SECONDS } from "../operations/failures.ts"
import { settlementConfig } from "../payment/config.ts"
import { Receiving } from "../payment/receiving.ts"
import { signingKey } from "../payment/settler/evm/signing-key.ts"
import { LEAST_BALANCE } from "../payment/settler/svm/economy.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import { CLOCK_SYSVAR } from "../screening/solana/addresses.ts"
import { GENESIS, secondsOf } from "../screening/solana/reads/clock.ts"
import { makeWriteProbe } from "../storage/write-probe.ts"

/** Longest any part may take to show that it works. */
const PATIENCE = "2 seconds"
/** How long an answer holds: whoever asks more often gets the same one. */
const MEMORY = Duration.seconds(1)

/** Gas of one settlement on Base, generously: what a balance must pay for at the current price. */
const SETTLEMENT_GAS = 150_000n
/** Lamports a fee payer needs: its account stays rent-exempt, and the fees of one transfer. */
const FEE_PAYER_LAMPORTS = LEAST_BALANCE + 20_000n

/** How often it is looked for while nobody asks: the metrics and the log know it in any case. */
const INTERVAL = "15 seconds"

/** Why a part of the service cannot do its share of a sale; nothing when it can. */
type Check = Effect.Effect<Option.Option<string>>

/** A check, and the part of the service that it stands for in the metrics. */
type Part = readonly [name: string, check: Check]

const ready = Metric.gauge("token_risk_ready", {
  description: "1 when this part of the service could do its share of a sale when last looked at, 0 when not"
})

const cannotSell = (reasons: ReadonlyArray<string>) => `cannot sell: ${reasons.join("; ")}`

const cannot = (reason: string) => Option.some(reason)
const CAN = Option.none<string>()

/**
 * What a check reports when it fails, dies or takes too long. One that cannot be stopped, as a statement whose server has
 * fallen silent, ends by itself: whoever asks is not kept waiting for that.
 * @param reasonOf says it of the failure, where there is one
 */
const orElse = <E>(
  check: Effect.Effect<Option.Option<string>, E>,
  reasonOf: (failure: Option.Option<E>) => string
): Check =>
  check.pipe(
    Effect.disconnect,
    Effect.timeoutTo({
      duration: PATIENCE,
      onTimeout: () => cannot(reasonOf(Option.none())),
      onSuccess: (found) => found
    }),
    Effect.catchAllCause((cause) => Effect.succeed(cannot(reasonOf(Cause.failureOption(cause)))))
  )

/** What no node does, as the last one that was asked has it. One that limits us is asked again for longer than we wait. */
const WANTING: Readonly<Record<UpstreamError["kind"], string>> = {
  transport: "no node answers",
  "circuit-open": "no node answers",
  timeout: "no node answers in time: silent, or limiting our requests",
  "rate-limited": "no node answers: our requests are limited",
  rejected: "no node answers: our requests are refused",
  malformed: "no node answers as one of this chain: of another chain, or no node"
}

/** Why no node of a chain answers. The log names each. */
const withoutNode =
  (chain: "base" | "solana") =>
  (failure: Option.Option<UpstreamError>): string =>
    `${chain}: ${Option.match(failure, { onNone: () => WANTING.timeout, onSome: ({ kind }) => WANTING[kind] })}`

const databaseCheck = Effect.map(makeWriteProbe, (write): Part => [
  "database",
  orElse(Effect.as(write, CAN), () => "database: cannot be written")
])

const facilitatorCheck = (network: "base" | "solana", url: string, auth: Option.Option<Redacted.Redacted>) =>
  Effect.map(HttpClient.HttpClient, (client): Part => {
    const request = HttpClientRequest.get(`${url}/supported`).pipe((plain) =>
      Option.match(auth, {
        onNone: () => plain,
        onSome: (value) => HttpClientRequest.setHeader(plain, "authorization", Redacted.value(value))
      })
    )
    const reason = `${network}: the facilitator does not answer`
    const asked = Effect.map(client.execute(request), ({ status }) => (status < 500 ? CAN : cannot(reason)))
    return [`${network}-facilitator`, orElse(Effect.scoped(asked), () => reason)]
  })

const balance = (network: string, isEnough: boolean) =>
  isEnough ? CAN : cannot(`${network}: the settler's balance does not pay for a settlement`)

/** Seconds by which Solana's clock, which is the votes' own, may be behind this machine's. */
const SOLANA_MOST_BEHIND = 300
/** Seconds by which Base's newest block may be ahead of this machine's clock: a minute is all a payment is good for. */
const BASE_MOST_AHEAD = 60

const secondsSince = (time: bigint | number) =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1_000) - Number(time))

const isOld = (chain: "base" | "solana", seconds: number) =>
  cannot(
    `${chain}: the newest block is ${seconds} s old: chain or node stand still, or this machine's clock is fast`
  )

/** Whether Base's time and ours are one. A chain that somebody started to try things on has a time of its own. */
const inStep = (client: PublicClient) =>
  Effect.gen(function* () {
    const { timestamp } = yield* Effect.tryPromise(() => askBlock(client, "latest"))
    const behind = yield* secondsSince(timestamp)
    if (behind >= -BASE_MOST_AHEAD && !isTooOld(behind)) return CAN
    const isOwn = Effect.tryPromise(() => isDevelopment(client))
    if (yield* Effect.orElseSucceed(isOwn, () => false)) return CAN
    return behind > 0
      ? isOld("base", behind)
      : cannot(`base: the newest block is of ${-behind} s from now: this machine's clock is slow`)
  })

const baseCheck = Effect.gen(function* () {
  const { base: rpc } = yield* ChainRpc
  const { base: choice, facilitatorAuth } = yield* settlementConfig
  const untold = Effect.orElseSucceed(() =>
    cannot("base: no node tells its newest block, the fee and our balance")
  )
  const clock = untold(inStep(rpc.client))
  if (choice.kind === "remote") {
    const node: Part = ["base", orElse(Effect.zipRight(rpc.blockNumber, clock), withoutNode("base"))]
    return [node, yield* facilitatorCheck("base", choice.url, facilitatorAuth)]
  }
  const accounts = Redacted.value(choice.key).map((key) => signingKey(key).address)
  // One key that can pay is enough to sell.
  const funds = Effect.tryPromise(() =>
    Promise.all([
      rpc.client.getGasPrice(),
      Promise.all(accounts.map((address) => rpc.client.getBalance({ address })))
    ])
  ).pipe(
    Effect.map(([price, balances]) =>
      balance(
        "base",
        balances.some((wei) => wei >= price * SETTLEMENT_GAS)
      )
    ),
    untold
  )
  const both = Effect.zipWith(clock, funds, (wrong, poor) => Option.orElse(wrong, () => poor), {
    concurrent: true
  })
  const able: Part = ["base", orElse(Effect.zipRight(rpc.blockNumber, both), withoutNode("base"))]
  return [able]
})

/**
 * Whether a node of Solana shows today by the chain's own clock, which runs a little apart from ours. One that is behind
 * knows neither the newest blockhashes nor what was paid since.
 */
const showsToday = (clock: SolanaAccount | null | undefined) =>
  Effect.gen(function* () {
    const time = secondsOf(clock)
    if (time === null) return cannot("solana: no node shows the chain's clock")
    const behind = yield* secondsSince(time)
    return time < GENESIS || behind <= SOLANA_MOST_BEHIND ? CAN : isOld("solana", behind)
  })

const nobody: Part = ["solana", Effect.succeed(cannot("solana: no fee payer"))]

const solanaCheck = Effect.gen(function* () {
  const { solana: rpc } = yield* ChainRpc
  const { facilitatorAuth, solana: choice } = yield* settlementConfig
  if (choice.kind === "remote") {
    const clock = Effect.flatMap(rpc.getAccounts([CLOCK_SYSVAR]), ({ accounts: [shown] }) =>
      showsToday(shown)
    )
    const node: Part = ["solana", orElse(clock, withoutNode("solana"))]
    return [node, yield* facilitatorCheck("solana", choice.url, facilitatorAuth)]
  }
  const feePayer = String((yield* PaymentVerifier).extra(SOLANA_NETWORK)?.["feePayer"])
  if (!isSolanaAddress(feePayer)) return [nobody]
  const both = Effect.flatMap(rpc.getAccounts([feePayer, CLOCK_SYSVAR]), ({ accounts: [account, clock] }) =>
    Effect.map(showsToday(clock), (wrong) =>
      Option.orElse(wrong, () => balance("solana", (account?.lamports ?? 0n) >= FEE_PAYER_LAMPORTS))
    )
  )
  const able: Part = ["solana", orElse(both, withoutNode("solana"))]
  return [able]
})

/** What would be paid has to arrive. Nobody is asked: it is looked after all the while. */
const receivingChecks = Effect.map(Receiving, ({ obstacle }) =>
  ([BASE_NETWORK, SOLANA_NETWORK] as const).map((network): Part => {
    const chain = chainOf(network)
    const found = Effect.sync(() => Option.fromNullable(obstacle(network)))
    return [
      `${chain}-receiving`,
      Effect.map(
        found,
        Option.map((why) => `${chain}: ${why}`)
      )
    ]
  })
)

/**
 * Whether the service can sell on both networks: the database takes writes, each chain's node answers and shows today,
 * Base's time is ours, whoever settles there can pay for it, and what is paid can arrive. The reasons why not, in words for
 * operators; none when it can.
 */
export const makeReadiness = Effect.gen(function* () {
  const parts = [
    yield* databaseCheck,
    ...(yield* baseCheck),
    ...(yield* solanaCheck),
    ...(yield* receivingChecks)
  ]
  const { failed, worked } = makeTrouble("selling")
  const tell = (reasons: ReadonlyArray<string>) =>
    reasons.length === 0 ? worked : failed("not ready", Effect.logWarning(cannotSell(reasons)))
  const lookAt = ([name, check]: Part) =>
    Effect.tap(check, (found) => Metric.set(Metric.tagged(ready, "part", name), Option.isNone(found) ? 1 : 0))
  const look = Effect.forEach(parts, lookAt, { concurrency: "unbounded" }).pipe(
    Effect.map((found) => [...new Set(found.flatMap(Option.toArray))]),
    Effect.tap(tell)
  )
  return yield* cached(look, MEMORY)
})

/** Looks again and again, in a scope. */
export const lookingOn = (readiness: Effect.Effect<unknown>) =>
  Effect.forkScoped(Effect.repeat(readiness, Schedule.spaced(INTERVAL)))

const READY = HttpServerResponse.unsafeJson({ status: "ready" }, { headers: { "cache-control": "no-store" } })

const fail = (
  reasons: ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse, Unavailable> =>
  Effect.fail(Unavailable.after(cannotSell(reasons), OUTAGE_RETRY_SECONDS))

/** `GET /readyz`: 200 when the service can sell, else 503 that names what cannot. The metrics and the log say it too. */
export const ReadinessRouteLive = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const readiness = yield* makeReadiness
    yield* lookingOn(readiness)
    yield* router.get(
      HEALTH.ready,
      Effect.flatMap(readiness, (reasons) => (reasons.length === 0 ? Effect.succeed(READY) : fail(reasons)))
    )
  })
)
