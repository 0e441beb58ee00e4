/** Our settling side on the simulated Base. */
import { Effect } from "effect"
import { encodeErrorResult, type Hex, parseAbi, type PublicClient, serializeTransaction } from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import type { BaseRpc, EvmRead, EvmReadResult } from "../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import { makeSelfHostedEvm } from "../../src/payment/settler/evm/self-hosted.ts"
import type { Pace } from "../../src/payment/settler/evm/senders.ts"
import type { Facilitator } from "../../src/payment/settler/remote/facilitator.ts"
import { makeRemote } from "../../src/payment/settler/remote/remote.ts"
import { lookUpOnBase } from "../../src/payment/verifier/evm/lookup.ts"
import { makeTrials } from "../../src/payment/verifier/evm/trial.ts"
import { verifyOnBase } from "../../src/payment/verifier/evm/verify.ts"
import { viewOfBase } from "../../src/payment/verifier/evm/view.ts"
import { ETHER_PRICE, settings } from "../support/payment/base-settling.ts"
import type { SimNodes } from "./base-node.ts"

const reverts = parseAbi(["error Error(string)"])

/** Our settling key. Its signatures only name the sender, which is all the simulated chain looks at. */
export const simAccount = (seed: number): PrivateKeyAccount => {
  const account = privateKeyToAccount(`0x${seed.toString(16).padStart(64, "0")}`)
  const signature = {
    r: `0x${account.address.slice(2).toLowerCase().padStart(64, "0")}`,
    s: `0x${"11".repeat(32)}`
  } as const
  return {
    ...account,
    signTransaction: (transaction) =>
      Promise.resolve(serializeTransaction({ ...transaction, type: "eip1559" }, { ...signature, yParity: 0 }))
  }
}

export type Accounts = readonly [PrivateKeyAccount, ...ReadonlyArray<PrivateKeyAccount>]

/** A read that reverts is an answer. */
const readOne = async (
  client: PublicClient,
  { data, to }: EvmRead,
  blockHash: Hex
): Promise<EvmReadResult> => {
  try {
    const result = await client.request({ method: "eth_call", params: [{ to, data }, { blockHash }] })
    return { ok: true, data: result }
  } catch (error) {
    const [, reason] = /execution reverted: (.*)/.exec(error instanceof Error ? error.message : "") ?? []
    if (reason === undefined) throw error
    return { ok: false, data: encodeErrorResult({ abi: reverts, errorName: "Error", args: [reason] }) }
  }
}

const outage = () => new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "simulated" })

/** Nobody here is a contract. */
const NO_CODE: EvmReadResult = { ok: true, data: "0x" }

const readAllOver =
  (client: PublicClient): BaseRpc["readAll"] =>
  (reads) =>
    Effect.tryPromise({
      try: async () => {
        const { hash, number, timestamp } = await client.getBlock()
        const results = await Promise.all(
          reads.map((read) => ("to" in read ? readOne(client, read, hash) : NO_CODE))
        )
        return { blockNumber: number, blockTime: timestamp, results }
      },
      catch: outage
    })

interface SimBaseOptions {
  readonly nodes: SimNodes
  readonly step: () => Promise<void>
  readonly accounts: Accounts
  readonly pace: Pace
  /** Who settles; ourselves when absent. */
  readonly facilitator: Facilitator | undefined
}

/** What a process needs of Base, with the real verifier and the real settler. */
export const makeSimBase = ({ accounts, facilitator, nodes, pace, step }: SimBaseOptions) =>
  Effect.gen(function* () {
    const client = nodes.client(step)
    const nodeClients = [
      { host: "first", client: nodes.client(step, 0) },
      { host: "second", client: nodes.client(step, 1) }
    ]
    const ask = lookUpOnBase(nodeClients)
    const trials = makeTrials({ client, readAll: readAllOver(client) })
    const price = Effect.succeed(ETHER_PRICE)
    const own =
      facilitator === undefined
        ? yield* makeSelfHostedEvm({
            rpc: { client, nodes: nodeClients },
            trials,
            accounts,
            price,
            settings,
            ask,
            pace
          })
        : { lookup: ask, settle: makeRemote(facilitator, ask).settle }
    const says = {
      admit: () => Effect.succeed(undefined),
      admitCode: Effect.void,
      examine: () => Effect.void
    }
    return {
      verify: verifyOnBase(trials, own.lookup, says),
      settle: own.settle,
      lookup: own.lookup,
      lookupOnChain: ask,
      view: viewOfBase(nodeClients)
    }
  })
