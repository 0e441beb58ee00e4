import { isSignature } from "@solana/kit"
import type { SettlementResponse } from "../client/types.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import { plain } from "./text.ts"

/** The name people know a network by. */
export const networkName = (network: string): string => {
  if (network === BASE_NETWORK) return "Base"
  return network === SOLANA_NETWORK ? "Solana" : plain(network, 60)
}

/** A service on this machine, as the sandbox's: its chains may be of this machine, too, and no explorer know them. */
const isLocal = (service: string): boolean =>
  /^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/.test(new URL(service).hostname)

/**
 * Where to look at a transaction that this service named; `undefined` when it is no transaction of the network, or may be
 * one of a local chain.
 */
export const explorerUrl = (
  { network, transaction }: SettlementResponse,
  service: string
): string | undefined => {
  if (isLocal(service)) return undefined
  if (network === BASE_NETWORK && /^0x[0-9a-fA-F]{64}$/.test(transaction))
    return `https://basescan.org/tx/${transaction}`
  if (network === SOLANA_NETWORK && isSignature(transaction)) return `https://solscan.io/tx/${transaction}`
  return undefined
}
