/** The read methods of the local Solana node. Transactions are in `rpc-transactions.ts`. */
import { getBase58Encoder, lamports } from "@solana/kit"
import * as at from "./addresses.ts"
import { SLOTS_PER_EPOCH } from "./clock.ts"
import type { Ledger } from "./ledger.ts"
import { accountJson } from "./rpc-account.ts"
import type { Method } from "./rpc-params.ts"
import { isRecord } from "../../../src/domain/json.ts"
import { RpcError, key, list, numberIn, optionsOf, text, wholeNumber } from "./rpc-params.ts"
import { transactionMethods } from "./rpc-transactions.ts"
import { allTokenAccounts, readMint, readTokenAccount, tokenAmountJson } from "./token-balance.ts"

const LARGEST = 20
const MAX_ACCOUNTS = 100

const inContext = (ledger: Ledger, value: unknown) => ({
  context: { apiVersion: "2.3.0", slot: ledger.clock.slot() },
  value
})

const accountMethods = (ledger: Ledger): Readonly<Record<string, Method>> => ({
  getAccountInfo: ([address, options]) => inContext(ledger, accountJson(ledger, key(address), options)),
  getMultipleAccounts: ([addresses, options]) => {
    ledger.syncClock()
    return inContext(
      ledger,
      list(addresses, MAX_ACCOUNTS).map((address) => accountJson(ledger, key(address), options))
    )
  },
  getBalance: ([address]) => inContext(ledger, ledger.svm.getBalance(key(address)) ?? 0n),
  getProgramAccounts: ([program, options]) => {
    const { filters, withContext } = optionsOf(options)
    const found = ledger.svm
      .getProgramAccounts(key(program))
      .filter(({ data }) =>
        (filters === undefined ? [] : list(filters, 4)).every((filter) =>
          matches(Uint8Array.from(data), filter)
        )
      )
      .map(({ address }) => ({ pubkey: address, account: accountJson(ledger, address, options) }))
    return withContext === true ? inContext(ledger, found) : found
  },
  requestAirdrop: ([address, amount]) => {
    const result = ledger.svm.airdrop(key(address), lamports(BigInt(wholeNumber(amount))))
    if (result === null) throw new RpcError(-32603, "airdrop failed")
    return ledger.clock.latestBlockhash().blockhash
  }
})

const matches = (data: Uint8Array, filter: unknown): boolean => {
  if (!isRecord(filter)) throw new RpcError(-32602, "Invalid params: filter")
  if ("dataSize" in filter) return data.length === numberIn(filter, "dataSize")
  const { memcmp } = filter
  if (!isRecord(memcmp)) throw new RpcError(-32602, "Invalid params: filter")
  const wanted =
    memcmp["encoding"] === "base64"
      ? Buffer.from(text(memcmp["bytes"]), "base64")
      : Buffer.from(getBase58Encoder().encode(text(memcmp["bytes"])))
  const offset = numberIn(memcmp, "offset")
  return wanted.equals(data.subarray(offset, offset + wanted.length))
}

const requireMint = (ledger: Ledger, parameter: unknown) => {
  const mint = readMint(ledger.svm, key(parameter))
  if (mint === null) throw new RpcError(-32602, "Invalid param: not a Token mint")
  return mint
}

const tokenMethods = (ledger: Ledger): Readonly<Record<string, Method>> => ({
  getTokenSupply: ([mint]) => {
    const { decimals, supply } = requireMint(ledger, mint)
    return inContext(ledger, tokenAmountJson(supply, decimals))
  },
  getTokenAccountBalance: ([address]) => {
    const account = readTokenAccount(ledger.svm, key(address))
    if (account === null) throw new RpcError(-32602, "Invalid param: could not find account")
    const { decimals } = requireMint(ledger, account.mint)
    return inContext(ledger, tokenAmountJson(account.amount, decimals))
  },
  getTokenLargestAccounts: ([mint]) => {
    const { decimals } = requireMint(ledger, mint)
    const largest = allTokenAccounts(ledger.svm)
      .filter((account) => account.mint === mint && account.amount > 0n)
      .toSorted((left, right) => (left.amount < right.amount ? 1 : left.amount > right.amount ? -1 : 0))
      .slice(0, LARGEST)
    return inContext(
      ledger,
      largest.map(({ address, amount }) => Object.assign({ address }, tokenAmountJson(amount, decimals)))
    )
  },
  getTokenAccountsByOwner: ([owner, filter, options]) => {
    const wanted = optionsOf(filter)
    const holder = key(owner)
    const found = allTokenAccounts(ledger.svm).filter(
      (account) =>
        account.owner === holder &&
        (wanted["mint"] === undefined || account.mint === wanted["mint"]) &&
        (wanted["programId"] === undefined || account.program === wanted["programId"])
    )
    return inContext(
      ledger,
      found.map(({ address }) => ({ pubkey: address, account: accountJson(ledger, address, options) }))
    )
  }
})

const chainMethods = (ledger: Ledger): Readonly<Record<string, Method>> => ({
  getSlot: () => ledger.clock.slot(),
  getFirstAvailableBlock: () => 0n,
  getBlockHeight: () => ledger.clock.blockHeight(),
  getLatestBlockhash: () => inContext(ledger, ledger.clock.latestBlockhash()),
  isBlockhashValid: ([blockhash]) => inContext(ledger, ledger.clock.isBlockhashValid(text(blockhash))),
  getEpochInfo: () => ({
    absoluteSlot: ledger.clock.slot(),
    blockHeight: ledger.clock.blockHeight(),
    epoch: ledger.clock.epoch(),
    slotIndex: ledger.clock.slotIndex(),
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: null
  }),
  getBlockTime: () => BigInt(Math.floor(Date.now() / 1000)),
  getVersion: () => ({ "solana-core": "2.3.0", "feature-set": 0 }),
  getHealth: () => "ok",
  getGenesisHash: () => at.MAINNET_GENESIS_HASH,
  getMinimumBalanceForRentExemption: ([size]) =>
    ledger.svm.minimumBalanceForRentExemption(BigInt(wholeNumber(size))),
  getRecentPrioritizationFees: () => [{ slot: ledger.clock.slot(), prioritizationFee: 0 }]
})

/** Every method the node knows, by name. */
export const rpcMethods = (ledger: Ledger): ReadonlyMap<string, Method> =>
  new Map(
    Object.entries({
      ...accountMethods(ledger),
      ...tokenMethods(ledger),
      ...chainMethods(ledger),
      ...transactionMethods(ledger)
    })
  )
