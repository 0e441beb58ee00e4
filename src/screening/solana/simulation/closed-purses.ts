/** Holders who cannot be paid: what an issuer does to somebody's dollars says nothing about the token. */
import { Effect } from "effect"
import { factOf } from "../reads/fetch.ts"
import type { Upstreams } from "../reads/reads.ts"
import { decodeTokenAccount, TOKEN_ACCOUNT_LENGTH } from "../reads/token-account.ts"
import type { Tried } from "./exit-facts.ts"

const CLOSED = { kind: "unrun", why: "what the holder would be paid into is frozen" } as const

/** Refused sales whose quote would have gone into an account that is frozen count as never made. Asks only where one was refused. */
export const withoutClosedPurses = Effect.fn("SolanaPlan.closedPurses")(function* (
  { rpc }: Pick<Upstreams, "rpc">,
  tried: ReadonlyArray<Tried>
) {
  const purses = tried.flatMap(({ outcome, trial }) =>
    outcome.kind === "refused" && trial.paidInto !== null ? [trial.paidInto] : []
  )
  if (purses.length === 0) return tried
  const read = yield* factOf(
    rpc.getAccounts(purses, { slice: { offset: 0, length: TOKEN_ACCOUNT_LENGTH } }),
    "the node did not show what holders would be paid into"
  )
  const closed = new Set(
    purses.filter(
      (_, index) => read.known && decodeTokenAccount(read.value.accounts[index] ?? null)?.frozen === true
    )
  )
  return tried.map((one): Tried => {
    const { outcome, trial } = one
    return outcome.kind === "refused" && trial.paidInto !== null && closed.has(trial.paidInto)
      ? { trial, outcome: CLOSED }
      : one
  })
})
