/** Receiving addresses at which nothing can arrive, as payers see it. */
import { expect, it } from "@effect/vitest"
import { solanaAddress } from "../../scripts/sandbox/accounts.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { movedSince, NOTHING, readBooks } from "../support/books.ts"
import { challengeOf, pay, paymentFor, screen } from "../support/calls.ts"
import { newBuyer, pingOf } from "../support/payment/buying.ts"
import { eventually, useStage } from "../support/stage.ts"

const stage = useStage()

it("a wallet without a token account on Solana: what is signed for it is 503 and not taken, and Base sells", async () => {
  const { url } = await stage().start({ SOLANA_PAY_TO: solanaAddress("merchant without an account") })
  const ping = pingOf(stage())
  const { accepts } = challengeOf(await screen(url, ping))
  expect(accepts.map(({ network }) => network)).toEqual([BASE_NETWORK, SOLANA_NETWORK])
  const before = await readBooks(stage())
  const payment = await paymentFor(url, ping, await newBuyer(stage(), "solana"))
  // The account is looked for beside the start, which does not wait for a node.
  const answer = await eventually(
    () => pay(url, ping, payment),
    ({ status }) => status === 503
  )
  expect(answer.headers.get("retry-after")).toBe("5")
  expect(await movedSince(stage(), before)).toEqual(NOTHING)
  const onBase = await paymentFor(url, ping, await newBuyer(stage(), "base"))
  expect((await pay(url, ping, onBase)).status).toBe(200)
})
