import type { Deployment } from "../../deployment.ts"
import type { Snippet } from "./snippet.ts"

/** Wrapped ether, where the operator names no token. */
const WETH = { chain: "base", address: "0x4200000000000000000000000000000000000006" } as const

/**
 * What every other snippet reads from the environment. A remark is a line of its own: zsh takes one behind a command for
 * words of the command.
 */
export const environmentOf = ({ examples, publicUrl }: Deployment): Snippet => {
  const { address, chain } = examples[0] ?? WETH
  return {
    id: "environment",
    caption:
      "the service, a token (or another chain and address), and an id of your own for free calls: keep it",
    text: `export TOKEN_RISK_URL=${publicUrl}
export CHAIN=${chain} TOKEN=${address}
export TOKEN_RISK_CLIENT_ID=agent-$(openssl rand -hex 8)`
  }
}

export const KEY_ON_BASE: Snippet = {
  id: "key-base",
  caption: "to pay on Base: the key of a wallet with a few cents of USDC, 0x and 64 hex digits",
  text: "export TOKEN_RISK_BASE_KEY=0x…"
}

export const KEY_ON_SOLANA: Snippet = {
  id: "key-solana",
  caption: "or to pay on Solana: its key in base58, and a node to read from",
  text: "export TOKEN_RISK_SOLANA_KEY=… SOLANA_RPC_URL=https://api.mainnet-beta.solana.com"
}

export const CURL_TERMS: Snippet = {
  id: "curl-terms",
  caption: "402: the terms, in the body and in PAYMENT-REQUIRED",
  text: 'curl -i "$TOKEN_RISK_URL/api/token-risk/v1/ping?chain=$CHAIN&address=$TOKEN"'
}

export const CURL_FREE: Snippet = {
  id: "curl-free",
  caption: "a free deep report",
  text: `curl -s "$TOKEN_RISK_URL/api/token-risk/v1/deep?chain=$CHAIN&address=$TOKEN" \\
  -H "x-client-id: $TOKEN_RISK_CLIENT_ID" -o report.json
cat report.json`
}

export const CURL_PAID: Snippet = {
  id: "curl-paid",
  caption:
    "paid: any x402 client signs the terms, here sign.mts with wallet.mts and the packages installed, all below; running it again buys a second ping",
  text: `PING="$TOKEN_RISK_URL/api/token-risk/v1/ping?chain=$CHAIN&address=$TOKEN"
PAYMENT=$(curl -s "$PING" | npx tsx sign.mts)
curl -i "$PING" -H "payment-signature: $PAYMENT"`
}

export const INSTALL_OFFICIAL: Snippet = {
  id: "install-official",
  caption: "the official x402 client, in an empty folder; Node 20.19 or newer",
  text: "npm install tsx @x402/fetch @x402/core @x402/evm @x402/svm viem @solana/kit"
}

export const INSTALL_OWN: Snippet = {
  id: "install-own",
  caption: "our own client, with the library of the wallet you have: viem, or @solana/kit",
  text: "npm install tsx token-risk-client viem"
}

export const INSPECTOR: Snippet = {
  id: "inspector",
  caption: "the MCP inspector shows what an unpaid call answers",
  text: `npx @modelcontextprotocol/inspector --cli "$TOKEN_RISK_URL/api/token-risk/mcp" --transport http \\
  --method tools/call --tool-name check_token_safety_ping --tool-arg chain=$CHAIN --tool-arg address=$TOKEN`
}

export const CLI: Snippet = {
  id: "cli",
  caption:
    "in a clone of the repository, or with the package installed; it asks before it pays, with --yes it does not ask",
  text: `npx token-risk screen $CHAIN $TOKEN --order 250 --yes
npx token-risk deep $CHAIN $TOKEN --json > report.json
npx token-risk verify report.json
echo $TOKEN | npx token-risk screen $CHAIN --file - --budget 0.1 --yes --json`
}
