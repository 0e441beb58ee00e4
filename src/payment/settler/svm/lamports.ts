import type { Message } from "../../verifier/svm/message.ts"
import { type DecodedTransaction, hasAssertions } from "../../verifier/svm/transaction.ts"

const LAMPORTS_PER_SIGNATURE = 5_000n
/** What a client may offer on top without being asked why: as much as the signatures cost. */
const MODEST_PRIORITY = 10_000n

const read = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

/**
 * Lamports a payment costs its fee payer: the signatures, and the price its client set on compute units. The layout is
 * known: the unit limit is the first instruction and the price the second.
 */
export const lamportsIn = (message: Message | undefined) => {
  const [limit, price] = (message?.instructions ?? []).map(({ data }) => data)
  const signatures = LAMPORTS_PER_SIGNATURE * BigInt(message?.header.numSignerAccounts ?? 0)
  if (limit?.length !== 5 || price?.length !== 9) return { signatures, priority: 0n }
  const units = BigInt(read(limit).getUint32(1, true))
  return { signatures, priority: (units * read(price).getBigUint64(1, true) + 999_999n) / 1_000_000n }
}

/** Whether a client offers more on top than a transfer needs: what is ours to pay, also where it fails. */
const isLavish = ({ message }: DecodedTransaction): boolean => lamportsIn(message).priority > MODEST_PRIORITY

/**
 * Whether a payer makes us pay, where his payment fails, for what others' payments do not have: assertions that fail at his
 * will, or a high price on compute units.
 */
export const isWillful = (transaction: DecodedTransaction): boolean =>
  hasAssertions(transaction) || isLavish(transaction)
