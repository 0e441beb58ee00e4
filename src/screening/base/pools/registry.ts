import type { Address } from "viem"
import { lower } from "../addresses.ts"

/**
 * Contracts around pools on Base, one data file with a source per row. What a row is used for is never trust in a name:
 * a factory must answer for the pool, a locker must hold the position.
 */
export interface RegistryRow {
  readonly address: Address
  readonly what: string
  readonly source: string
}

const row = (address: string, what: string, source: string): RegistryRow => ({
  address: lower(address),
  what,
  source
})

const uniswap = "Uniswap/docs v3 Base deployments"
const slipstream = "aerodrome-finance/slipstream README"
const uncx = "DefiLlama projects/unicrypt-v3/index.js"
const clanker = "clanker-devco/clanker-sdk src/utils/clankers.ts"

/** Position managers: an NFT stands for each position they own. */
const MANAGERS: ReadonlyArray<RegistryRow> = [
  row("0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1", "Uniswap V3 positions", uniswap),
  row("0x827922686190790b37229fd06084350E74485b72", "Slipstream positions", slipstream),
  row("0xe1f8cd9AC4e4A65F54f38a5CdAfCA44f6dD68b53", "Slipstream positions, second factory", slipstream),
  row("0x46A15B0b27311cedF172AB29E4f4766fbE7F4364", "PancakeSwap V3 positions", "npm @pancakeswap/v3-sdk"),
  row("0x80c7dd17b01855a6d2347444a0fcc36136a314de", "SushiSwap V3 positions", "npm sushi 7.3.15")
]

/** Lockers of V3 position NFTs. */
const LOCKERS: ReadonlyArray<RegistryRow> = [
  row("0xd6cd8fb001cbdae91f0af7a58a1602c945967d67", "UNCX V3 locker", uncx),
  row("0x231278edd38b00b07fbd52120cef685b9baebcc1", "UNCX V3 locker", uncx),
  row("0xb403e68eb5bffd7df7aa127f5a819f77c2f96095", "UNCX V3 locker", uncx)
]

/** Lockers of launchpads: positions come in and only fees go out. */
const LAUNCHPADS: ReadonlyArray<RegistryRow> = [
  row("0x618A9840691334eE8d24445a4AdA4284Bf42417D", "Clanker v2 locker", clanker),
  row("0x5eC4f99F342038c67a312a166Ff56e6D70383D86", "Clanker v3 locker", clanker),
  row("0x33e2Eda238edcF470309b8c6D228986A1204c8f9", "Clanker v3.1 locker", clanker)
]

const addresses = (rows: ReadonlyArray<RegistryRow>): ReadonlySet<Address> =>
  new Set(rows.map(({ address }) => address))

export const POSITION_MANAGERS = addresses(MANAGERS)
export const POSITION_LOCKERS = addresses(LOCKERS)
export const LAUNCHPAD_LOCKERS = addresses(LAUNCHPADS)

/** Everything listed here, for the check against the chain. */
export const REGISTRY: ReadonlyArray<RegistryRow> = [...MANAGERS, ...LOCKERS, ...LAUNCHPADS]
