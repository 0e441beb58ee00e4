import type { LockerRow, RegistryRow } from "./row.ts"
import { saidBy } from "./row.ts"

const uncxV2 = saidBy("DefiLlama projects/unicrypt/config.js")
const uncxV3 = saidBy("DefiLlama projects/unicrypt-v3/index.js")
const uncxV4 = saidBy("DefiLlama projects/unicrypt-v4/index.js")
const pinkLock = saidBy("PinkLock V2's verified source on BaseScan")
const teamFinance = saidBy("DefiLlama projects/team-finance/config.js")
const dxSale = saidBy("DefiLlama projects/dxsale")

/** Lockers of LP tokens. `0xc84b661e…`, listed by some for UNCX, has no public source and is not believed. */
export const LP_LOCKERS: ReadonlyArray<LockerRow> = [
  { kind: "uncx-v2", ...uncxV2("0xc4e637d37113192f4f1f060daebd7758de7f4131", "UNCX for Uniswap V2") },
  { kind: "uncx-v2", ...uncxV2("0xbeddf48499788607b4c2e704e9099561ab38aae8", "UNCX for SushiSwap V2") },
  { kind: "uncx-v2", ...uncxV2("0x30e522dedffe3e3d11cd53e27d18cd4f016ed870", "UNCX for others") },
  { kind: "pinklock-v2", ...pinkLock("0xdd6e31a046b828cbbafb939c2a394629aff8bbdc", "PinkLock V2") },
  { kind: "undated", ...teamFinance("0x4f0fd563be89ec8c3e7d595bf3639128c0a7c33a", "Team Finance") },
  { kind: "undated", ...dxSale("0x17e8c87d4de42fc143507b7c45da2e6f2af7f24f", "DxSale LP storage") }
]

/** Lockers of V3's position NFTs. They let go on a date, which one that keeps a list of managers tells by a lock's number. */
export const DATED_POSITION_LOCKER_ROWS: ReadonlyArray<RegistryRow> = [
  uncxV3("0xd6cd8fb001cbdae91f0af7a58a1602c945967d67", "UNCX V3 locker"),
  uncxV3("0x231278edd38b00b07fbd52120cef685b9baebcc1", "UNCX V3 locker"),
  uncxV3("0xb403e68eb5bffd7df7aa127f5a819f77c2f96095", "UNCX V3 locker")
]

/** Lockers of position NFTs, also those of V4's that tell no date. */
export const POSITION_LOCKER_ROWS: ReadonlyArray<RegistryRow> = [
  ...DATED_POSITION_LOCKER_ROWS,
  uncxV4("0x1ec811ad6039e33b86458cdb267667af083261ed", "UNCX V4 locker"),
  uncxV4("0x1da374c9fa108e1f9d3c50e8e2ef2113eefae617", "UNCX V4 locker"),
  uncxV4("0xd0cbff53620a345205750a14f03739806cffbd67", "UNCX V4 locker"),
  uncxV4("0x610b43e981960b45f818a71cd14c91d35cda8502", "UNCX V4 locker"),
  uncxV4("0xff908ded2a6c68226d3f834b25d803a815bdb28b", "UNCX V4 locker")
]
