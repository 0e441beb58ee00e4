import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { readUsdcAccount, type UsdcAccount } from "../chain/usdc-account.ts"
import { type Network, SOLANA_NETWORK } from "../domain/chain.ts"
import { payToConfig } from "./config.ts"

/** A start waits this long for a node, and goes on without it. */
const PATIENCE = Duration.seconds(5)
/** Between two looks. */
const INTERVAL = Duration.seconds(20)

const REASON: Readonly<Record<UsdcAccount, string | undefined>> = {
  ready: undefined,
  missing: "has no USDC token account: create its associated token account",
  frozen: "has a USDC token account that is frozen",
  "given-away": "has signed its USDC token account away to somebody else",
  "not-a-wallet": "is a token account, where its wallet is wanted"
}

/** Whether our own receiving addresses can be paid. */
export class Receiving extends Context.Tag("token-risk/Receiving")<
  Receiving,
  {
    /**
     * `false` only where the chain shows that nothing can arrive there: every payment would fail, whoever signs it, so
     * that nobody is to be asked for one.
     */
    readonly canArrive: (network: Network) => boolean
  }
>() {}

const make = Effect.gen(function* () {
  const chains = yield* ChainRpc
  const { solana } = yield* payToConfig
  let account: UsdcAccount = "ready"

  const tell = (found: UsdcAccount) => {
    const reason = REASON[found]
    return reason === undefined
      ? Effect.logInfo("what is paid on Solana can arrive again")
      : Effect.logError(`SOLANA_PAY_TO ${reason}. Until then nothing is sold on Solana`, { address: solana })
  }
  const look = readUsdcAccount(chains, solana).pipe(
    Effect.flatMap((found) => {
      if (found === account) return Effect.void
      account = found
      return tell(found)
    }),
    Effect.catchAll(({ detail, kind }) =>
      Effect.logDebug("no node says whether what is paid on Solana can arrive", kind, detail)
    )
  )
  yield* Effect.timeoutOption(look, PATIENCE)
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(look, Schedule.spaced(INTERVAL)), INTERVAL))
  return Receiving.of({ canArrive: (network) => network !== SOLANA_NETWORK || account === "ready" })
})

/** Asked at start and every 20 seconds; where no node answers, what was known holds. Requires `ChainRpc`. */
export const ReceivingLive = Layer.scoped(Receiving, make)
