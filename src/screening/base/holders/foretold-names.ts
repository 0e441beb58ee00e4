import type { Address, Hex } from "viem"
import { PERMIT2, PRODUCT_ROUTERS, SWAP_ROUTER_02 } from "../../../domain/base-contracts.ts"
import { ALL_QUOTES } from "../addresses.ts"
import {
  EXCHANGE_ROWS,
  MANAGER_ROWS,
  SLIPSTREAM_ROWS,
  V2_FACTORIES,
  V3_FACTORIES
} from "../pools/registry/exchanges.ts"
import { accountsIn, pushedConstants } from "./storage-places.ts"

/** Contracts that constructors name: what tokens are traded by, and against. */
const USUAL: ReadonlyArray<Address> = [
  ...Object.values(PRODUCT_ROUTERS),
  SWAP_ROUTER_02,
  PERMIT2,
  ...ALL_QUOTES.map(({ address }) => address),
  ...[...V2_FACTORIES, ...V3_FACTORIES, ...SLIPSTREAM_ROWS, ...MANAGER_ROWS].map(({ address }) => address),
  ...Object.values(EXCHANGE_ROWS).map(({ address }) => address)
]

/** Accounts that a constructor fixed in the code it made, at most. */
const MAX_FIXED = 16

/**
 * Whom a token's birth may name, before it is read: what they hold is asked beside it, and counts where it names them.
 * @param code runtime code; what its constructor fixed stands in it as whole words
 */
export const foretellNames = (code: Hex): ReadonlyArray<Address> => [
  ...new Set([...USUAL, ...accountsIn(pushedConstants(code, 32)).slice(0, MAX_FIXED)])
]
