import { type KeyObject, verify } from "node:crypto"
import { associatedTokenAccount } from "../../../chain/program-address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import { fromBase58 } from "../../../domain/base58.ts"
import { publicKeyOf } from "../../../domain/ed25519-key.ts"
import { isOfSmallOrder } from "../../../domain/ed25519-point.ts"
import { SOLANA_PROGRAMS } from "../../../domain/solana-programs.ts"
import type { PaymentRequirements, SvmPayload } from "../../../domain/x402.ts"
import type { LocalVerdict } from "../verdict.ts"
import { decodeUtf8 } from "../../message/base64.ts"
import { type DecodedTransaction, LIGHTHOUSE, SOURCE_MISMATCH, transactionOf } from "./transaction.ts"

const { computeBudget: COMPUTE_BUDGET, memo: MEMO, token: TOKEN } = SOLANA_PROGRAMS

/** Bounds of what our fee payer spends on one payment. The price cap is the x402 SVM specification's. */
const MAX_COMPUTE_UNITS = 200_000
const MAX_MICRO_LAMPORTS_PER_UNIT = 5_000_000n
const MAX_PRIORITY_FEE_LAMPORTS = 100_000n
/** The fee payer and the token's owner: every further signature would cost us 5,000 lamports. */
const SIGNERS = 2

/** One instruction with its accounts resolved. */
interface Instruction {
  readonly program: string
  readonly accounts: ReadonlyArray<string>
  readonly data: Uint8Array
}

const prefix = "invalid_exact_svm_payload_transaction"
const UNREADABLE = `${prefix}_could_not_be_decoded`

/** Instructions with addresses in place; `undefined` when an index points outside the static accounts. */
const instructionsOf = ({ message }: DecodedTransaction): ReadonlyArray<Instruction> | undefined => {
  const keys = message.staticAccounts
  const resolved = message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
    program: keys[programAddressIndex],
    accounts: accountIndices.map((index) => keys[index]),
    data
  }))
  const isComplete = (ix: (typeof resolved)[number]): ix is Instruction & (typeof resolved)[number] =>
    ix.program !== undefined && !ix.accounts.includes(undefined)
  return resolved.every(isComplete) ? resolved : undefined
}

const read = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

const computeReason = (limit: Instruction, price: Instruction): string | undefined => {
  if (limit.program !== COMPUTE_BUDGET || limit.data[0] !== 2 || limit.data.length !== 5) {
    return `${prefix}_instructions_compute_limit_instruction`
  }
  if (price.program !== COMPUTE_BUDGET || price.data[0] !== 3 || price.data.length !== 9) {
    return `${prefix}_instructions_compute_price_instruction`
  }
  const units = read(limit.data).getUint32(1, true)
  const microLamports = read(price.data).getBigUint64(1, true)
  if (units > MAX_COMPUTE_UNITS) return `${prefix}_instructions_compute_limit_instruction_too_high`
  const fee = (BigInt(units) * microLamports) / 1_000_000n
  return microLamports > MAX_MICRO_LAMPORTS_PER_UNIT || fee > MAX_PRIORITY_FEE_LAMPORTS
    ? `${prefix}_instructions_compute_price_instruction_too_high`
    : undefined
}

const transferReason = (
  { program, accounts, data }: Instruction,
  { asset, payTo, amount }: PaymentRequirements,
  feePayer: string
): string | undefined => {
  // TransferChecked: tag 12, u64 amount, u8 decimals; source, mint, destination, authority.
  if (program !== TOKEN || data[0] !== 12 || data.length !== 10 || accounts.length !== 4) {
    return "invalid_exact_svm_payload_no_transfer_instruction"
  }
  const [source, mint, destination, authority] = accounts
  if (authority === feePayer) return `${prefix}_fee_payer_transferring_funds`
  if (mint !== asset || !isSolanaAddress(asset)) return "invalid_exact_svm_payload_mint_mismatch"
  if (!isSolanaAddress(payTo) || destination !== associatedTokenAccount(payTo, asset)) {
    return "invalid_exact_svm_payload_recipient_mismatch"
  }
  // Nothing has come in; and the token takes nothing off what a delegate may move when he moves it to where it is.
  if (source === destination || authority === payTo) return SOURCE_MISMATCH
  return read(data).getBigUint64(1, true) === BigInt(amount)
    ? undefined
    : "invalid_exact_svm_payload_amount_mismatch"
}

const ORDINALS = ["fourth", "fifth", "sixth", "seventh"]

const extrasReason = (extras: ReadonlyArray<Instruction>, memo: unknown): string | undefined => {
  const foreign = extras.findIndex(({ program }) => program !== MEMO && program !== LIGHTHOUSE)
  if (foreign >= 0) return `invalid_exact_svm_payload_unknown_${ORDINALS[foreign] ?? "optional"}_instruction`
  if (memo === undefined) return undefined
  const memos = extras.filter(({ program }) => program === MEMO)
  if (memos.length !== 1) return "invalid_exact_svm_payload_memo_count"
  return memos.every(({ data }) => decodeUtf8(data) === memo)
    ? undefined
    : "invalid_exact_svm_payload_memo_mismatch"
}

/** Keys of the last payers: making one takes twice as long as verifying with it. */
const MOST_KEYS = 1_000
const keys = new Map<string, KeyObject>()

const keyOf = (address: string): KeyObject | undefined => {
  const known = keys.get(address)
  if (known !== undefined) return known
  const bytes = fromBase58(address)
  if (bytes === undefined || isOfSmallOrder(bytes)) return undefined
  const key = publicKeyOf(bytes)
  const oldest = keys.size >= MOST_KEYS ? keys.keys().next().value : undefined
  if (oldest !== undefined) keys.delete(oldest)
  keys.set(address, key)
  return key
}

/** As the chain verifies: what only OpenSSL takes for a signature would never land. */
const isSigned = ({ signatures, messageBytes, message }: DecodedTransaction): boolean =>
  signatures.slice(1).every((signature, i) => {
    const key = keyOf(message.staticAccounts[i + 1] ?? "")
    return key !== undefined && !isOfSmallOrder(signature) && verify(null, messageBytes, key, signature)
  })

/**
 * What every node asks of a message before it looks at anything else. It gives no verdict on one that is otherwise, and its
 * payer would be told to come again for ever. Source: Solana, `Message::sanitize` and the locks on accounts.
 */
const isReadable = ({ header, staticAccounts }: DecodedTransaction["message"]): boolean =>
  header.numReadonlySignerAccounts < header.numSignerAccounts &&
  header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= staticAccounts.length &&
  new Set(staticAccounts).size === staticAccounts.length

const structureReason = (transaction: DecodedTransaction, feePayer: string): string | undefined => {
  const { message } = transaction
  if (message.addressTableLookups.length > 0) {
    return "invalid_exact_svm_smart_wallet_alt_resolution_not_available"
  }
  if (message.header.numSignerAccounts > SIGNERS) return "invalid_exact_svm_payload_excessive_signers"
  if (message.header.numSignerAccounts < SIGNERS) return "invalid_exact_svm_payload_signature_invalid"
  if (!isReadable(message)) return UNREADABLE
  return message.staticAccounts[0] === feePayer ? undefined : "invalid_exact_svm_fee_payer_mismatch"
}

const instructionsReason = (
  instructions: ReadonlyArray<Instruction>,
  requirements: PaymentRequirements,
  feePayer: string
): string | undefined => {
  const [limit, price, transfer, ...extras] = instructions
  if (limit === undefined || price === undefined || transfer === undefined || extras.length > 4) {
    return `${prefix}_instructions_length`
  }
  const budget = computeReason(limit, price) ?? transferReason(transfer, requirements, feePayer)
  if (budget !== undefined) return budget
  // The specification forbids it in every instruction; a fee payer named nowhere cannot be drained by any program.
  if (instructions.some(({ accounts }) => accounts.includes(feePayer))) {
    return "invalid_exact_svm_smart_wallet_fee_payer_not_isolated"
  }
  return extrasReason(extras, requirements.extra["memo"])
}

/**
 * Everything about a Solana payment that needs no chain: layout, fee payer's isolation, caps, transfer, memo and every
 * signature but the fee payer's. Stricter than the reference: no lookup tables, SPL Token only, capped total fee.
 */
export const verifySvm = async (
  payload: SvmPayload,
  requirements: PaymentRequirements
): Promise<LocalVerdict> => {
  const reject = (reason: string, payer = ""): LocalVerdict => ({ ok: false, payer, reason })
  const feePayer = requirements.extra["feePayer"]
  if (typeof feePayer !== "string") return reject("invalid_exact_svm_payload_missing_fee_payer")
  const transaction = transactionOf(payload)
  const instructions = transaction === undefined ? undefined : instructionsOf(transaction)
  if (transaction === undefined || instructions === undefined) return reject(UNREADABLE)
  const payer = instructions[2]?.accounts[3] ?? ""
  const reason =
    structureReason(transaction, feePayer) ?? instructionsReason(instructions, requirements, feePayer)
  if (reason !== undefined) return reject(reason, payer)
  // With two signers, the second is the owner of the money or the transfer has no valid authority.
  return payer === transaction.message.staticAccounts[1] && isSigned(transaction)
    ? { ok: true, payer, signatureVerified: true }
    : reject("invalid_exact_svm_payload_signature_invalid", payer)
}
