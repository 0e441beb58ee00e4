/** Receiving addresses at which nothing can arrive, as callers see it. */
import { expect, it } from "@effect/vitest"
import { solanaAddress } from "../../scripts/sandbox/accounts.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { challengeOf, screen } from "../support/calls.ts"
import { pingOf } from "../support/payment/buying.ts"
import { useStage } from "../support/stage.ts"

const stage = useStage()

it("a wallet without a token account on Solana: nobody is asked to pay there", async () => {
  const service = await stage().start({ SOLANA_PAY_TO: solanaAddress("merchant without an account") })
  const { accepts } = challengeOf(await screen(service.url, pingOf(stage())))
  expect(accepts.map(({ network }) => network)).toEqual([BASE_NETWORK])
})
