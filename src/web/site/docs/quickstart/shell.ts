import type { Snippet } from "./snippet.ts"

/** What every other snippet reads from the environment. */
export const environmentOf = (publicUrl: string): Snippet => ({
  id: "environment",
  caption: "the service, a token, and a wallet with a few cents of USDC on one of the chains",
  text: `export TOKEN_RISK_URL=${publicUrl}
export CHAIN=base TOKEN=0x4200000000000000000000000000000000000006      # or CHAIN=solana and a mint
export TOKEN_RISK_BASE_KEY=0x…                                          # pays on Base, or
export TOKEN_RISK_SOLANA_KEY=… SOLANA_RPC_URL=https://api.mainnet-beta.solana.com    # pays on Solana
export TOKEN_RISK_CLIENT_ID=agent-$(openssl rand -hex 8)                # yours, for free calls: keep it`
})

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
