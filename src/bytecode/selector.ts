import { toFunctionSelector } from "viem"

/** The first four bytes of calls of these functions, by signature. */
export const selectorsOf = (signatures: ReadonlyArray<string>): ReadonlyArray<string> =>
  signatures.map((signature) => toFunctionSelector(signature))

/** Functions of ERC-20 and ERC-2612, the two usual names of an owner, those of ERC-5805 that name a delegate, and AccessControl's question. */
export const SELECTOR = {
  totalSupply: "0x18160ddd",
  balanceOf: "0x70a08231",
  transfer: "0xa9059cbb",
  transferFrom: "0x23b872dd",
  approve: "0x095ea7b3",
  permit: "0xd505accf",
  allowance: "0xdd62ed3e",
  owner: "0x8da5cb5b",
  getOwner: "0x893d20e8",
  delegate: "0x5c19a95c",
  delegateBySig: "0xc3cda520",
  delegates: "0x587cde1e",
  hasRole: "0x91d14854"
} as const
