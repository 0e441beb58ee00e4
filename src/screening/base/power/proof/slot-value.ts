import type { Table, Tables } from "../../../../bytecode/exact/table.ts"
import type { StoredTable } from "../findings.ts"

/** A slot's word at the pinned block. */
export interface SlotValue {
  /** 32 bytes. */
  readonly slot: string
  readonly value: bigint
  /** The value is that of every entry of the table there. */
  readonly entries?: Pick<StoredTable, "keys" | "field">
  /** Of a hook: the word is the entry of a pool of it in the table there. */
  readonly table?: string
}

const keysOf = ([first, second]: StoredTable["keys"]): Table["keys"] =>
  second === undefined ? [undefined] : [first === null ? undefined : BigInt(first), undefined]

/** Words of plain slots, and tables that hold nothing. */
export const partsOf = (
  state: ReadonlyArray<SlotValue>
): { readonly words: ReadonlyArray<SlotValue>; readonly empty: Tables } => ({
  words: state.filter(({ entries, table }) => entries === undefined && table === undefined),
  empty: state.flatMap(({ entries, slot, value }) =>
    entries === undefined || value !== 0n
      ? []
      : [{ slot: BigInt(slot), keys: keysOf(entries.keys), field: BigInt(entries.field) }]
  )
})
