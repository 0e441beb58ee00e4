import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { connect } from "node:net"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { freePort, serviceProgram } from "../../scripts/sandbox/service.ts"
import type { Answer, Screening } from "../support/calls.ts"
import { ask, askAndHangUp, encode, pay, receiptOf, screen, signFor, toHttp } from "../support/calls.ts"
import {
  baseBuyer,
  serviceEnvironment,
  solanaBuyer,
  startRpcProxy,
  startService
} from "../support/sandbox.ts"
import { serve } from "../support/market/upstream.ts"
import { movedSince, onceOnBase, onceOnSolana, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { eventually, newBasePayer, newSolanaPayer, useStage } from "../support/stage.ts"

const stage = useStage()

const screeningOn = (chain: "base" | "solana"): Screening => ({
  method: "GET",
  operation: "ping",
  chain,
  address:
    chain === "base" ? stage().sandbox.base.tokens.clean.address : stage().sandbox.solana.tokens.clean.address
})

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/** Starts the program with these variables only and waits for its end. */
const runToEnd = async (environment: Readonly<Record<string, string>>) => {
  const port = await Effect.runPromise(freePort)
  const { HOME, PATH } = process.env
  const child = spawn(process.execPath, [await Effect.runPromise(serviceProgram)], {
    env: { HOME, PATH, PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  let listened = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      void isListening(port).then((open) => (listened ||= open))
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, output, listened: listened || (await isListening(port)) }
}

describe("a wrong configuration", () => {
  it("is reported whole: every missing variable, a failing exit code, and nothing listens", async () => {
    const { code, listened, output } = await runToEnd({})
    expect(code).not.toBe(0)
    expect(code).not.toBeNull()
    expect(listened).toBe(false)
    for (const name of [
      "BASE_PAY_TO",
      "SOLANA_PAY_TO",
      "BASE_SETTLER_PRIVATE_KEY",
      "SOLANA_FEE_PAYER_PRIVATE_KEY"
    ]) {
      expect(output).toContain(name)
    }
    expect(output).not.toMatch(/\bat .*\.(?:js|ts):\d+/)
  })

  it("is reported whole: every wrong variable by name, and no value that may be a secret", async () => {
    const wrong = {
      PING_PRICE_USD: "-1",
      DEEP_PRICE_USD: "free",
      DATABASE_URL: "mysql://user:hunter2@host/db",
      FREE_DEEP_CALLS: "three",
      FREE_WINDOW: "a day",
      CACHE_TTL: "soon",
      WORKERS: "hunter1",
      LOG_LEVEL: "loud",
      TRUST_PROXY: "perhaps",
      PUBLIC_URL: "ftp://risk.example",
      BASE_PAY_TO: "0x12",
      SOLANA_PAY_TO: "not base58",
      BASE_SETTLER_PRIVATE_KEY: "0xdeadbeefhunter3",
      SOLANA_FEE_PAYER_PRIVATE_KEY: "hunter4",
      ATTESTATION_SIGNING_KEY: "hunter5",
      BASE_RPC_URL: "nowhere",
      SOLANA_RPC_URL: "file:///etc/passwd",
      DEXSCREENER_URL: "x",
      RUGCHECK_URL: "y",
      EXTRA_LP_LOCKERS: "zzz",
      CHECKOUT_SERVICE: "../..",
      CHECKOUT_TTL: "-1 hour"
    }
    const { code, listened, output } = await runToEnd(wrong)
    expect(code).not.toBe(0)
    expect(listened).toBe(false)
    expect(Object.keys(wrong).filter((name) => !output.includes(name))).toEqual([])
    expect(output).toContain("WORKERS: must be a whole number from 1 to 64\n")
    expect(output).not.toContain("hunter")
  })
})

describe("SIGTERM", () => {
  it("in mid-sale, to the whole group and once more, lets both sales finish: the clients get their answers, then the process ends with 0", async () => {
    const { base, solana } = stage().sandbox
    const onBase = await stage().run(startRpcProxy(base.url))
    const onSolana = await stage().run(startRpcProxy(solana.url))
    const environment = serviceEnvironment(stage().sandbox, {
      DATABASE_URL: stage().databaseFile(),
      BASE_RPC_URL: onBase.url,
      SOLANA_RPC_URL: onSolana.url,
      WORKERS: "2"
    })
    const service = await stage().run(startService(environment, { detached: true }))
    const payments = [
      [screeningOn("solana"), baseBuyer(await newBasePayer(stage()))],
      [screeningOn("base"), solanaBuyer(await newSolanaPayer(stage()), solana.url)]
    ] as const
    const signed = await Promise.all(
      payments.map(
        async ([screening, buyer]) =>
          [screening, encode(await signFor(service.url, screening, buyer))] as const
      )
    )
    const before = await readBooks(stage())
    onBase.faults.refusedMethods.add("eth_getTransactionReceipt")
    onSolana.faults.refusedMethods.add("getSignatureStatuses")
    let isTold = false
    /** As a payer does who is told to come again: on a busy machine a call may end before anything was sent. */
    const insist = async (screening: Screening, payment: string): Promise<Answer> => {
      const answer = await pay(service.url, screening, payment)
      return answer.status === 503 && !isTold ? insist(screening, payment) : answer
    }
    const answers = Promise.all(signed.map(([screening, payment]) => insist(screening, payment)))
    await eventually(
      () => movedSince(stage(), before),
      ({ sentOnBase, sentOnSolana }) => sentOnBase === 1 && sentOnSolana === 1
    ).finally(() => (isTold = true))
    // As systemd does it: every process of the group is told, and told again while it drains.
    process.kill(-service.pid, "SIGTERM")
    const readiness = () =>
      ask(`${service.url}/readyz`).then(
        ({ status }) => status,
        () => 503
      )
    expect(await eventually(readiness, (status) => status !== 200)).toBe(503)
    process.kill(-service.pid, "SIGTERM")
    onBase.faults.refusedMethods.clear()
    onSolana.faults.refusedMethods.clear()
    for (const answer of await answers) {
      expect(answer.status).toBe(200)
      expect(receiptOf(answer).success).toBe(true)
    }
    expect(await Effect.runPromise(service.ended)).toBe(0)
    expect(await movedSince(stage(), before)).toEqual({
      base: onceOnBase(PING_PRICE).base,
      solana: onceOnSolana(PING_PRICE).solana,
      sentOnBase: 1,
      sentOnSolana: 1
    })
  })
})

/** An OpenTelemetry collector that keeps all it is sent, by path. */
const startCollector = Effect.gen(function* () {
  const received = new Map<string, string>()
  const { url } = yield* serve((request, response) => {
    const path = request.url ?? ""
    request.setEncoding("utf8").on("data", (text: string) => {
      received.set(path, (received.get(path) ?? "") + text)
    })
    request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"))
  })
  return { url, received }
})

describe("logs and traces", () => {
  it("of a whole run at the finest level hold no key, no payment and no URL that may carry a secret", async () => {
    const { base, solana } = stage().sandbox
    const onBase = await stage().run(startRpcProxy(base.url))
    const onSolana = await stage().run(startRpcProxy(solana.url))
    const collector = await stage().run(startCollector)
    const secrets = {
      BASE_RPC_URL: `${onBase.url}/v2/RPC-KEY-ONE`,
      SOLANA_RPC_URL: `${onSolana.url}/?api-key=RPC-KEY-TWO`,
      ATTESTATION_SIGNING_KEY: "5e".repeat(32),
      ATTESTATION_HMAC_KEY: "6f".repeat(32)
    }
    const service = await stage().start({
      ...secrets,
      LOG_LEVEL: "all",
      CACHE_TTL: "1 millis",
      OTLP_URL: collector.url,
      TRACE_SAMPLE_RATIO: "1"
    })
    const { address } = screeningOn("base")
    const buyers = [
      baseBuyer(await newBasePayer(stage())),
      solanaBuyer(await newSolanaPayer(stage()), solana.url)
    ]
    const kept: Array<string> = []
    for (const buyer of buyers) {
      const payload = await signFor(service.url, screeningOn("base"), buyer)
      const payment = encode(payload)
      const signed = Object.values(payload.payload).filter((value) => typeof value === "string")
      kept.push(payment, ...signed)
      expect((await pay(service.url, screeningOn("base"), payment)).status).toBe(200)
      await pay(service.url, screeningOn("base"), payment)
      await pay(service.url, screeningOn("solana"), payment)
      await pay(service.url, screeningOn("base"), `${payment.slice(0, -8)}AAAA`)
    }
    for (const fault of ["error", "garbage", "reset"] as const) {
      const payment = encode(
        await signFor(service.url, screeningOn("solana"), baseBuyer(await newBasePayer(stage())))
      )
      kept.push(payment)
      onBase.httpFaults.fault = fault
      onSolana.httpFaults.fault = fault
      expect((await pay(service.url, screeningOn("base"), payment)).status).toBe(503)
      await pay(service.url, screeningOn("solana"), payment)
      onBase.httpFaults.fault = "none"
      onSolana.httpFaults.fault = "none"
    }
    await screen(
      service.url,
      { ...screeningOn("base"), operation: "deep" },
      {
        "x-client-id": "CLIENT-ID-7",
        "sign-in-with-x": "SIGNED-IN-8",
        "x-forwarded-for": "203.0.113.77",
        forwarded: "for=203.0.113.77"
      }
    )
    const [url, init] = toHttp(service.url, screeningOn("base"), { "payment-signature": "garbage" })
    await askAndHangUp(url, init).ended
    service.signal("SIGTERM")
    expect(await Effect.runPromise(service.ended)).toBe(0)

    const output = service.output()
    expect(output).toContain("request")
    expect(output.split("\n").filter((line) => line.includes('"paid":true')).length).toBeGreaterThanOrEqual(2)
    const forbidden = [
      evmKey("settler"),
      evmKey("settler").slice(2),
      solana.accounts.feePayerSecret,
      secrets.ATTESTATION_SIGNING_KEY,
      secrets.ATTESTATION_HMAC_KEY,
      "RPC-KEY",
      "CLIENT-ID-7",
      "SIGNED-IN-8",
      "203.0.113.77",
      address,
      ...kept
    ]
    expect(forbidden.filter((secret) => output.includes(secret))).toEqual([])
    const metrics = collector.received.get("/v1/metrics") ?? ""
    for (const name of ["token_risk_sales_total", "token_risk_slots_in_use", "settlement_seconds"])
      expect(metrics).toContain(name)
    const traces = collector.received.get("/v1/traces") ?? ""
    for (const span of ["http.server", "Sale.", "eth_"]) expect(traces).toContain(span)
    const sent = [...collector.received.values()].join("\n")
    // A screening's span names its token; what a caller wrote into a query is in none.
    const untold = [...forbidden.filter((secret) => secret !== address), `address=${address}`]
    expect(untold.filter((secret) => sent.includes(secret))).toEqual([])
  })
})
