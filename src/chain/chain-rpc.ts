import type { Address, Hex, PublicClient } from "viem"
import type { Effect } from "effect"
import { Context } from "effect"
import type { SolanaAddress } from "../domain/address.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { RpcCall } from "./rpc-call.ts"

/** One read of a batch. `data` is ABI-encoded call data; the caller decodes what comes back. */
export interface EvmRead {
  readonly to: Address
  readonly data: Hex
  /**
   * Runs as a transaction's call would, with at most 700,000 gas: it may write, and the reads after it see what it did. A
   * read that is not marked so and writes all the same fails.
   */
  readonly writes?: boolean
}

/** The code of an account, read in the same call as everything else. */
export interface CodeRead {
  readonly codeOf: Address
}

/**
 * Stands in a batch behind a read that answers an address: its reads are made only where that names one, which then stands
 * for `FOUND` where they call it or name it as a whole argument. Its own answer is `ok` where they were made, and holds
 * theirs. The same list behind many reads is written once.
 */
export interface FoundReads {
  readonly ofFound: ReadonlyArray<EvmRead>
}

/** The address that the read before `FoundReads` named. No account's. */
export const FOUND: Address = "0xf00ffaced0c5b0a7f00ffaced0c5b0a7f00fface"

/**
 * Reads that are the same of many accounts but for the account, so that they are put together once for all of them:
 * `SUBJECT` stands for it where they call it or name it as a whole argument. Their own answer is `ok` and holds theirs.
 */
export interface AlikeReads {
  /** Kept: what is put together of it is known by it. */
  readonly alike: ReadonlyArray<EvmRead | FoundReads>
  readonly of: Address
}

/** The account that `AlikeReads` are made of. No account's address. */
export const SUBJECT: Address = "0x5abec70f5abec70f5abec70f5abec70f5abec70f"

const readOf = ({ data, to, ...rest }: EvmRead, of: Address): EvmRead => ({
  ...rest,
  to: to === SUBJECT ? of : to,
  data: `0x${data.slice(2).replaceAll(SUBJECT.slice(2), of.slice(2))}`
})

/** These reads, of their account. */
export const readsOf = ({ alike, of }: AlikeReads): ReadonlyArray<EvmRead | FoundReads> =>
  alike.map((item) =>
    "ofFound" in item ? { ofFound: item.ofFound.map((one) => readOf(one, of)) } : readOf(item, of)
  )

/** One read, or what a batch does between two, or many that are put together. */
export type BatchRead = EvmRead | CodeRead | FoundReads | AlikeReads

/** The answer to one read; a revert is an answer, not an error. */
export interface EvmReadResult {
  readonly ok: boolean
  readonly data: Hex
  /** Of `FoundReads` that were made, and of `AlikeReads`: the answers to its reads. */
  readonly found?: ReadonlyArray<EvmReadResult>
}

/** Answers to a batch, all read at one block. */
export interface EvmBatch {
  readonly blockNumber: bigint
  /** Unix seconds of that block. */
  readonly blockTime: bigint
  readonly results: ReadonlyArray<EvmReadResult>
}

/** State of one account replaced for the length of one `eth_call`. */
export interface AccountOverride {
  readonly address: Address
  readonly balance?: bigint
  readonly code?: Hex
  readonly stateDiff?: ReadonlyArray<{ readonly slot: Hex; readonly value: Hex }>
}

export interface EvmCall {
  readonly from?: Address
  readonly to?: Address
  readonly data: Hex
  readonly gas?: bigint
  readonly gasPrice?: bigint
  readonly value?: bigint
  readonly stateOverride?: ReadonlyArray<AccountOverride>
  /** What the block's time (Unix seconds) and number are to be, and a fee recipient and base fee a real block would have. */
  readonly blockOverride?: {
    readonly time?: bigint
    readonly number?: bigint
    readonly feeRecipient?: Address
    readonly baseFeePerGas?: bigint
  }
  readonly blockNumber?: bigint
}

/** Code and storage words of an account. */
export interface Inspected {
  readonly code: Hex
  /** In the order they were asked for. */
  readonly slots: ReadonlyArray<Hex>
  /** The block that the code was read at, its time in Unix seconds; absent where the node did not tell. */
  readonly at?: Pick<EvmBatch, "blockNumber" | "blockTime">
}

/** Base reads. Every method is one round trip unless it says otherwise; time-outs and fallbacks are inside. */
export interface BaseRpc {
  /** For the official x402 schemes, which bring their own reads, and for logs. Its requests go through the same pool. */
  readonly client: PublicClient
  /** Each node by itself, the preferred one first: what one of them says must not be completed by another. */
  readonly nodes: ReadonlyArray<{ readonly host: string; readonly client: PublicClient }>
  /**
   * Many reads in one `eth_call` at one block, in their order. Works with and without Multicall3 on the chain; a node that
   * runs that one only leaves codes and what is read of found addresses unread (`ok` is false) and does not bound the gas
   * of what `writes`.
   */
  readonly readAll: (
    reads: ReadonlyArray<BatchRead>,
    options?: { readonly blockNumber?: bigint }
  ) => Effect.Effect<EvmBatch, UpstreamError>
  /**
   * Code and storage slots of accounts in two calls, at one block where one is given. Empty code is `0x`, and says only
   * that this node showed none.
   */
  readonly inspect: (
    accounts: ReadonlyArray<{ readonly address: Address; readonly slots?: ReadonlyArray<Hex> }>,
    options?: { readonly blockNumber?: bigint }
  ) => Effect.Effect<ReadonlyArray<Inspected>, UpstreamError>
  /** `eth_call` with state and block overrides. A node that refuses overrides gives `rejected`. */
  readonly call: (call: EvmCall) => Effect.Effect<EvmReadResult, UpstreamError>
  /** Independent `eth_call`s, none of which sees what another did, as one JSON-RPC batch. */
  readonly callAll: (
    calls: ReadonlyArray<EvmCall>
  ) => Effect.Effect<ReadonlyArray<EvmReadResult>, UpstreamError>
  readonly blockNumber: Effect.Effect<bigint, UpstreamError>
}

/** One Solana account, `null` where none exists. */
export interface SolanaAccount {
  readonly owner: SolanaAddress
  readonly lamports: bigint
  readonly data: Uint8Array
  /** Full length of the data, also where only a slice was read. */
  readonly space: number
}

export interface SolanaTokenBalance {
  readonly address: SolanaAddress
  readonly amount: bigint
}

/** Token accounts as a node lists them, and the slot it lists them at. */
export interface SolanaBalances {
  readonly slot: bigint
  readonly balances: ReadonlyArray<SolanaTokenBalance>
}

/** Accounts of one program: of `size` bytes where given, with these 32 bytes at an offset. */
export interface SolanaProgramQuery {
  readonly size?: number
  readonly offset: number
  readonly holds: SolanaAddress
}

/** What running a transaction would do. Nothing is sent. */
export interface SolanaSimulation {
  readonly slot: bigint
  /**
   * Null where it would succeed. `instruction` is the index of the one that failed, null where none had started:
   * then the node refused the transaction itself. `code` is the runtime's name of the error.
   */
  readonly failure: { readonly instruction: number | null; readonly code: string } | null
  readonly logs: ReadonlyArray<string>
  /** The accounts asked for, as they would be afterwards, in that order; none where the node did not give them all. */
  readonly accounts: ReadonlyArray<SolanaAccount | null>
}

/** Solana reads at `confirmed`. Every method is one round trip. */
export interface SolanaRpc {
  readonly getAccounts: (
    addresses: ReadonlyArray<SolanaAddress>,
    options?: {
      readonly slice?: { readonly offset: number; readonly length: number }
      /** A node that has not come to this slot is no answer: the next one is asked. */
      readonly notBefore?: bigint
    }
  ) => Effect.Effect<
    { readonly slot: bigint; readonly accounts: ReadonlyArray<SolanaAccount | null> },
    UpstreamError
  >
  /** The 20 largest token accounts of a mint. Public nodes and small test nodes may refuse it. */
  readonly getLargestTokenAccounts: (mint: SolanaAddress) => Effect.Effect<SolanaBalances, UpstreamError>
  /**
   * A program's accounts that match. Public nodes may refuse it. `slot` is null where the server names none, as small
   * development servers do: every node of Solana that was asked for it does.
   */
  readonly getProgramAccounts: (
    program: SolanaAddress,
    query: SolanaProgramQuery,
    slice: { readonly offset: number; readonly length: number }
  ) => Effect.Effect<
    {
      readonly slot: bigint | null
      readonly accounts: ReadonlyArray<{
        readonly address: SolanaAddress
        readonly data: Uint8Array
        readonly owner: SolanaAddress
      }>
    },
    UpstreamError
  >
  /**
   * Runs a serialized transaction, base64, without checking signatures and with a recent blockhash put in, and shows
   * the accounts asked for afterwards.
   */
  readonly simulate: (
    transaction: string,
    accounts: ReadonlyArray<SolanaAddress>
  ) => Effect.Effect<SolanaSimulation, UpstreamError>
  /** Every other method, through the same pool. */
  readonly call: RpcCall
  /** The same for small calls: those of one method within a few milliseconds travel in one HTTP batch. */
  readonly together: RpcCall
  /** Each node by itself, the preferred one first: what one of them says must not be completed by another. */
  readonly nodes: ReadonlyArray<{ readonly host: string; readonly call: RpcCall }>
  /** The URLs in order of preference, for the official x402 schemes. */
  readonly urls: ReadonlyArray<string>
}

/** The two chains, read only. */
export class ChainRpc extends Context.Tag("token-risk/ChainRpc")<
  ChainRpc,
  { readonly base: BaseRpc; readonly solana: SolanaRpc }
>() {}
