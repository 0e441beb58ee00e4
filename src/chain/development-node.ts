import type { PublicClient } from "viem"

/** Nodes of chains that somebody started to try things on. */
const DEVELOPMENT = /^(?:anvil|hardhat|ganache|hardhatnetwork)\b/i

/** Whether a node is one of a chain on which nothing costs money, by its own name. Rejects where it does not tell it. */
export const isDevelopment = async (client: PublicClient): Promise<boolean> =>
  DEVELOPMENT.test(String(await client.request({ method: "web3_clientVersion" })))

/** Whether a block of Base is so many seconds old that no payment is taken by the node whose newest it is. */
export const isTooOld = (seconds: number): boolean => seconds > 60

/**
 * Whether a node whose newest block is of these Unix seconds is behind: what it does not show may have happened since. A
 * chain that somebody started to try things on has a time of its own.
 */
export const isBehind = async (client: PublicClient, seconds: bigint, now: number): Promise<boolean> =>
  isTooOld(now / 1_000 - Number(seconds)) && !(await isDevelopment(client))
