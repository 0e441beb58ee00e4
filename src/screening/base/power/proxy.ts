import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { isNobody } from "../addresses.ts"
import type { Query } from "../reads/query.ts"
import { account, addressAt } from "../reads/query.ts"
import { accountIn } from "./proxy-slots.ts"

/** How a token's code delegates to other code. A minimal proxy's target can never change. */
export type Proxy =
  | { readonly kind: "none" }
  | { readonly kind: "minimal"; readonly implementation: Address }
  | { readonly kind: "upgradeable"; readonly implementation: Address; readonly admin: Address | null }
  | { readonly kind: "beacon"; readonly beacon: Address }
  | { readonly kind: "diamond"; readonly facet: Address }

/** EIP-1167, and its shorter variants for addresses with leading zero bytes: what stands before the address, and behind. */
const EIP_1167 = [20, 19, 18, 17, 16].map((length): MinimalForm => {
  const [push, end] = [0x5f + length, 23 + length].map((byte) => byte.toString(16))
  return [`363d3d373d3d3d363d${push}`, length, `5af43d82803e903d9160${end}57fd5bf3`]
})

type MinimalForm = readonly [before: string, length: number, behind: string]

/** Those of EIP-7511, of Solady with PUSH0, and of Vyper and Solady without. */
const OTHER_MINIMAL: ReadonlyArray<MinimalForm> = [
  ["365f5f375f5f365f73", 20, "5af43d5f5f3e5f3d91602a57fd5bf3"],
  ["5f5f365f5f37365f73", 20, "5af43d5f5f3e6029573d5ffd5b3d5ff3"],
  ["3d3d3d3d363d3d37363d73", 20, "5af43d3d93803e602a57fd5bf3"]
]

/**
 * Each ends with a return and jumps to the place before it alone: what stands behind is never run. Factories put words
 * there which only code that looks at the clone's code can read (OpenZeppelin's and Solady's immutable arguments).
 */
const MINIMAL = new RegExp(
  `^0x(?:${[...EIP_1167, ...OTHER_MINIMAL].map(([before, length, behind]) => `${before}([0-9a-f]{${length * 2}})${behind}`).join("|")})`
)

const minimalTarget = (code: Hex): Address | undefined => {
  const target = MINIMAL.exec(code)
    ?.slice(1)
    .find((group) => group !== undefined)
  return target === undefined ? undefined : `0x${target.padStart(40, "0")}`
}

/** `facetAddress(bytes4)` for `transfer`: which contract a diamond sends transfers to. */
export const transferFacet = (token: Address): Query<Address | undefined> =>
  account(token, "facetAddress(bytes4)", `0xa9059cbb${"0".repeat(56)}`)

/**
 * Which proxy the token is.
 * @param slots values of `PROXY_SLOT_LIST`, in order
 */
export const detectProxy = (
  token: Address,
  code: Hex,
  slots: ReadonlyArray<Hex>,
  facet: Address | undefined
): Proxy => {
  const minimal = minimalTarget(code)
  if (minimal !== undefined) return { kind: "minimal", implementation: minimal }
  const [implementation, admin, beacon, zos] = [0, 1, 2, 3].map((index) =>
    accountIn(BigInt(slots[index] ?? "0x0"))
  )
  const target = implementation ?? zos ?? null
  if (target !== null) return { kind: "upgradeable", implementation: target, admin: admin ?? null }
  if (beacon !== undefined && beacon !== null) return { kind: "beacon", beacon }
  if (facet !== undefined && !isNobody(facet) && facet !== token) return { kind: "diamond", facet }
  return { kind: "none" }
}

/**
 * Init code that asks a beacon for its implementation and returns that address (32 bytes) followed by its code, so that
 * a beacon costs no further wave of reads. Layout: STATICCALL(beacon, implementation()); MSTORE(0, address);
 * EXTCODECOPY(address, 32, 0, size); RETURN(0, 32 + size).
 */
const beaconReader = (beacon: Address): Hex =>
  `0x635c60da1b60e01b5f5260205f60045f73${beacon.slice(2)}5afa505f513b805f60205f513c6020015ff3`

/** The implementation behind a beacon and its code, in one call; `undefined` where the beacon does not answer. */
export const readBeacon = (
  rpc: BaseRpc,
  beacon: Address,
  blockNumber: bigint
): Effect.Effect<{ readonly implementation: Address; readonly code: Hex } | undefined, UpstreamError> =>
  rpc.call({ data: beaconReader(beacon), blockNumber }).pipe(
    Effect.map((result) => {
      const implementation = result.ok ? addressAt(result.data, 0) : undefined
      return implementation === undefined
        ? undefined
        : { implementation, code: `0x${result.data.slice(66)}` as const }
    })
  )
