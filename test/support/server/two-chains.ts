/** Two chains as readiness sees them: their nodes, their clocks, and what our accounts hold. */
import { Effect } from "effect"
import { createPublicClient, custom } from "viem"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { CLOCK_SYSVAR } from "../../../src/screening/solana/addresses.ts"
import { mockChainRpc } from "../mocks.ts"
import { account } from "../solana/encode.ts"

export const FEE_PAYER = SolanaAddress.make("So11111111111111111111111111111111111111112")

export interface World {
  readonly wei?: bigint
  readonly lamports?: bigint
  /** Why no node gives an answer. */
  readonly base?: UpstreamError["kind"]
  readonly solana?: UpstreamError["kind"]
  readonly feeIsUnknown?: boolean
  /** Unix seconds of Base's newest block. */
  readonly blockTime?: number
  /** What Solana's clock account shows, Unix seconds; none where the node does not show it. */
  readonly solanaTime?: number | undefined
  /** A chain to try things on, unless it is another: its time is nobody's. */
  readonly nodeName?: string
}

const failing = (kind: UpstreamError["kind"]) =>
  Effect.fail(new UpstreamError({ upstream: "base-rpc", kind, detail: "said by a stranger" }))

/** Unix seconds. */
export const NOW = 1_800_000_000

/** Solana's clock account; the time stands in its last eight bytes. */
const clockShowing = (world: World) => {
  const seconds = "solanaTime" in world ? world.solanaTime : NOW
  if (seconds === undefined) return null
  const data = new Uint8Array(40)
  new DataView(data.buffer).setBigInt64(32, BigInt(seconds), true)
  return account(FEE_PAYER, data)
}

export const chainsOf = (world: World) => {
  const { base, blockTime = NOW, feeIsUnknown, lamports = 10n ** 9n, solana, wei = 10n ** 18n } = world
  const block = { number: "0x1", hash: `0x${"ab".repeat(32)}`, timestamp: `0x${blockTime.toString(16)}` }
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: block,
    web3_clientVersion: world.nodeName ?? "anvil/v1.7.1",
    eth_getBalance: `0x${wei.toString(16)}`,
    eth_gasPrice: feeIsUnknown === true ? undefined : "0x3b9aca00"
  }
  const client = createPublicClient({
    transport: custom({
      request: ({ method }: { method: string }) =>
        answers[method] === undefined
          ? Promise.reject(new Error("refused"))
          : Promise.resolve(answers[method])
    })
  })
  const unused = () => Effect.die("unused")
  return mockChainRpc({
    base: {
      client,
      nodes: [],
      readAll: unused,
      inspect: unused,
      call: unused,
      callAll: unused,
      blockNumber: base === undefined ? Effect.succeed(1n) : failing(base)
    },
    solana: {
      urls: [],
      nodes: [],
      call: unused,
      together: unused,
      simulate: unused,
      getProgramAccounts: unused,
      getLargestTokenAccounts: unused,
      getAccounts: (asked) =>
        solana !== undefined
          ? failing(solana)
          : Effect.succeed({
              slot: 1n,
              accounts: asked.map((address) =>
                address === CLOCK_SYSVAR
                  ? clockShowing(world)
                  : { ...account(FEE_PAYER, new Uint8Array()), lamports }
              )
            })
    }
  })
}
