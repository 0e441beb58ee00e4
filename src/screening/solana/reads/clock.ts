import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { CLOCK_SYSVAR } from "../addresses.ts"
import type { ChainTime } from "../pools/terms.ts"
import type { AccountBook } from "./account-book.ts"
import { type Bytes, bytesOf } from "./bytes.ts"
import type { Reads } from "./reads.ts"

/** The chain's own time with its epoch, which is not known where the clock was not read. */
export interface ChainClock extends ChainTime {
  readonly epoch: Fact<bigint>
}

/** Unix seconds of the chain's first block. A clock that shows less, as development servers' do, is another chain's. */
export const GENESIS = 1_584_332_400

/** The clock account's bytes; null where it was not read. */
const bytesIn = (clock: SolanaAccount | null | undefined): Bytes | null =>
  clock != null && clock.data.length >= 40 ? bytesOf(clock.data) : null

const clockBytes = (book: AccountBook): Bytes | null => bytesIn(book.get(CLOCK_SYSVAR))

/** Unix seconds that the account of the chain's own clock shows; null where it is none. */
export const secondsOf = (clock: SolanaAccount | null | undefined): number | null => {
  const bytes = bytesIn(clock)
  return bytes === null ? null : Number(bytes.i64(32))
}

/** The same of what was read. */
export const chainSeconds = (book: AccountBook): number | null => secondsOf(book.get(CLOCK_SYSVAR))

/** The clock account, read with the mint. Source: solana-sdk `Clock`: slot, epoch start, epoch, next epoch, time. */
export const clockOf = ({
  book,
  fetchedAt,
  slot
}: Pick<Reads, "book" | "fetchedAt" | "slot">): ChainClock => {
  const bytes = clockBytes(book)
  // A chain clock that stands still must not keep a pool shut that opened long ago, so the later of the two times
  // counts.
  return {
    slot,
    seconds: Math.max(chainSeconds(book) ?? 0, fetchedAt / 1000),
    epoch: bytes === null ? missing("the clock was not read") : known(bytes.u64(16))
  }
}
