/** The official server library over a facilitator in the same process: what hono and express are measured with. */
import { createKeyPairSignerFromBytes, getBase58Encoder } from "@solana/kit"
import { x402Facilitator } from "@x402/core/facilitator"
import { x402ResourceServer } from "@x402/core/server"
import { toFacilitatorEvmSigner } from "@x402/evm"
import { ExactEvmScheme as EvmFacilitator } from "@x402/evm/exact/facilitator"
import { ExactEvmScheme as EvmServer } from "@x402/evm/exact/server"
import { toFacilitatorSvmSigner } from "@x402/svm"
import { ExactSvmScheme as SvmFacilitator } from "@x402/svm/exact/facilitator"
import { ExactSvmScheme as SvmServer } from "@x402/svm/exact/server"
import { createWalletClient, http, nonceManager, publicActions } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { base } from "viem/chains"

const BASE = "eip155:8453"
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

const variable = (name) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

/** Answers of the size and shape of ours. */
export const ANSWER = {
  safe: true,
  mintAuthorityOff: true,
  lpLocked: true,
  pairs: 3,
  priceUsd: 0.42,
  fetchedAt: 1_800_000_000_000,
  cacheHit: true
}

/** The four paid routes at our prices. */
export const makePaywall = async () => {
  const account = privateKeyToAccount(variable("BASE_KEY"), { nonceManager })
  const wallet = createWalletClient({
    account,
    chain: base,
    transport: http(variable("BASE_RPC_URL")),
    pollingInterval: 50
  }).extend(publicActions)
  const feePayer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(variable("SOLANA_KEY")))
  const facilitator = new x402Facilitator()
    .register(BASE, new EvmFacilitator(toFacilitatorEvmSigner({ ...wallet, address: account.address })))
    .register(
      SOLANA,
      new SvmFacilitator(toFacilitatorSvmSigner(feePayer, { defaultRpcUrl: variable("SOLANA_RPC_URL") }))
    )
  const server = new x402ResourceServer({
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: () => Promise.resolve(facilitator.getSupported())
  })
    .register(BASE, new EvmServer())
    .register(SOLANA, new SvmServer())
  const route = (price, description) => ({
    accepts: [
      { scheme: "exact", price, network: BASE, payTo: variable("BASE_PAY_TO") },
      { scheme: "exact", price, network: SOLANA, payTo: variable("SOLANA_PAY_TO") }
    ],
    description,
    mimeType: "application/json"
  })
  const ping = route("$0.005", "Token safety ping for Solana and Base")
  const deep = route("$0.04", "Deep token risk report for Solana and Base")
  const routes = {
    "GET /api/token-risk/v1/ping": ping,
    "POST /api/token-risk/v1/ping": ping,
    "GET /api/token-risk/v1/deep": deep,
    "POST /api/token-risk/v1/deep": deep
  }
  return { routes, server }
}
