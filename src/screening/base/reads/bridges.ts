import type { Address, Hex } from "viem"
import { BRIDGES } from "../addresses.ts"
import { PROXY_SLOTS } from "../power/proxy-slots.ts"

/** What is read of the chain's bridges: their code, and the code behind them. */
export const BRIDGE_ACCOUNTS: ReadonlyArray<{
  readonly address: Address
  readonly slots: ReadonlyArray<Hex>
}> = [...BRIDGES].map((address) => ({ address, slots: [PROXY_SLOTS.implementation] }))

/** No code, or a proxy's: nothing else has the name of that slot in it. */
const isProxyOrNothing = (code: Hex): boolean =>
  code === "0x" || code.includes(PROXY_SLOTS.implementation.slice(2))

/**
 * Bridges that somebody can make call a token. A predeploy is a proxy from the chain's first block on, and refuses every
 * call while no implementation is set; without code nothing calls from its address, which has no key. One that was not
 * read, or is something else, is taken to be open. Source: ethereum-optimism/specs, predeploys; `Proxy.sol` of
 * ethereum-optimism/optimism.
 */
export const openBridges = (
  read: ReadonlyArray<{ readonly code: Hex; readonly slots: ReadonlyArray<Hex> }>
): ReadonlySet<Address> =>
  new Set(
    BRIDGE_ACCOUNTS.flatMap(({ address }, index) => {
      const found = read[index]
      const implementation = found?.slots[0]
      if (found === undefined || implementation === undefined) return [address]
      return BigInt(implementation) === 0n && isProxyOrNothing(found.code) ? [] : [address]
    })
  )
