/** litesvm with what a node adds: blockhash ageing, landing delays, a history with balances. */
import type { Address, EncodedAccount, Signature, Transaction } from "@solana/kit"
import {
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  signature as toSignature
} from "@solana/kit"
import { FailedTransactionMetadata, LiteSVM } from "litesvm"
import type { TransactionMetadata } from "litesvm"
import { signatureToBase58 } from "../../../src/domain/base58.ts"
import type { SolanaClock } from "./clock.ts"
import type { TokenBalance } from "./token-balance.ts"
import { forgetAccounts, tokenBalanceOf } from "./token-balance.ts"
import type { TransactionErrorJson } from "./transaction-error.ts"
import { isRecordedOnChain, transactionErrorJson } from "./transaction-error.ts"

/** Switched at any time by assignment. */
export interface SolanaFaults {
  /** Milliseconds between accepting a transaction and landing it. */
  confirmMs: number
  /** Transactions are accepted, and land when `release` is called. */
  holdTransactions: boolean
  /** The next transactions, this many, get a signature and never land. */
  dropTransactions: number
  /** Methods answered with the error a public node gives when it refuses them. */
  readonly refusedMethods: Set<string>
  /** Methods that are carried out and whose reply never arrives: the connection is cut. */
  readonly lostReplies: Set<string>
}

export interface LandedTransaction {
  readonly signature: Signature
  readonly slot: bigint
  /** Unix seconds. */
  readonly blockTime: bigint
  readonly transaction: Transaction
  readonly accountKeys: ReadonlyArray<Address>
  readonly error: TransactionErrorJson | null
  readonly metadata: TransactionMetadata
  readonly balances: { readonly pre: ReadonlyArray<bigint>; readonly post: ReadonlyArray<bigint> }
  /** Made when somebody asks: most transactions are only asked whether they landed. */
  readonly tokens: () => {
    readonly pre: ReadonlyArray<TokenBalance>
    readonly post: ReadonlyArray<TokenBalance>
  }
}

export interface Execution {
  readonly error: TransactionErrorJson | null
  readonly metadata: TransactionMetadata
  /** Accounts as they would be afterwards. */
  readonly after: ReadonlyArray<EncodedAccount>
}

export interface Ledger {
  readonly svm: LiteSVM
  readonly clock: SolanaClock
  readonly faults: SolanaFaults
  readonly simulate: (
    transaction: Transaction,
    options: { readonly verifySignatures: boolean; readonly replaceBlockhash: boolean }
  ) => Execution | { readonly error: TransactionErrorJson; readonly metadata: null }
  /** Lands the transaction now or later, or never, as the faults say. Same transaction again: nothing happens. */
  readonly submit: (transaction: Transaction) => void
  /** Lands what `holdTransactions` has held back, and holds no more. */
  readonly release: () => void
  readonly find: (signature: string) => LandedTransaction | undefined
  /** Newest first. */
  readonly history: () => ReadonlyArray<LandedTransaction>
  /** Brings the clock account up to the present slot and second. */
  readonly syncClock: () => void
  readonly close: () => void
}

export const blockhashOf = (transaction: Transaction): string =>
  getCompiledTransactionMessageDecoder().decode(transaction.messageBytes).lifetimeToken

export const signatureOf = (transaction: Transaction): Signature => {
  const [first] = Object.values(transaction.signatures)
  return toSignature(signatureToBase58(Uint8Array.from(first ?? new Uint8Array(64))))
}

export const makeLedger = (clock: SolanaClock): Ledger => {
  // Blockhashes are judged here by age; litesvm knows only its latest one.
  const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false).withTransactionHistory(100_000n)
  const faults: SolanaFaults = {
    confirmMs: 0,
    holdTransactions: false,
    dropTransactions: 0,
    refusedMethods: new Set(),
    lostReplies: new Set()
  }
  const landed = new Map<string, LandedTransaction>()
  const timers = new Set<NodeJS.Timeout>()
  const held: Array<Transaction> = []
  const accepted = new Set<string>()

  const syncClock = (): void => {
    const now = svm.getClock()
    now.slot = clock.slot()
    now.epoch = clock.epoch()
    now.unixTimestamp = BigInt(Math.floor(Date.now() / 1000))
    svm.setClock(now)
  }

  /** Accounts as they are now. Of programs, which are no one's money, only what they hold is read: they are large. */
  const accountsOf = (keys: ReadonlyArray<Address>, programs: ReadonlySet<Address>) =>
    keys.map((key) => {
      const account = programs.has(key) ? undefined : svm.getAccount(key)
      const lamports = account?.exists === true ? account.lamports : (svm.getBalance(key) ?? 0n)
      return { account, lamports }
    })
  const tokensOf = (accounts: ReturnType<typeof accountsOf>) =>
    accounts.flatMap(({ account }, index) =>
      account === undefined ? [] : (tokenBalanceOf(svm, account, index) ?? [])
    )

  const land = (transaction: Transaction): void => {
    if (!clock.isBlockhashValid(blockhashOf(transaction))) return
    syncClock()
    const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const accountKeys = compiled.staticAccounts
    const called = "instructions" in compiled ? compiled.instructions : []
    const programs = new Set(
      called.flatMap(({ programAddressIndex }) => accountKeys[programAddressIndex] ?? [])
    )
    const before = accountsOf(accountKeys, programs)
    const result = svm.sendTransaction(transaction)
    forgetAccounts(svm)
    const failed = result instanceof FailedTransactionMetadata
    const error = failed ? transactionErrorJson(result) : null
    if (!isRecordedOnChain(error)) return
    const signature = signatureOf(transaction)
    const after = accountsOf(accountKeys, programs)
    landed.set(signature, {
      signature,
      slot: clock.slot(),
      blockTime: BigInt(Math.floor(Date.now() / 1000)),
      transaction,
      accountKeys,
      error,
      metadata: failed ? result.meta() : result,
      balances: {
        pre: before.map(({ lamports }) => lamports),
        post: after.map(({ lamports }) => lamports)
      },
      tokens: () => ({ pre: tokensOf(before), post: tokensOf(after) })
    })
  }

  const submit: Ledger["submit"] = (transaction) => {
    const signature = signatureOf(transaction)
    if (accepted.has(signature)) return
    if (faults.dropTransactions > 0) {
      faults.dropTransactions -= 1
      return
    }
    accepted.add(signature)
    if (faults.holdTransactions) {
      held.push(transaction)
      return
    }
    if (faults.confirmMs === 0) return land(transaction)
    const timer = setTimeout(() => {
      timers.delete(timer)
      land(transaction)
    }, faults.confirmMs)
    timers.add(timer)
  }

  const simulate: Ledger["simulate"] = (transaction, { replaceBlockhash, verifySignatures }) => {
    if (!replaceBlockhash && !clock.isBlockhashValid(blockhashOf(transaction))) {
      return { error: "BlockhashNotFound", metadata: null }
    }
    if (landed.has(signatureOf(transaction))) return { error: "AlreadyProcessed", metadata: null }
    syncClock()
    svm.withSigverify(verifySignatures)
    try {
      const result = svm.simulateTransaction(transaction)
      return result instanceof FailedTransactionMetadata
        ? { error: transactionErrorJson(result), metadata: result.meta(), after: [] }
        : { error: null, metadata: result.meta(), after: result.postAccounts() }
    } finally {
      svm.withSigverify(true)
    }
  }

  return {
    svm,
    clock,
    faults,
    syncClock,
    simulate,
    submit,
    release: () => {
      faults.holdTransactions = false
      held.splice(0).forEach(land)
    },
    find: (signature) => landed.get(signature),
    history: () => [...landed.values()].toReversed(),
    close: () => timers.forEach((timer) => clearTimeout(timer))
  }
}

/** base64 of the whole signed transaction. */
export const wireOf = (transaction: Transaction): string => getBase64EncodedWireTransaction(transaction)
