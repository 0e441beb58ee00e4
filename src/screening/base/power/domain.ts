import { type Address, type Hex, concat, pad, toHex } from "viem"
import { keccakHex, keccakText } from "../../../chain/keccak.ts"
import { BASE_CHAIN_ID } from "../../../domain/chain-constants.ts"
import type { BaseEvidence } from "../evidence.ts"
import type { CodeProof } from "./findings.ts"

const FIELDS = { name: "string name", version: "string version" } as const

const VERSIONS = ["1", "2", "3", "1.0", "1.0.0", "v1", ""].map(keccakText)

const domainHash = (fields: ReadonlyArray<string>, words: ReadonlyArray<Hex>, contract: Address): Hex => {
  const type = `EIP712Domain(${[...fields, "uint256 chainId", "address verifyingContract"].join()})`
  return keccakHex(
    concat([keccakText(type), ...words, toHex(BASE_CHAIN_ID, { size: 32 }), pad(contract, { size: 32 })])
  )
}

/** Every domain that a contract of this name would have. Source: EIP-712, and the versions that libraries write. */
const domainsOf = (contract: Address, name: Hex | null): ReadonlyArray<Hex> => [
  domainHash([], [], contract),
  ...(name === null
    ? []
    : [
        domainHash([FIELDS.name], [name], contract),
        ...VERSIONS.map((version) => domainHash([FIELDS.name, FIELDS.version], [name, version], contract))
      ])
]

/**
 * Whether every domain that the code fixes, for the address the token is at, is the token's. One of the code behind a
 * proxy serves every proxy in front of it: what holders sign for one of them would be worth as much at the token. A name
 * that is made up proves as much as a true one: no other contract's domain can be met by it.
 */
export const hasOwnDomains = ({ shape, token }: BaseEvidence, { domains }: CodeProof): boolean => {
  const used = domains.filter(({ at }) => at === null || at === token.toLowerCase())
  if (used.length === 0) return true
  const own = new Set(domainsOf(token, shape.nameHash))
  return used.every(({ hash }) => own.has(hash))
}
