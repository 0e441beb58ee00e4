import type { Markup } from "../page.ts"
import { html } from "../page.ts"
import { PYTHON_VERIFIER, TYPESCRIPT_VERIFIER } from "../verifiers.ts"
import type { Deployment } from "./home.ts"
import { code, join, pre, table } from "./layout.ts"
import { REFUSAL_FAMILIES, REFUSALS } from "./refusals.ts"

const section = (title: string, ...parts: ReadonlyArray<Markup>): Markup =>
  html`<section class="card">
    <h2>${title}</h2>
    ${join(parts)}
  </section>`

/** `/docs`: what the service is, what it costs, how it is to be used. */
export const overview = ({ freeTier, prices, publicUrl }: Deployment): Markup =>
  html`<section class="card">
      <h1>Token risk, pay per call</h1>
      <p>
        Trading agents ask before they buy. They pay a fraction of a cent in USDC over HTTP 402 (x402 version
        2: no account, no key) and get a verdict they can act on, for tokens on Solana and Base.
      </p>
      <p>
        Nothing is charged that is not delivered, nothing is delivered twice for one payment, and no token is
        called safe on missing evidence.
      </p>
    </section>
    ${section(
      "Operations",
      table(
        ["Call", "Price", "Answer"],
        [
          [
            code("POST /api/token-risk/v1/ping"),
            `${prices.ping} USD`,
            "safe (true, false, null), mintAuthorityOff, lpLocked, pairs, priceUsd"
          ],
          [
            code("POST /api/token-risk/v1/deep"),
            `${prices.deep} USD; ${freeTier} free with x-client-id`,
            "verdict, score, band, reasons, every signal, attestation"
          ]
        ]
      ),
      html`<p>
        The body is ${code('{"chain": "base" | "solana", "address": "…"}')}; GET with the same two query
        parameters does the same. This service: ${code(publicUrl)}.
      </p>`
    )}
    ${section(
      "Spending rules",
      html`<ul>
        <li>Ping every candidate first.</li>
        <li>Run deep on tokens that pass the ping, or that back an order above 100 USD.</li>
        <li>Treat ${code("safe: null")} and ${code("verdict: caution")} as position size zero.</li>
        <li>
          A 400, a 404 and a 503 cost nothing. On 503 or a lost reply send the same request with the same
          payment again, and never sign a second one.
        </li>
      </ul>`
    )}`

/** `/docs/quickstart`: from nothing to a paid verdict, in five languages, on both chains. */
export const quickstart = ({ publicUrl }: Deployment): Markup =>
  html`<section class="card">
      <h1>Quick starts</h1>
      ${pre(`export TOKEN_RISK_URL=${publicUrl}\nexport CHAIN=base TOKEN=0x4200000000000000000000000000000000000006   # or CHAIN=solana and a mint`)}
    </section>
    ${section(
      "curl: the terms, and a free report",
      pre(`curl -i "$TOKEN_RISK_URL/api/token-risk/v1/ping?chain=$CHAIN&address=$TOKEN"      # 402: the terms, in body and header
curl "$TOKEN_RISK_URL/api/token-risk/v1/deep?chain=$CHAIN&address=$TOKEN" -H 'x-client-id: me'`)
    )}
    ${section(
      "TypeScript: our client",
      pre(`import { createTokenRiskClient, evmWallet } from "token-risk-client"      // npm install token-risk-client viem
import { privateKeyToAccount } from "viem/accounts"

const wallet = evmWallet(privateKeyToAccount(process.env.TOKEN_RISK_BASE_KEY as \`0x\${string}\`))
const risk = await createTokenRiskClient({ baseUrl: process.env.TOKEN_RISK_URL!, wallet })
const { tradable, why } = await risk.screen("base", process.env.TOKEN!, 250)   // a 250 USD order`),
      html`<p>
        On Solana: ${code("solanaWallet(await createKeyPairSignerFromBytes(bytes), rpcUrl)")} with a signer of
        ${code("@solana/kit")}. With viem the client is 14 packages and 80 MB and imports in 0.2 s; the
        official pair below is 17 packages and 92 MB and imports in 1.6 s (one busy machine with two cores).
        It works as well:
      </p>`,
      pre(`import { x402Client, wrapFetchWithPayment } from "@x402/fetch"
import { ExactEvmScheme } from "@x402/evm/exact/client"

const pay = wrapFetchWithPayment(fetch, new x402Client().register("eip155:8453", new ExactEvmScheme(account)))
const answer = await pay(\`\${process.env.TOKEN_RISK_URL}/api/token-risk/v1/ping?chain=base&address=\${process.env.TOKEN}\`)`)
    )}
    ${section(
      "Python: by hand, on Base",
      pre(`import base64, json, os, secrets, time, requests                     # pip install requests eth-account
from eth_account import Account

url = os.environ["TOKEN_RISK_URL"] + "/api/token-risk/v1/ping"
token = {"chain": "base", "address": os.environ["TOKEN"]}
terms = requests.post(url, json=token, timeout=15).json()
pay = next(a for a in terms["accepts"] if a["network"] == "eip155:8453")
account = Account.from_key(os.environ["TOKEN_RISK_BASE_KEY"])
auth = {"from": account.address, "to": pay["payTo"], "value": pay["amount"], "validAfter": "0",
        "validBefore": str(int(time.time()) + pay["maxTimeoutSeconds"]), "nonce": "0x" + secrets.token_hex(32)}
fields = [("from", "address"), ("to", "address"), ("value", "uint256"), ("validAfter", "uint256"),
          ("validBefore", "uint256"), ("nonce", "bytes32")]
signed = account.sign_typed_data(
    {**pay["extra"], "chainId": 8453, "verifyingContract": pay["asset"]},
    {"TransferWithAuthorization": [{"name": n, "type": t} for n, t in fields]},
    {**auth, "value": int(auth["value"]), "validAfter": 0, "validBefore": int(auth["validBefore"])})
payment = {"x402Version": 2, "resource": terms["resource"], "accepted": pay,
           "payload": {"signature": "0x" + signed.signature.hex().removeprefix("0x"), "authorization": auth}}
header = base64.b64encode(json.dumps(payment).encode()).decode()
print(requests.post(url, json=token, headers={"payment-signature": header}, timeout=60).json())`)
    )}
    ${section(
      "MCP",
      html`<p>
        Streamable HTTP at ${code(`${publicUrl}/api/token-risk/mcp`)}, tools
        ${code("check_token_safety_ping")} and ${code("check_token_risk_deep")}. An unpaid call answers the
        terms in ${code("structuredContent")}, as text, and in ${code('_meta["x402/error"]')}. The payment
        goes into ${code('_meta["x402/payment"]')}, the receipt comes in
        ${code('_meta["x402/payment-response"]')}. ${code('_meta["token-risk/client-id"]')} makes the first
        deep calls free.
      </p>`
    )}
    ${section(
      "Command line",
      pre(`npx token-risk screen $CHAIN $TOKEN --order 250          # asks before it pays
npx token-risk screen base --file tokens.txt --json --yes --budget 2
npx token-risk deep $CHAIN $TOKEN --client-id me --json > report.json && npx token-risk verify report.json`),
      html`<p>
        Exit codes: 0 allow, 10 caution, 20 avoid; 2 usage, 3 not paid, 4 token not found, 5 service or
        network, 6 does not verify, 7 payment refused, 130 interrupted.
      </p>`
    )}`

interface Member {
  readonly name: string
  readonly type: string
  readonly meaning: string
}

/** `/docs/answer`: every member of both answers, from the contract's own schemas. */
export const answer = (ping: ReadonlyArray<Member>, deep: ReadonlyArray<Member>): Markup => {
  const rows = (members: ReadonlyArray<Member>) =>
    table(
      ["Member", "Type", "Meaning"],
      members.map(({ meaning, name, type }) => [code(name), type, meaning])
    )
  return html`<section class="card">
      <h1>The answer, field by field</h1>
      <p>Members may be added; none is renamed or dropped within <code>/v1</code>.</p>
    </section>
    ${section("Safety ping", rows(ping))} ${section("Deep report", rows(deep))}
    ${section(
      "Verdict, score, band",
      html`<p>
        Score 0 to 100, higher is riskier. Bands: low below 25, elevated below 50, high below 75, else
        critical. Verdict: avoid from 70 or when a hard rule fired, caution from 35 or when a critical signal
        is unknown, else allow.
      </p>`
    )}`
}

interface SignalRow {
  readonly id: string
  readonly reads: string
  readonly source: string
  readonly hard: boolean
  readonly critical: string
  readonly points: number
  readonly unknownPoints: number
}

/** `/docs/signals`: the tables the engine runs. */
export const signals = (chains: ReadonlyArray<readonly [string, ReadonlyArray<SignalRow>]>): Markup =>
  html`<section class="card">
      <h1>Signals</h1>
      <p>
        Each is pass (0 points), fail or unknown. Signals of one group count once. A critical one that fails
        or is unknown forbids safe; a hard one that fails makes the verdict avoid.
      </p>
    </section>
    ${join(
      chains.map(([chain, rows]) =>
        section(
          `${chain} (${rows.length})`,
          table(
            ["Signal", "Reads", "Source", "Hard", "Critical", "Points", "Unknown"],
            rows.map(({ critical, hard, id, points, reads, source, unknownPoints }) => [
              code(id),
              reads,
              source,
              hard ? "yes" : "",
              critical,
              String(points),
              String(unknownPoints)
            ])
          )
        )
      )
    )}`

/** `/docs/errors`: statuses, and every reason for which a payment is refused. */
export const errors = (): Markup =>
  html`<section class="card">
      <h1>Errors</h1>
      <p>Every error body is exactly ${code('{"error": "…"}')}; a 402 is the challenge.</p>
    </section>
    ${section(
      "Statuses",
      table(
        ["Status", "When", "Charged", "What to do"],
        [
          ["400", "input or payment header malformed", "no", "correct what the message names"],
          [
            "402",
            "no valid payment",
            "no",
            "pay one of accepts; the reason of a refusal is in PAYMENT-RESPONSE"
          ],
          ["404", "no pool of this token", "no", "treat it as unsafe"],
          ["405, 413, 415", "wrong method, large body, no JSON", "no", "see Allow; 64 KB; application/json"],
          ["429", "too many requests", "no", "wait for Retry-After"],
          [
            "503",
            "a source is down, or the outcome of a settlement is open",
            "not known if you paid",
            "the same request with the same payment after Retry-After; never a second signature"
          ]
        ]
      )
    )}
    ${section(
      "Why a payment was refused",
      html`<p>
        ${code("errorReason")} in the ${code("PAYMENT-RESPONSE")} header (base64 JSON), and in MCP's receipt.
      </p>`,
      table(
        ["Code", "Meaning and remedy"],
        [
          ...Object.entries(REFUSALS),
          ...Object.entries(REFUSAL_FAMILIES).map(([name, text]) => [`${name}_…`, text] as const)
        ].map(([name, text]) => [code(name), text])
      )
    )}`

/** `/docs/attestation`: the recipe, a test vector, two verifiers. */
export const attestation = (): Markup =>
  html`<section class="card">
      <h1>Verify it yourself</h1>
      <ol>
        <li>
          Take ${code("attestation")} out of the report and write the rest as RFC 8785 canonical JSON, in
          UTF-8: the bytes.
        </li>
        <li>${code("digest")} is SHA-256 of the bytes, in hex.</li>
        <li>
          ${code("hmac")} is HMAC-SHA256 over the digest’s 32 raw bytes (not its hex text), in hex. Its key is
          published, so it shows integrity, not origin.
        </li>
        <li>
          ${code("signature")} is Ed25519 over the bytes of step 1 (not over the digest), in base64url without
          padding. It shows origin.
        </li>
      </ol>
      <p>
        Keys: <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>, found by ${code("keyId")} (OKP) and
        ${code("hmacKeyId")} (oct); ids are RFC 7638 thumbprints. Retired keys stay. Keep a report as the text
        it came in.
      </p>
      <p>
        Test vector with keys, canonical bytes, digest, HMAC and signature:
        <a href="/docs/test-vector.json">/docs/test-vector.json</a>. Or use
        ${code("npx token-risk verify report.json")}.
      </p>
    </section>
    ${section("TypeScript, WebCrypto", pre(TYPESCRIPT_VERIFIER))}
    ${section("Python, standard library only", pre(PYTHON_VERIFIER))}`

/** `/docs/checkout`: how a merchant gets paid. */
export const checkout = ({ checkoutService }: Deployment): Markup => {
  const path = `/api/${checkoutService}/v1/checkout`
  return html`<section class="card">
      <h1>Checkout for merchants</h1>
      <p>
        The buyer pays the merchant directly; this service binds one payment to one order and settles it
        exactly once.
      </p>
    </section>
    ${section(
      "The flow",
      table(
        ["Step", "Call", "Answer"],
        [
          ["create", code(`POST ${path}/create`), "terms with checkoutId, to show to the buyer"],
          ["try", code(`POST ${path}/simulate`), "every step, marked simulated; touches no chain"],
          [
            "pay",
            code(`POST ${path}/{id}/verify`),
            "receipt with status paid and the transaction; the same payment always gets the same receipt"
          ],
          ["look", code(`GET ${path}/{id}`), "status and timeline; a hosted page for browsers"]
        ]
      ),
      pre(`curl -X POST "$TOKEN_RISK_URL${path}/create" -H 'content-type: application/json' \\
  -d '{"network":"base","merchantPayTo":"0x…","amountUsd":"12.50","memo":"order-1042"}'`),
      html`<p>
        409: another payment has paid it. 410: expired. 402: the payment does not fit, with the reason. 503:
        the outcome is open, send the same payment again.
      </p>`
    )}`
}

/** `/docs/operations`: for whoever runs this service. */
export const operations = (): Markup =>
  html`<section class="card">
      <h1>Operations</h1>
      <p>
        ${code("/healthz")} says that the process lives, ${code("/readyz")} that it can sell,
        ${code("/metrics")} how it does (loopback, or with a token). ${code("npx token-risk doctor URL")}
        checks a deployment from outside.
      </p>
    </section>
    ${section(
      "Documents for machines",
      table(
        ["Path", "What"],
        [
          [html`<a href="/openapi.json">/openapi.json</a>`, "OpenAPI 3.1, with prices and examples"],
          [html`<a href="/docs/api">/docs/api</a>`, "the same to read and try"],
          [html`<a href="/.well-known/x402">/.well-known/x402</a>`, "manifest for x402 indexes"],
          [html`<a href="/.well-known/jwks.json">/.well-known/jwks.json</a>`, "keys of the attestations"],
          [html`<a href="/llms.txt">/llms.txt</a>`, "what a model must know"],
          [html`<a href="/.well-known/mcp-server-card">/.well-known/mcp-server-card</a>`, "MCP server card"]
        ]
      )
    )}`
