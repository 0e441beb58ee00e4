import type { Address } from "viem"

/**
 * Every contract around pools on Base that the screening knows, one row each with its source. What a row is used for is
 * never trust in a name: a factory must answer for the pool, a locker must hold the position, a hook must be the pool's.
 * The evaluation asks the chain, before anything else, whether each of them has code.
 */
export interface RegistryRow {
  readonly address: Address
  readonly what: string
  readonly source: string
}

export interface FactoryRow extends RegistryRow {
  readonly dex: string
}
export interface V2Row extends FactoryRow {
  /** Hundredths of a basis point. A fee taken for higher than it is asks a pool for too little, which it grants. */
  readonly feePips: number
}
export interface V3Row extends FactoryRow {
  readonly fees: ReadonlyArray<number>
}
export interface LockerRow extends RegistryRow {
  /** How its unlock dates can be read. */
  readonly kind: "uncx-v2" | "pinklock-v2" | "undated"
}
export interface LaunchpadRow extends RegistryRow {
  /** Who holds the V3 position of every token that this factory made. */
  readonly locker: Address
}

/** A contract whose NFTs stand for positions in the pools of one exchange. */
export interface ManagerRow extends FactoryRow {}

/** Rows of one source: a contract and what it is. */
export const saidBy =
  (source: string) =>
  (address: Address, what: string): RegistryRow => ({ address, what, source })
