/** Slots and blockhashes of the local Solana: a slot every 200 ms, as on mainnet, a blockhash that lives for 150 blocks. */
import { createHash } from "node:crypto"
import { toBase58 } from "../../../src/domain/base58.ts"

export interface SolanaClock {
  readonly slot: () => bigint
  readonly blockHeight: () => bigint
  readonly epoch: () => bigint
  readonly slotIndex: () => bigint
  readonly latestBlockhash: () => { readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  readonly isBlockhashValid: (blockhash: string) => boolean
  /** Moves the chain ahead: 151 slots make every transaction signed so far expire. */
  readonly advance: (slots: number) => void
}

export const SLOTS_PER_EPOCH = 432_000n
const MILLISECONDS_PER_SLOT = 200
const FIRST_SLOT = 380_000_000
// Skipped slots: a mainnet block's height is well below its slot, and code that mixes the two up should fail here.
const SKIPPED_SLOTS = 22_000_000n
const SLOTS_PER_BLOCKHASH = 5
const BLOCKHASH_LIFE = 150

const blockhashOf = (bucket: number): string =>
  toBase58(createHash("sha256").update(`token-risk sandbox block ${bucket}`).digest())

/** The blockhashes of the newest buckets; every transaction is looked for among them several times. */
const makeLiving = () => {
  let newest = Number.NaN
  let living: ReadonlyArray<string> = []
  return (bucket: number): ReadonlyArray<string> => {
    if (bucket !== newest)
      living = Array.from({ length: BLOCKHASH_LIFE / SLOTS_PER_BLOCKHASH + 1 }, (_, back) =>
        blockhashOf(bucket - back)
      )
    newest = bucket
    return living
  }
}

export const makeSolanaClock = (): SolanaClock => {
  const started = Date.now()
  let advanced = 0
  const current = (): number =>
    FIRST_SLOT + advanced + Math.floor((Date.now() - started) / MILLISECONDS_PER_SLOT)
  const bucket = (): number => Math.floor(current() / SLOTS_PER_BLOCKHASH)
  const living = makeLiving()
  return {
    slot: () => BigInt(current()),
    blockHeight: () => BigInt(current()) - SKIPPED_SLOTS,
    epoch: () => BigInt(current()) / SLOTS_PER_EPOCH,
    slotIndex: () => BigInt(current()) % SLOTS_PER_EPOCH,
    latestBlockhash: () => ({
      blockhash: blockhashOf(bucket()),
      lastValidBlockHeight: BigInt(bucket() * SLOTS_PER_BLOCKHASH + BLOCKHASH_LIFE) - SKIPPED_SLOTS
    }),
    isBlockhashValid: (blockhash) => living(bucket()).includes(blockhash),
    advance: (slots) => {
      advanced += slots
    }
  }
}
