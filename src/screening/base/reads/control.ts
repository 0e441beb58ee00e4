import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { UpstreamError } from "../../../domain/errors.ts"
import { PROXY_STATE_SLOTS, implementationOf } from "../power/code-evidence.ts"
import { PROXY_SLOT_LIST } from "../power/proxy-slots.ts"
import type { AccountClaims, Holder } from "./accounts.ts"
import { NOBODY, SINGLETON_SLOT, UNIDENTIFIED, classify } from "./accounts.ts"
import type { FirstWave } from "./first-wave.ts"

/** Whose code and slot 0 are read: the owner, and whoever may upgrade. */
export const suspectsOf = ({
  owner,
  proxy
}: FirstWave): Readonly<Record<"owner" | "side" | "admin", Address | null>> => ({
  owner: owner.owner,
  side: owner.sideHolder,
  admin: proxy.kind === "upgradeable" ? proxy.admin : proxy.kind === "beacon" ? proxy.beacon : null
})

/**
 * The first wave read code and slots of whatever block was the newest; the second reads them at the block of the
 * evidence. Where they differ, a new block fell between: better no report than one of two states.
 */
const sameAsBefore = (
  first: FirstWave,
  token: { readonly code: Hex; readonly slots: ReadonlyArray<Hex> } | undefined,
  gates: number
) => {
  const now = token?.slots.slice(gates) ?? []
  const isSame =
    token !== undefined &&
    (token.code === first.code || token.code === "0x") &&
    first.proxySlots.every((value, index) => BigInt(value) === BigInt(now[index] ?? 0))
  return isSame
    ? Effect.void
    : Effect.fail(
        new UpstreamError({
          upstream: "base-rpc",
          kind: "malformed",
          detail: "code or proxy changed between two reads"
        })
      )
}

interface Inspected {
  readonly code: Hex
  readonly slots: ReadonlyArray<Hex>
}

/**
 * Whose code and which slots the second wave reads: the token's gates again with the proxy's, and everybody who may act.
 * @param gateSlots slots the token's own code names as gates; empty for a proxy, whose code is only read here
 * @param asked contracts at fixed addresses that the token's own code asks; empty for a proxy
 */
export const controlOf = (
  token: Address,
  first: FirstWave,
  gateSlots: ReadonlyArray<string>,
  asked: ReadonlyArray<Address>
) => {
  const suspects = suspectsOf(first)
  const target = implementationOf(first.proxy)
  const slots: ReadonlyArray<Hex> =
    first.proxy.kind === "none"
      ? gateSlots.map((slot): Hex => `0x${slot.replace(/^0x/, "")}`)
      : PROXY_STATE_SLOTS
  const holders = [suspects.owner, suspects.admin, suspects.side, target].filter(
    (address) => address !== null && address !== undefined
  )
  const accounts = [
    { address: token, slots: [...slots, ...PROXY_SLOT_LIST] },
    ...holders.map((address) => ({ address, slots: [SINGLETON_SLOT] })),
    ...asked.map((address) => ({ address, slots: [] }))
  ]
  return {
    accounts,
    slots,
    /** Who they are and what stands behind the proxy; fails where the token is not what the first wave saw. */
    understand: (inspected: ReadonlyArray<Inspected>) => {
      const seenAt = (address: Address | null | undefined) =>
        inspected[accounts.findIndex((account, index) => index > 0 && account.address === address)]
      const implementation = seenAt(target)
      return Effect.as(sameAsBefore(first, inspected[0], slots.length), {
        holderOf: (address: Address | null, claims: AccountClaims | undefined): Holder => {
          if (address === null) return NOBODY
          const at = seenAt(address)
          return at === undefined || claims === undefined
            ? UNIDENTIFIED
            : classify(address, at.code, at.slots[0], claims)
        },
        implementation:
          target === undefined || implementation === undefined
            ? null
            : { address: target, code: implementation.code },
        others: asked.flatMap((address) => {
          const { code } = seenAt(address) ?? {}
          return code === undefined ? [] : [{ address, code }]
        }),
        slotValues: inspected[0]?.slots.slice(0, slots.length) ?? []
      })
    }
  }
}
