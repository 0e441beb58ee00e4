import { isSignature } from "@solana/kit"
import type { SettlementResponse } from "../client/types.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import { plain } from "./text.ts"

/** The name people know a network by. */
export const networkName = (network: string): string => {
  if (network === BASE_NETWORK) return "Base"
  return network === SOLANA_NETWORK ? "Solana" : plain(network, 60)
}

/** Where to look at a transaction; `undefined` when what the service named is no transaction of the network. */
export const explorerUrl = ({ network, transaction }: SettlementResponse): string | undefined => {
  if (network === BASE_NETWORK && /^0x[0-9a-fA-F]{64}$/.test(transaction))
    return `https://basescan.org/tx/${transaction}`
  if (network === SOLANA_NETWORK && isSignature(transaction)) return `https://solscan.io/tx/${transaction}`
  return undefined
}
