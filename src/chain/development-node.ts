import type { PublicClient } from "viem"

/** Nodes of chains that somebody started to try things on. */
const DEVELOPMENT = /^(?:anvil|hardhat|ganache|hardhatnetwork)\b/i

/** Whether a node is one of a chain on which nothing costs money, by its own name. Rejects where it does not tell it. */
export const isDevelopment = async (client: PublicClient): Promise<boolean> =>
  DEVELOPMENT.test(String(await client.request({ method: "web3_clientVersion" })))
