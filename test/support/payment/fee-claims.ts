import { BASE_NETWORK, type Network } from "../../../src/domain/chain.ts"
import { terms } from "./support.ts"

/** A claim of a payment whose network fees come out of some budgets. */
export const claimOf = (
  authorizationKey: string,
  feeBudgets: ReadonlyArray<string>,
  network: Network = BASE_NETWORK
) => ({
  authorizationKey,
  fingerprint: "order",
  network,
  payer: "payer",
  amount: "5000",
  payload: "{}",
  requirements: terms,
  since: 0,
  feeBudgets
})
