/** Simulating, sending and looking up transactions, as a Solana node answers. */
import type { ReadonlyUint8Array, Transaction } from "@solana/kit"
import {
  getBase58Decoder,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  isFullySignedTransaction
} from "@solana/kit"
import type { Execution, LandedTransaction, Ledger } from "./ledger.ts"
import { signatureOf, wireOf } from "./ledger.ts"
import { accountJson } from "./rpc-account.ts"
import { isRecord } from "../../../src/domain/json.ts"
import { RpcError, key, list, optionsOf, text } from "./rpc-params.ts"
import type { Method } from "./rpc-params.ts"

const LAMPORTS_PER_SIGNATURE = 5_000n
const SLOTS_TO_FINALITY = 32n

const decodeTransaction = (parameter: unknown, encoding: unknown): Transaction => {
  try {
    const encoder = encoding === "base64" ? getBase64Encoder() : getBase58Encoder()
    return getTransactionDecoder().decode(encoder.encode(text(parameter)))
  } catch (cause) {
    throw cause instanceof RpcError ? cause : new RpcError(-32602, "failed to deserialize transaction")
  }
}

const simulationJson = (execution: Execution | { readonly error: unknown; readonly metadata: null }) => ({
  err: execution.error,
  logs: execution.metadata?.logs() ?? [],
  unitsConsumed: execution.metadata?.computeUnitsConsumed() ?? 0n,
  returnData: null,
  accounts: null,
  innerInstructions: null,
  loadedAccountsDataSize: 0
})

const innerJson = (landed: LandedTransaction) =>
  landed.metadata.innerInstructions().flatMap((inner, index) =>
    inner.length === 0
      ? []
      : [
          {
            index,
            instructions: inner.map((item) => ({
              programIdIndex: item.instruction().programIdIndex(),
              accounts: [...item.instruction().accounts()],
              data: getBase58Decoder().decode(item.instruction().data()),
              stackHeight: item.stackHeight()
            }))
          }
        ]
  )

const metaJson = (landed: LandedTransaction, tokens = landed.tokens()) => ({
  err: landed.error,
  status: landed.error === null ? { Ok: null } : { Err: landed.error },
  fee: LAMPORTS_PER_SIGNATURE * BigInt(Object.keys(landed.transaction.signatures).length),
  preBalances: landed.balances.pre,
  postBalances: landed.balances.post,
  preTokenBalances: tokens.pre,
  postTokenBalances: tokens.post,
  innerInstructions: innerJson(landed),
  logMessages: landed.metadata.logs(),
  loadedAddresses: { readonly: [], writable: [] },
  rewards: [],
  computeUnitsConsumed: landed.metadata.computeUnitsConsumed()
})

const base58 = (bytes: ReadonlyUint8Array | undefined): string =>
  getBase58Decoder().decode(bytes ?? new Uint8Array())

const transactionJson = (landed: LandedTransaction, encoding: unknown): unknown => {
  if (encoding === "base64") return [wireOf(landed.transaction), "base64"]
  const message = getCompiledTransactionMessageDecoder().decode(landed.transaction.messageBytes)
  const keys = message.staticAccounts
  const { numReadonlyNonSignerAccounts, numReadonlySignerAccounts, numSignerAccounts } = message.header
  const isWritable = (index: number) =>
    index < numSignerAccounts
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < keys.length - numReadonlyNonSignerAccounts
  const instructions = "instructions" in message ? message.instructions : []
  const isParsed = encoding === "jsonParsed"
  return {
    signatures: Object.values(landed.transaction.signatures).map((signature) =>
      base58(signature ?? undefined)
    ),
    message: {
      accountKeys: isParsed
        ? keys.map((pubkey, index) => ({
            pubkey,
            signer: index < numSignerAccounts,
            source: "transaction",
            writable: isWritable(index)
          }))
        : keys,
      ...(isParsed
        ? {}
        : {
            header: {
              numReadonlySignedAccounts: numReadonlySignerAccounts,
              numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
              numRequiredSignatures: numSignerAccounts
            }
          }),
      recentBlockhash: message.lifetimeToken,
      instructions: instructions.map(({ accountIndices = [], data, programAddressIndex }) =>
        isParsed
          ? {
              programId: keys[programAddressIndex],
              accounts: accountIndices.map((index) => keys[index]),
              data: base58(data),
              stackHeight: 1
            }
          : {
              programIdIndex: programAddressIndex,
              accounts: accountIndices,
              data: base58(data),
              stackHeight: 1
            }
      ),
      addressTableLookups: []
    }
  }
}

const statusJson = (ledger: Ledger, landed: LandedTransaction) => {
  const age = ledger.clock.slot() - landed.slot
  const isFinal = age >= SLOTS_TO_FINALITY
  return {
    slot: landed.slot,
    confirmations: isFinal ? null : age,
    err: landed.error,
    status: landed.error === null ? { Ok: null } : { Err: landed.error },
    confirmationStatus: isFinal ? "finalized" : "confirmed"
  }
}

const inContext = (ledger: Ledger, value: unknown) => ({
  context: { apiVersion: "2.3.0", slot: ledger.clock.slot() },
  value
})

const send =
  (ledger: Ledger): Method =>
  ([wire, parameter]) => {
    const options = optionsOf(parameter)
    const transaction = decodeTransaction(wire, options["encoding"])
    const signature = signatureOf(transaction)
    if (!isFullySignedTransaction(transaction)) {
      throw new RpcError(-32003, "Transaction signature verification failure")
    }
    const execution = ledger.simulate(transaction, { verifySignatures: true, replaceBlockhash: false })
    // A node checks signatures also when it skips the rest of the preflight.
    if (execution.error === "SignatureFailure") {
      throw new RpcError(-32003, "Transaction signature verification failure")
    }
    const isKnown = ledger.find(signature) !== undefined
    if (options["skipPreflight"] !== true && execution.error !== null && !isKnown) {
      const reason = typeof execution.error === "string" ? execution.error : JSON.stringify(execution.error)
      throw new RpcError(-32002, `Transaction simulation failed: ${reason}`, simulationJson(execution))
    }
    ledger.submit(transaction)
    return signature
  }

const simulate =
  (ledger: Ledger): Method =>
  ([wire, parameter]) => {
    const options = optionsOf(parameter)
    const replaceBlockhash = options["replaceRecentBlockhash"] === true
    const transaction = decodeTransaction(wire, options["encoding"])
    const verifySignatures = options["sigVerify"] === true
    if (verifySignatures && !isFullySignedTransaction(transaction)) {
      return inContext(ledger, simulationJson({ error: "SignatureFailure", metadata: null }))
    }
    const execution = ledger.simulate(transaction, { verifySignatures, replaceBlockhash })
    const accounts = isRecord(options["accounts"])
      ? list(options["accounts"]["addresses"], 20).map((address) =>
          accountJson(
            ledger,
            key(address),
            options["accounts"],
            "after" in execution ? execution.after.find((account) => account.address === address) : undefined
          )
        )
      : null
    return inContext(ledger, {
      ...simulationJson(execution),
      accounts,
      replacementBlockhash: replaceBlockhash ? ledger.clock.latestBlockhash() : null
    })
  }

export const transactionMethods = (ledger: Ledger): Readonly<Record<string, Method>> => ({
  sendTransaction: send(ledger),
  simulateTransaction: simulate(ledger),
  getSignatureStatuses: ([signatures]) =>
    inContext(
      ledger,
      list(signatures, 256).map((signature) => {
        const landed = ledger.find(text(signature))
        return landed === undefined ? null : statusJson(ledger, landed)
      })
    ),
  getTransaction: ([signature, options]) => {
    const landed = ledger.find(text(signature))
    if (landed === undefined) return null
    const encoding = typeof options === "string" ? options : optionsOf(options)["encoding"]
    const { version } = getCompiledTransactionMessageDecoder().decode(landed.transaction.messageBytes)
    return {
      slot: landed.slot,
      blockTime: landed.blockTime,
      version,
      transaction: transactionJson(landed, encoding),
      meta: metaJson(landed)
    }
  },
  getSignaturesForAddress: ([address, options]) => {
    const wanted = key(address)
    const { before, limit, until } = optionsOf(options)
    const mentions = ledger.history().filter(({ accountKeys }) => accountKeys.includes(wanted))
    const first = mentions.findIndex(({ signature }) => signature === before) + 1
    const end = mentions.findIndex(({ signature }) => signature === until)
    return mentions
      .slice(first, end === -1 ? mentions.length : end)
      .slice(0, typeof limit === "number" ? limit : 1_000)
      .map((landed) => ({
        signature: landed.signature,
        slot: landed.slot,
        err: landed.error,
        memo: null,
        blockTime: landed.blockTime,
        confirmationStatus: statusJson(ledger, landed).confirmationStatus
      }))
  },
  getFeeForMessage: ([message]) => {
    const bytes = getBase64Encoder().encode(text(message))
    const { header } = getCompiledTransactionMessageDecoder().decode(bytes)
    return inContext(ledger, LAMPORTS_PER_SIGNATURE * BigInt(header.numSignerAccounts))
  }
})
