import type { Address } from "viem"
import {
  ALGEBRA_FACTORIES,
  EXCHANGE_ROWS,
  MANAGER_ROWS,
  SLIPSTREAM_ROWS,
  V2_FACTORIES,
  V3_FACTORIES,
  VAULT_ROWS
} from "./exchanges.ts"
import {
  CLANKER_V3,
  CLANKER_V4_LOCKER_ROWS,
  DOPPLER_INITIALIZER_ROWS,
  FLETH_ROW,
  HOOK_ROWS,
  LAUNCHPAD_ROWS
} from "./launchpads.ts"
import { DATED_POSITION_LOCKER_ROWS, LP_LOCKERS, POSITION_LOCKER_ROWS } from "./lockers.ts"
import type { RegistryRow } from "./row.ts"

const addresses = (rows: ReadonlyArray<RegistryRow>): ReadonlySet<Address> =>
  new Set(rows.map(({ address }) => address))

/** Which exchange's positions a manager's NFTs stand for. */
export const POSITION_MANAGERS: ReadonlyMap<Address, string> = new Map(
  MANAGER_ROWS.map(({ address, dex }) => [address, dex])
)
export const POSITION_LOCKERS = addresses(POSITION_LOCKER_ROWS)
export const DATED_POSITION_LOCKERS = addresses(DATED_POSITION_LOCKER_ROWS)
export const LAUNCHPAD_LOCKERS: ReadonlySet<Address> = new Set(CLANKER_V3.map(({ locker }) => locker))

/** Every row, for the check against the chain. */
export const REGISTRY: ReadonlyArray<RegistryRow> = [
  ...V2_FACTORIES,
  ...V3_FACTORIES,
  ...ALGEBRA_FACTORIES,
  ...SLIPSTREAM_ROWS,
  ...Object.values(EXCHANGE_ROWS),
  ...MANAGER_ROWS,
  ...LP_LOCKERS,
  ...POSITION_LOCKER_ROWS,
  ...CLANKER_V3,
  ...CLANKER_V3.map(({ locker, source, what }) => ({ address: locker, what: `${what} locker`, source })),
  ...Object.values(LAUNCHPAD_ROWS),
  ...CLANKER_V4_LOCKER_ROWS,
  ...DOPPLER_INITIALIZER_ROWS,
  ...Object.values(HOOK_ROWS).flat(),
  FLETH_ROW,
  ...VAULT_ROWS.slice(1)
]
