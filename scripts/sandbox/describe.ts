/** What `npm run sandbox` prints. */
import { evmKey } from "./accounts.ts"
import { SMART_WALLET } from "./base/addresses.ts"
import type { ServiceProcess } from "./service.ts"
import type { Sandbox } from "./sandbox.ts"

const rows = (entries: ReadonlyArray<readonly [string, string]>): string => {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n")
}

const addresses = (tokens: Readonly<Record<string, { readonly address: string }>>): string =>
  rows(Object.entries(tokens).map(([name, { address }]) => [name, address]))

/** What runs where, and the token addresses. */
export const describeSandbox = ({ base, market, solana }: Sandbox, service: ServiceProcess | null): string =>
  [
    "Running on this machine only",
    rows([
      ...(service === null ? [] : [["service", `${service.url}  (${service.program})`] as const]),
      ["Base", `${base.url}  (anvil, chain id 8453)`],
      ["Solana", `${solana.url}  (litesvm)`],
      ["DexScreener", market.dexScreenerUrl],
      ["RugCheck", market.rugCheckUrl]
    ]),
    "",
    "Accounts",
    rows([
      ["payer on Base", `${base.accounts.payer.address}  (1,000 USDC)`],
      ["smart wallet", `${SMART_WALLET}  (1,000 USDC, ERC-1271)`],
      ["payer on Solana", `${solana.accounts.payer.address}  (1,000 USDC)`],
      ["seller on Base", base.accounts.merchant.address],
      ["seller on Solana", solana.accounts.merchant.address]
    ]),
    "",
    "Tokens on Base",
    addresses({ ...base.tokens }),
    "",
    "Tokens on Solana",
    addresses({ ...solana.tokens })
  ].join("\n")

/** `export` lines and commands to paste: what a buyer sees unpaid, three free deep calls, an unknown token. */
export const describeCommands = ({ base, solana }: Sandbox, service: string, solanaKey: string): string => {
  const api = `${service}/api/token-risk/v1`
  const curl = (operation: string, chain: string, address: string, headers = "") =>
    `  curl -s -i ${headers}'${api}/${operation}?chain=${chain}&address=${address}'`
  const free = "-H 'x-client-id: me' "
  return [
    "Keys of the payers, worthless anywhere else",
    `  export TOKEN_RISK_URL=${service} CHAIN=base TOKEN=${base.tokens.clean.address}`,
    `  # or  CHAIN=solana TOKEN=${solana.tokens.clean.address}`,
    `  export TOKEN_RISK_BASE_KEY=${evmKey("payer")}`,
    `  export TOKEN_RISK_SOLANA_KEY=${solanaKey} SOLANA_RPC_URL=${solana.url}`,
    "",
    "Try",
    "  # the price, as a 402 challenge",
    curl("ping", "base", base.tokens.clean.address),
    "  # three free deep reports a day for each client id",
    curl("deep", "base", base.tokens.honeypot.address, free),
    curl("deep", "solana", solana.tokens.clean.address, free),
    curl("deep", "solana", solana.tokens.permanentDelegate.address, free),
    "  # ping, deep report and a decision, paid on Base",
    "  npx token-risk screen base $TOKEN --order 250",
    "  # the contract, and a scripted buyer that pays on both chains",
    `  curl -s ${service}/openapi.json`,
    "  npm run demo"
  ].join("\n")
}
