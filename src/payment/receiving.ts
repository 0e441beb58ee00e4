import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { readUsdcAccount, type UsdcAccount } from "../chain/usdc-account.ts"
import { BASE_NETWORK, BASE_USDC, type Network, SOLANA_NETWORK } from "../domain/chain.ts"
import { UpstreamError } from "../domain/errors.ts"
import { tellingTrouble } from "../domain/trouble.ts"
import { payToConfig } from "./config.ts"

/** Between two looks. */
const INTERVAL = Duration.seconds(20)

/** Why nothing can arrive at an address, in words for operators; `undefined` where it can. */
type Reason = string | undefined

const OF_ACCOUNT: Readonly<Record<UsdcAccount, Reason>> = {
  ready: undefined,
  missing: "has no USDC token account: create its associated token account",
  frozen: "has a USDC token account that is frozen",
  "given-away": "has signed its USDC token account away to somebody else",
  "not-a-wallet": "is a token account or a program, where a wallet is wanted"
}

/** The list of FiatToken whose accounts nobody can pay. Source: circlefin/stablecoin-evm, contracts/v1/Blacklistable.sol. */
const blacklist = {
  abi: parseAbi(["function isBlacklisted(address account) view returns (bool)"]),
  functionName: "isBlacklisted"
} as const

const unsaid = () =>
  new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "no word of the blacklist" })

const isBlacklisted = ({ base }: Pick<ChainRpc["Type"], "base">, payTo: Address) =>
  base
    .readAll([{ to: BASE_USDC, data: encodeFunctionData({ ...blacklist, args: [payTo] }) }])
    .pipe(
      Effect.flatMap(({ results: [said] }) =>
        said?.ok === true
          ? Effect.try({ try: () => decodeFunctionResult({ ...blacklist, data: said.data }), catch: unsaid })
          : unsaid()
      )
    )

/** Whether our own receiving addresses can be paid. */
export class Receiving extends Context.Tag("token-risk/Receiving")<
  Receiving,
  {
    /**
     * Why nothing can arrive there, in words for operators, only where the chain shows it: every payment would fail, whoever
     * signs it, and none is to be taken.
     */
    readonly obstacle: (network: Network) => Reason
  }
>() {}

/** Asks now, without making a start wait, and ever again; gives what was found last. */
const watch = Effect.fnUntraced(function* (
  { address, chain, variable }: Readonly<Record<"address" | "chain" | "variable", string>>,
  read: Effect.Effect<Reason, UpstreamError>
) {
  let reason: Reason
  const tell = () =>
    reason === undefined
      ? Effect.logInfo(`what is paid on ${chain} can arrive again`)
      : Effect.logError(`${variable} ${reason}. Until then no payment on ${chain} is taken`, { address })
  const look = read.pipe(
    Effect.flatMap((found) => {
      if (found === reason) return Effect.void
      reason = found
      return tell()
    }),
    Effect.catchAll(({ detail, kind }) =>
      Effect.logDebug(`no node says whether what is paid on ${chain} can arrive`, kind, detail)
    ),
    tellingTrouble(`looking whether what is paid on ${chain} can arrive`)
  )
  yield* Effect.forkScoped(Effect.repeat(Effect.ignoreLogged(look), Schedule.spaced(INTERVAL)))
  return () => reason && `${variable} ${reason}`
})

const make = Effect.gen(function* () {
  const chains = yield* ChainRpc
  const { base, solana } = yield* payToConfig
  const [ofBase, ofSolana] = yield* Effect.all(
    [
      watch(
        { variable: "BASE_PAY_TO", chain: "Base", address: base },
        Effect.map(isBlacklisted(chains, base), (listed) =>
          listed ? "is on the blacklist of USDC" : undefined
        )
      ),
      watch(
        { variable: "SOLANA_PAY_TO", chain: "Solana", address: solana },
        Effect.map(readUsdcAccount(chains, solana), (account) => OF_ACCOUNT[account])
      )
    ],
    { concurrency: 2 }
  )
  const reasons: Readonly<Record<Network, () => Reason>> = {
    [BASE_NETWORK]: ofBase,
    [SOLANA_NETWORK]: ofSolana
  }
  return Receiving.of({ obstacle: (network) => reasons[network]() })
})

/** Asked at start and every 20 seconds; where no node answers, what was known holds. Requires `ChainRpc`. */
export const ReceivingLive = Layer.scoped(Receiving, make)
