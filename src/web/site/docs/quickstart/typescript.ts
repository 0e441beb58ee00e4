import type { Snippet } from "./snippet.ts"

/** The wallet of the official x402 client. Other snippets import it, whichever chain it pays on. */
export const WALLET_ON_BASE: Snippet = {
  id: "wallet-base",
  file: "wallet.mts",
  caption: "pays on Base",
  text: `import { x402Client } from "@x402/fetch"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { privateKeyToAccount } from "viem/accounts"

const account = privateKeyToAccount(process.env.TOKEN_RISK_BASE_KEY as \`0x\${string}\`)
export const wallet = new x402Client().register("eip155:8453", new ExactEvmScheme(account))`
}

export const WALLET_ON_SOLANA: Snippet = {
  id: "wallet-solana",
  file: "wallet.mts",
  caption: "or pays on Solana",
  text: `import { x402Client } from "@x402/fetch"
import { ExactSvmScheme } from "@x402/svm/exact/client"
import { createKeyPairSignerFromBytes, getBase58Encoder } from "@solana/kit"

const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(process.env.TOKEN_RISK_SOLANA_KEY!))
const scheme = new ExactSvmScheme(signer, { rpcUrl: process.env.SOLANA_RPC_URL! })
export const wallet = new x402Client().register("solana:*", scheme)`
}

export const BUY: Snippet = {
  id: "buy",
  file: "buy.mts",
  caption: "a paid ping; run it by npx tsx buy.mts",
  text: `import { wrapFetchWithPayment } from "@x402/fetch"
import { wallet } from "./wallet.mjs"

const { TOKEN_RISK_URL, CHAIN, TOKEN } = process.env
const pay = wrapFetchWithPayment(fetch, wallet)
const answer = await pay(\`\${TOKEN_RISK_URL}/api/token-risk/v1/ping?chain=\${CHAIN}&address=\${TOKEN}\`)
console.log(answer.status, await answer.json(), answer.headers.get("payment-response"))`
}

const screen = (imports: string, wallet: string) => `${imports}

${wallet}
const risk = await createTokenRiskClient({ baseUrl: process.env.TOKEN_RISK_URL!, wallet })
const { tradable, why } = await risk.screen(process.env.CHAIN as "base" | "solana", process.env.TOKEN!, 250) // a 250 USD order
console.log(tradable, why)`

export const SCREEN_ON_BASE: Snippet = {
  id: "screen-base",
  file: "screen.mts",
  caption: "our own client, paying on Base; npx tsx screen.mts",
  text: screen(
    `import { createTokenRiskClient, evmWallet } from "token-risk-client"
import { privateKeyToAccount } from "viem/accounts"`,
    "const wallet = evmWallet(privateKeyToAccount(process.env.TOKEN_RISK_BASE_KEY as `0x${string}`))"
  )
}

export const SCREEN_ON_SOLANA: Snippet = {
  id: "screen-solana",
  file: "screen.mts",
  caption: "or paying on Solana",
  text: screen(
    `import { createTokenRiskClient, solanaWallet } from "token-risk-client"
import { createKeyPairSignerFromBytes, getBase58Encoder } from "@solana/kit"`,
    `const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(process.env.TOKEN_RISK_SOLANA_KEY!))
const wallet = solanaWallet(signer, process.env.SOLANA_RPC_URL!)`
  )
}

/** Prints a payment header for terms on its standard input: what curl and other languages need. */
export const SIGN: Snippet = {
  id: "sign",
  file: "sign.mts",
  caption: "terms in, payment-signature out",
  text: `import { encodePaymentSignatureHeader } from "@x402/core/http"
import { text } from "node:stream/consumers"
import { wallet } from "./wallet.mjs"

const terms = JSON.parse(await text(process.stdin))
console.log(encodePaymentSignatureHeader(await wallet.createPaymentPayload(terms)))`
}

export const MCP: Snippet = {
  id: "mcp",
  file: "mcp.mts",
  caption: "lists the tools, reads the terms, pays for a deep report; npx tsx mcp.mts",
  text: `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { wallet } from "./wallet.mjs"

const url = new URL(\`\${process.env.TOKEN_RISK_URL}/api/token-risk/mcp\`)
const mcp = new Client({ name: "agent", version: "1" })
await mcp.connect(new StreamableHTTPClientTransport(url))
await mcp.listTools()

const call = { name: "check_token_risk_deep", arguments: { chain: process.env.CHAIN, address: process.env.TOKEN } }
const unpaid = await mcp.callTool(call)
const payment = await wallet.createPaymentPayload(unpaid._meta!["x402/error"] as never)
const { structuredContent, _meta } = await mcp.callTool({ ...call, _meta: { "x402/payment": payment } })
console.log(structuredContent, _meta!["x402/payment-response"])
await mcp.close()`
}
