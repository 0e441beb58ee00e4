import { afterEach, describe, expect, it } from "@effect/vitest"
import type { Answer, Screening } from "../support/calls.ts"
import { ask, askAndHangUp, pay, receiptOf, screen, toHttp } from "../support/calls.ts"
import {
  expectUnknown,
  lookOf,
  networks,
  newPayment,
  once,
  onceOnBoth,
  type Network,
  type Proxies,
  screeningBeside,
  sendOf,
  startProxies,
  through
} from "../support/payment/buying.ts"
import { type Books, movedSince, NOTHING, onceOnSolana, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { parseExposition } from "../support/server/exposition.ts"
import { eventually, useService } from "../support/stage.ts"

let started: Proxies | undefined

/** The service reaches both chains through proxies with faults, one service for the whole file. */
const { service, stage } = useService(async ({ run, sandbox }) => {
  started = await startProxies(run, sandbox)
  return { CACHE_TTL: "1 millis", ...through(started) }
})

const proxies = (): Proxies => {
  if (started === undefined) throw new Error("the proxies start before the tests")
  return started
}
afterEach(() => {
  for (const { mend } of Object.values(started ?? {})) mend()
})

/** What each network's payment buys in these tests, and a payment for it. */
const purchaseOn = async (network: Network) => {
  const screening = screeningBeside(stage(), network)
  return { network, screening, payment: await newPayment(stage(), service().url, screening, network) }
}

type Purchase = Awaited<ReturnType<typeof purchaseOn>>

/** As a payer does who is told to come again: on a busy machine a call may end before anything was sent. */
const payUntilSent = async (before: Books, { network, payment, screening }: Purchase): Promise<Answer> => {
  const { answer } = await eventually(
    async () => ({
      answer: await pay(service().url, screening, payment),
      moved: await movedSince(stage(), before)
    }),
    ({ answer, moved }) => answer.status !== 503 || moved[network] > 0n
  )
  return answer
}

/** A caller who will hang up, and who asks again where a call ended before that. */
const startCalling = ({ payment, screening }: Purchase) => {
  const request = toHttp(service().url, screening, { "payment-signature": payment })
  let hasEnded = false
  const call = () => {
    hasEnded = false
    const { ended, hangUp } = askAndHangUp(...request)
    return { hangUp, ended: ended.then(() => void (hasEnded = true)) }
  }
  let current = call()
  return {
    insist: () => {
      if (hasEnded) current = call()
    },
    hangUp: () => {
      current.hangUp()
      return current.ended
    }
  }
}

const delivered = ({ payment, screening }: Purchase) =>
  eventually(
    () => pay(service().url, screening, payment),
    ({ status }) => status === 200
  )

// In this order: an operator reads at the end what the others came to.
describe("through nodes with faults", { shuffle: false }, () => {
  describe("a settlement, on either network,", () => {
    it("whose broadcast's reply is lost still ends in one transfer and one answer", async () => {
      const purchases = await Promise.all(networks.map(purchaseOn))
      const before = await readBooks(stage())
      for (const network of networks) proxies()[network].faults.lostReplies.add(sendOf(network))
      const answers = await Promise.all(purchases.map((purchase) => payUntilSent(before, purchase)))
      for (const network of networks) proxies()[network].faults.lostReplies.clear()
      for (const answer of answers) if (answer.status !== 200) expectUnknown(answer)
      for (const again of await Promise.all(purchases.map(delivered))) {
        expect(receiptOf(again).success).toBe(true)
      }
      expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
    })

    it("goes on when its caller hangs up, and the same payment fetches the answer", async () => {
      const purchases = await Promise.all(networks.map(purchaseOn))
      const before = await readBooks(stage())
      // The transfer is sent, and its outcome cannot be seen: the middle of a settlement.
      for (const network of networks) proxies()[network].faults.refusedMethods.add(lookOf(network))
      const callers = purchases.map(startCalling)
      await eventually(
        () => {
          for (const { insist } of callers) insist()
          return movedSince(stage(), before)
        },
        ({ base, solana }) => base === PING_PRICE && solana === PING_PRICE
      )
      for (const { hangUp } of callers) await hangUp()
      for (const network of networks) proxies()[network].faults.refusedMethods.clear()
      for (const { body } of await Promise.all(purchases.map(delivered))) expect(body).toHaveProperty("safe")
      expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
    })
  })

  describe("a settlement on", () => {
    it("Base that never reaches a block is 503 and never 402, and pays once when the chain goes on", async () => {
      const purchase = await purchaseOn("base")
      const { faults } = proxies().base
      const before = await readBooks(stage())
      faults.refusedMethods.add(sendOf("base"))
      expectUnknown(await pay(service().url, purchase.screening, purchase.payment))
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
      faults.refusedMethods.clear()
      await delivered(purchase)
      expect(await movedSince(stage(), before)).toEqual(once("base", PING_PRICE))
    })

    it("Solana whose first broadcast is dropped is sent again by us", async () => {
      const purchase = await purchaseOn("solana")
      const before = await readBooks(stage())
      stage().sandbox.solana.faults.dropTransactions = 1
      expect(receiptOf(await delivered(purchase)).success).toBe(true)
      expect(await movedSince(stage(), before)).toEqual(once("solana", PING_PRICE))
    })
  })

  describe("a caller who hangs up while we still screen", () => {
    it("is not charged, and the same payment is good afterwards", async () => {
      const purchase = await purchaseOn("solana")
      const market = proxies().base
      const before = await readBooks(stage())
      market.faults.hangingMethods.add("eth_call")
      const started = market.requests.get("eth_call") ?? 0
      const headers = { "payment-signature": purchase.payment }
      const caller = askAndHangUp(...toHttp(service().url, purchase.screening, headers))
      await eventually(
        () => market.requests.get("eth_call") ?? 0,
        (count) => count > started
      )
      caller.hangUp()
      await caller.ended
      market.faults.hangingMethods.clear()
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
      expect((await delivered(purchase)).body).toHaveProperty("safe")
      expect(await movedSince(stage(), before)).toEqual(onceOnSolana(PING_PRICE))
    })
  })

  /** Every family of metrics an operator is promised, with labels its samples have after sales on both networks. */
  const PROMISED: ReadonlyArray<RegExp> = [
    /^token_risk_http_requests_total\{class="paid",status="200",route="[^"]*ping"\} [1-9]/m,
    /^token_risk_sales_total\{network="eip155:8453",operation="check_token_safety_ping",outcome="sold"\} [1-9]/m,
    /^token_risk_sales_total\{network="solana:[^"]*",operation="[^"]*",outcome="(?:sold|replayed)"\} [1-9]/m,
    /^token_risk_sales_total\{[^}]*outcome="unresolved"\} [1-9]/m,
    /^token_risk_revenue_usdc_total\{network="eip155:8453"\} 0\.0/m,
    /^token_risk_settlement_seconds_count\{network="eip155:8453"\} [1-9]/m,
    /^token_risk_settlement_seconds_count\{network="solana:[^"]*"\} [1-9]/m,
    /^token_risk_payments_unresolved\{network="eip155:8453"\} \d/m,
    /^token_risk_payments_refused\{network="solana:[^"]*"\} \d/m,
    /^token_risk_settlement_batch_payments_count [1-9]/m,
    /^token_risk_settlement_fees_usd_micros_total\{network="eip155:8453"\} [1-9]/m,
    /^token_risk_settlement_key_balance\{[^}]*network="eip155:8453"[^}]*\} \d/m,
    /^token_risk_settlement_key_balance\{[^}]*network="solana:[^"]*"[^}]*\} \d/m,
    /^token_risk_free_calls_total\{outcome="unknown_token"\} [1-9]/m,
    /^token_risk_screenings_total\{chain="base",[^}]*cache="(?:hit|miss)"\} [1-9]/m,
    /^token_risk_verdicts_total\{chain="(?:base|solana)",verdict="[^"]*"\} [1-9]/m,
    /^token_risk_upstream_seconds_count\{upstream="base-rpc"\} [1-9]/m,
    /^token_risk_upstream_requests_total\{upstream="base-rpc",outcome="(?!ok)[^"]*"\} [1-9]/m,
    /^token_risk_upstream_breaker_open\{upstream="[^"]*"\} 0/m,
    /^token_risk_analysis_seconds_count\{[^}]*\} [1-9]/m,
    /^token_risk_event_loop_delay_seconds\{/m,
    /^token_risk_event_loop_delay_max_seconds \d/m,
    /^token_risk_slots_in_use\{class="paid"\} \d/m,
    /^token_risk_slots_waiting\{class="paid"\} \d/m,
    /^token_risk_retention_last_run_seconds\{[^}]*\} \d/m,
    /^token_risk_ready\{part="database"\} 1/m,
    /^token_risk_ready\{part="base"\} 1/m,
    /^token_risk_ready\{part="solana"\} 1/m
  ]

  describe("an operator", () => {
    it("reads all of it in /metrics: sales, revenue, outcomes, fees, balances, upstreams, slots", async () => {
      const nothing: Screening = {
        ...screeningBeside(stage(), "solana"),
        operation: "deep",
        address: `0x${"9".repeat(40)}`
      }
      expect((await screen(service().url, nothing, { "x-client-id": "curious" })).status).toBe(404)
      const missing = async () => {
        const { text } = await ask(`${service().url}/metrics`)
        parseExposition(text)
        return PROMISED.filter((line) => !line.test(text)).map(String)
      }
      // Gauges of the ledger are read every few seconds.
      expect(await eventually(missing, ({ length }) => length === 0, 20).catch(missing)).toEqual([])
    })
  })
})
