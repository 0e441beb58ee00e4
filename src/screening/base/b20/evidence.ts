import type { Fact } from "../../../domain/fact.ts"
import type { Holder } from "../reads/accounts.ts"
import type { B20Role } from "./interface.ts"

/** One policy that a native token asks about its holders. */
export interface PolicyEvidence {
  readonly gates: "transfer" | "seizure"
  /** Whoever can change it, its children included; missing where one of them could not be read. */
  readonly changers: Fact<ReadonlyArray<Holder>>
  /** Allows strangers, the pools and the usual routers now; missing where it did not answer. */
  readonly allowsTrade: Fact<boolean>
}

/** What a native token's fixed interface says about powers over its holders. */
export interface B20Evidence {
  /** `null` where it did not answer; 2^128 − 1 stands for none. */
  readonly supplyCap: bigint | null
  readonly transfersPaused: Fact<boolean>
  /** Whoever holds a role now, of the accounts its events name. */
  readonly holders: ReadonlyMap<B20Role, ReadonlyArray<Holder>>
  /** Known where the events were read from the token's creation and every one of them was asked about. */
  readonly everybody: Fact<true>
  /** Roles that no administrator can grant: they administrate themselves. */
  readonly sealed: ReadonlySet<B20Role>
  /** Policies in force, `ALWAYS_ALLOW` left out; missing where a scope did not answer. */
  readonly policies: Fact<ReadonlyArray<PolicyEvidence>>
}
