import type { Markup } from "../../../page.ts"
import { html } from "../../../page.ts"
import type { Deployment } from "../../deployment.ts"
import { code, join, section } from "../../layout.ts"
import { PYTHON_ON_BASE, PYTHON_ON_SOLANA } from "./python.ts"
import {
  CLI,
  CURL_FREE,
  CURL_PAID,
  CURL_TERMS,
  environmentOf,
  KEY_ON_BASE,
  KEY_ON_SOLANA,
  INSPECTOR,
  INSTALL_OFFICIAL,
  INSTALL_OWN
} from "./shell.ts"
import type { Snippet } from "./snippet.ts"
import { snippet } from "./snippet.ts"
import {
  BUY,
  MCP,
  SCREEN_ON_BASE,
  SCREEN_ON_SOLANA,
  SIGN,
  WALLET_ON_BASE,
  WALLET_ON_SOLANA
} from "./typescript.ts"

const snippets = (...list: ReadonlyArray<Snippet>): Markup => join(list.map(snippet))

const before = (deployment: Deployment): Markup =>
  html`<section class="card">
    <h1>Quick starts</h1>
    <p>
      From nothing to a paid verdict in five minutes, on either chain. The chain you pay on need not be the
      chain of the token. Nothing to pay with yet? In a clone of the repository,
      ${code("npm ci && npm run sandbox")} starts both chains on your machine and prints these lines with keys
      that are worthless anywhere else.
    </p>
    ${snippets(environmentOf(deployment), KEY_ON_BASE, KEY_ON_SOLANA)}
  </section>`

const typescript: Markup = section(
  "TypeScript",
  snippets(INSTALL_OFFICIAL, WALLET_ON_BASE, WALLET_ON_SOLANA, BUY),
  html`<p>
    Our own client keeps to a budget, repeats a lost request with the same payment, verifies every report and
    follows the spending rules. Until it is in the registry, pack it from a clone of the repository:
    ${code("npm install $(npm pack --silent CLONE/packages/client)")}.
  </p>`,
  snippets(INSTALL_OWN, SCREEN_ON_BASE, SCREEN_ON_SOLANA),
  html`<p>
    With viem it is 14 packages and 80 MB and imports in 0.2 s; the official pair of ${code("@x402/fetch")}
    and ${code("@x402/evm")} is 17 packages and 92 MB and imports in 1.6 s (one busy machine with two cores).
  </p>`
)

const mcp = ({ freeTier, publicUrl }: Deployment): Markup =>
  section(
    "MCP",
    html`<p>
      Streamable HTTP at ${code(`${publicUrl}/api/token-risk/mcp`)}, tools ${code("check_token_safety_ping")}
      and ${code("check_token_risk_deep")}. An unpaid call answers the terms in ${code("structuredContent")},
      as text, and in ${code('_meta["x402/error"]')}. The payment goes into ${code('_meta["x402/payment"]')},
      the receipt comes in ${code('_meta["x402/payment-response"]')}.
      ${
        freeTier === undefined
          ? ""
          : html`${code('_meta["token-risk/client-id"]')} makes the first deep calls free.`
      }
    </p>`,
    snippets(
      {
        id: "install-mcp",
        caption: "beside the wallet of TypeScript above",
        text: "npm install @modelcontextprotocol/client"
      },
      MCP,
      INSPECTOR
    )
  )

/** `/docs/quickstart`: from nothing to a paid verdict, in five languages, on both chains. */
export const quickstart = (deployment: Deployment): Markup =>
  html`${before(deployment)} ${section("curl", snippets(CURL_TERMS, CURL_FREE, CURL_PAID, SIGN))}
  ${typescript}
  ${section(
    "Python",
    html`<p>By hand, without an x402 library: what every other language has to do, too.</p>`,
    snippets(PYTHON_ON_BASE, PYTHON_ON_SOLANA)
  )}
  ${mcp(deployment)}
  ${section(
    "Command line",
    snippets(CLI),
    html`<p>
      Exit codes: 0 allow, safe, verified; 10 caution, unknown; 20 avoid, unsafe; 1 doctor found a failure; 2
      usage; 3 not paid; 4 token not found; 5 service or network; 6 does not verify; 7 payment refused; 130
      interrupted.
    </p>`
  )}`
