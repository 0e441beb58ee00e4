/**
 * `npm run demo`: the sandbox and a scripted buyer with the official x402 clients. Every step checks what it shows;
 * the exit code is 0 only if all of them held. `--verbose` shows the service's own log.
 */
import { Console, Effect, Either, Schema } from "effect"
import { verifyReport } from "../../src/domain/attestation.ts"
import type { Answer } from "./answers.ts"
import { asChallenge, asJwks, asPing, asRecord, asReport, receiptOf, request } from "./answers.ts"
import { describeBalances, movedBetween, readBalances } from "./balances.ts"
import { checkoutOnSolana } from "./checkout.ts"
import { dollars, expectThat, held, step } from "./checks.ts"
import { baseBuyer, solanaBuyer } from "../sandbox/buyer.ts"
import { describeSandbox } from "../sandbox/describe.ts"
import { runForeground } from "../sandbox/foreground.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { serviceEnvironment, startSandbox } from "../sandbox/sandbox.ts"
import { startService } from "../sandbox/service.ts"

const PING_PRICE = 5_000n
const DEEP_PRICE = 40_000n
const FREE_CALLS = 3

interface Stage {
  readonly sandbox: Sandbox
  /** Base of the service's paths. */
  readonly url: string
}

const operation = ({ url }: Stage, name: "ping" | "deep"): string => `${url}/api/token-risk/v1/${name}`

const query = (stage: Stage, name: "ping" | "deep", chain: string, address: string): string =>
  `${operation(stage, name)}?${new URLSearchParams({ chain, address }).toString()}`

const post = (chain: string, address: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ chain, address })
})

/** Runs an action and tells what it moved on each chain. */
const whileWatching = <A, E>({ sandbox }: Stage, action: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const before = yield* readBalances(sandbox)
    const result = yield* action
    return { result, moved: movedBetween(before, yield* readBalances(sandbox)) }
  })

const describeReport = (answer: Answer) =>
  Effect.map(asReport(answer.body), ({ band, reasons, score, verdict }) => [
    `verdict ${verdict}, score ${score} (${band})`,
    ...reasons.map(({ code, message }) => `  ${code}: ${message}`)
  ])

const seePrice = (stage: Stage) =>
  Effect.gen(function* () {
    const token = stage.sandbox.base.tokens.clean.address
    const answer = yield* request(fetch, query(stage, "ping", "base", token))
    yield* expectThat(answer.status === 402, `expected 402, got ${answer.status}`)
    const { accepts } = yield* asChallenge(answer.body)
    const header = Buffer.from(answer.headers.get("payment-required") ?? "", "base64").toString("utf8")
    yield* expectThat(header === JSON.stringify(answer.body), "header and body carry the same challenge")
    return held(accepts.map(({ amount, network }) => `402: ${dollars(BigInt(amount))} on ${network}`))
  })

const Hash = Schema.TemplateLiteral("0x", Schema.String)

const pingOnBase = (stage: Stage) =>
  Effect.gen(function* () {
    const { base } = stage.sandbox
    const buyer = baseBuyer(base.accounts.payer)
    const { moved, result } = yield* whileWatching(
      stage,
      request(buyer.fetch, operation(stage, "ping"), post("base", base.tokens.clean.address))
    )
    yield* expectThat(result.status === 200, `expected 200, got ${result.status}`)
    const ping = yield* asPing(result.body)
    const { transaction } = yield* receiptOf(result)
    const hash = yield* Schema.decodeUnknown(Hash)(transaction)
    const { status } = yield* Effect.promise(() => base.devnet.client.getTransactionReceipt({ hash }))
    yield* expectThat(status === "success", "the settlement is on the chain")
    yield* expectThat(moved.base === PING_PRICE && moved.solana === 0n, "exactly the price moved, on Base")
    return held([
      `safe ${String(ping.safe)}, mint authority off ${String(ping.mintAuthorityOff)}, LP locked ${String(ping.lpLocked)}`,
      `${dollars(PING_PRICE)} moved in ${hash}`
    ])
  })

const deepOnSolana = (stage: Stage) =>
  Effect.gen(function* () {
    const { solana } = stage.sandbox
    const buyer = solanaBuyer(solana.accounts.payer, solana.url)
    const { moved, result } = yield* whileWatching(
      stage,
      request(buyer.fetch, query(stage, "deep", "solana", solana.tokens.clean.address))
    )
    yield* expectThat(result.status === 200, `expected 200, got ${result.status}`)
    const report = yield* describeReport(result)
    const { transaction } = yield* receiptOf(result)
    yield* expectThat(solana.ledger.find(transaction)?.error === null, "the settlement is on the chain")
    yield* expectThat(moved.solana === DEEP_PRICE && moved.base === 0n, "exactly the price moved, on Solana")
    return held([...report, `${dollars(DEEP_PRICE)} moved in ${transaction}`], result)
  })

const verifyOffline = (stage: Stage, report: Answer) =>
  Effect.gen(function* () {
    const keys = yield* request(fetch, `${stage.url}/.well-known/jwks.json`)
    const jwks = yield* asJwks(keys.body)
    yield* expectThat(Either.isRight(verifyReport(report.body, jwks)), "the report verifies")
    const body = yield* asRecord(report.body)
    const refused = verifyReport({ ...body, score: body["score"] === 0 ? 1 : 0 }, jwks)
    yield* expectThat(Either.isLeft(refused), "a changed report does not verify")
    return held([
      "digest, HMAC and Ed25519 signature hold",
      `changed report: ${Either.isLeft(refused) ? refused.left.message : ""}`
    ])
  })

const freeUntilTheyRunOut = (stage: Stage) =>
  Effect.gen(function* () {
    const { base, solana } = stage.sandbox
    const tokens = [
      { chain: "base", name: "clean", address: base.tokens.clean.address, mustAvoid: false },
      { chain: "base", name: "honeypot", address: base.tokens.honeypot.address, mustAvoid: true },
      {
        chain: "solana",
        name: "permanent delegate",
        address: solana.tokens.permanentDelegate.address,
        mustAvoid: true
      }
    ]
    const caller = { headers: { "x-client-id": `demo-${Date.now()}` } }
    const lines: Array<string> = []
    for (const { address, chain, mustAvoid, name } of tokens.slice(0, FREE_CALLS)) {
      const answer = yield* request(fetch, query(stage, "deep", chain, address), caller)
      yield* expectThat(answer.status === 200, `expected 200 for ${name}, got ${answer.status}`)
      const { free, verdict } = yield* asReport(answer.body)
      yield* expectThat(free, `the call for ${name} is free`)
      const described = yield* describeReport(answer)
      lines.push(`${name} on ${chain}:`, ...described.map((line) => `  ${line}`))
      yield* expectThat(!mustAvoid || verdict === "avoid", `${name} must be avoided, not "${verdict}"`)
    }
    const next = yield* request(fetch, query(stage, "deep", "base", base.tokens.clean.address), caller)
    yield* expectThat(next.status === 402, `call ${FREE_CALLS + 1} must be paid, got ${next.status}`)
    return held([...lines, `call ${FREE_CALLS + 1}: 402`])
  })

const unknownTokenIsFree = (stage: Stage) =>
  Effect.gen(function* () {
    const { base } = stage.sandbox
    const buyer = baseBuyer(base.accounts.payer)
    const { moved, result } = yield* whileWatching(
      stage,
      request(buyer.fetch, query(stage, "deep", "base", base.tokens.unlisted.address))
    )
    yield* expectThat(result.status === 404, `expected 404, got ${result.status}`)
    yield* expectThat(moved.base === 0n && moved.solana === 0n, "nothing moved")
    return held([`404 ${JSON.stringify(result.body)}, the signed payment was left untouched`])
  })

const play = (stage: Stage) =>
  Effect.gen(function* () {
    const { sandbox } = stage
    const before = yield* readBalances(sandbox)
    yield* step("Balances before", Effect.succeed(held(describeBalances(before))))
    yield* step("An unpaid ping answers with the price", seePrice(stage))
    yield* step("Ping on Base, paid on Base", pingOnBase(stage))
    const report = yield* step("Deep report on Solana, paid on Solana", deepOnSolana(stage))
    yield* step("The report verifies offline", verifyOffline(stage, report))
    yield* step(`${FREE_CALLS} free deep reports, then 402`, freeUntilTheyRunOut(stage))
    yield* step("A token nobody trades costs nothing", unknownTokenIsFree(stage))
    const after = yield* readBalances(sandbox)
    const moved = movedBetween(before, after)
    yield* step(
      "Balances after",
      Effect.as(
        expectThat(moved.base === PING_PRICE && moved.solana === DEEP_PRICE, "two sales, nothing else"),
        held(describeBalances(after))
      )
    )
    yield* step("A merchant is paid by a checkout, exactly once", checkoutOnSolana(sandbox, stage.url))
  })

const demo = Effect.gen(function* () {
  const sandbox = yield* startSandbox({ base: { detached: true } })
  const service = yield* startService(serviceEnvironment(sandbox), {
    output: process.argv.includes("--verbose") ? "inherit" : "quiet",
    detached: true
  })
  yield* Console.log(describeSandbox(sandbox, service))
  yield* play({ sandbox, url: service.url })
  yield* Console.log("\nEvery step held.")
})

runForeground(
  Effect.scoped(demo).pipe(
    Effect.tapErrorTag("DemoFailure", ({ message }) => Console.error(`\nThe demo failed: ${message}`))
  )
)
