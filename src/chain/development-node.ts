import type { PublicClient } from "viem"

/** Nodes of chains that somebody started to try things on. */
const DEVELOPMENT = /^(?:anvil|hardhat|ganache|hardhatnetwork)\b/i

/** Whether a node is one of a chain on which nothing costs money, by its own name. Rejects where it does not tell it. */
export const isDevelopment = async (client: PublicClient): Promise<boolean> =>
  DEVELOPMENT.test(String(await client.request({ method: "web3_clientVersion" })))

/** Milliseconds by which a node's newest block may be behind our clock. */
const MOST_BEHIND = 60_000

/**
 * Whether a node whose newest block is of these Unix seconds is behind: what it does not show may have happened since. A
 * chain that somebody started to try things on has a time of its own.
 */
export const isBehind = async (client: PublicClient, seconds: bigint, now: number): Promise<boolean> =>
  Number(seconds) * 1_000 < now - MOST_BEHIND && !(await isDevelopment(client))
