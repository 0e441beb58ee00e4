import type { PublicClient } from "viem"

/** Client versions of development nodes, whose chains are local and hold no real money. */
const DEVELOPMENT = /^(?:anvil|hardhat|ganache|hardhatnetwork)\b/i

/** Whether a node is a development node, by its own client version. Rejects where it does not answer. */
export const isDevelopment = async (client: PublicClient): Promise<boolean> =>
  DEVELOPMENT.test(String(await client.request({ method: "web3_clientVersion" })))

/** Whether a node whose newest Base block is so many seconds old is too far behind to take payments by it. */
export const isTooOld = (seconds: number): boolean => seconds > 60

/**
 * Whether a node is behind, by the Unix seconds of its newest block and our clock in milliseconds: what it does not show may
 * have happened since. Development nodes never are, as their chains keep a time of their own.
 */
export const isBehind = async (client: PublicClient, seconds: bigint, now: number): Promise<boolean> =>
  isTooOld(now / 1_000 - Number(seconds)) && !(await isDevelopment(client))
