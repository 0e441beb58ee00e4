import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, section, table } from "../layout.ts"
import { REFUSAL_FAMILIES, REFUSALS } from "../refusals.ts"

/** `/docs/errors`: statuses, and every reason for which a payment is refused. */
export const errors = (): Markup =>
  html`<section class="card">
      <h1>Errors</h1>
      <p>
        Every error body is exactly ${code('{"error": "…"}')}; a 402 is the challenge. What MCP's own protocol
        refuses comes in JSON-RPC's form.
      </p>
    </section>
    ${section(
      "Statuses",
      table(
        ["Status", "When", "Charged", "What to do"],
        [
          ["400", "input or payment header malformed", "no", "correct what the message names"],
          [
            "401",
            "a merchant's token or signature is missing or not valid; screening asks for neither",
            "no",
            "Authorization: Bearer with a token of yours; a new signature gives a new one"
          ],
          [
            "402",
            "no valid payment",
            "no",
            "pay one of accepts, in payment-signature (X-PAYMENT is of x402 version 1 and is not read); the reason of a refusal is in PAYMENT-RESPONSE"
          ],
          [
            "403",
            "a web page's origin is not allowed to call MCP",
            "no",
            "call from a server, or ask the operator"
          ],
          [
            "404",
            "no pool of this token; nothing at this path, or under this id",
            "no",
            "treat the token as unsafe; look at the address you call"
          ],
          ["405", "wrong method", "no", "use one of the methods in the Allow header"],
          ["413", "the body is above 64 KB", "no", "send a shorter one"],
          ["415", "the body is not JSON, or is compressed", "no", "send application/json, uncompressed"],
          ["408", "the request took too long to arrive", "no", "the same request with the same payment"],
          [
            "409",
            "the payment-identifier names another payment; a checkout is paid, or its time is over",
            "no",
            "send that payment again, or use a new id; sign nothing more for this checkout"
          ],
          ["410", "the checkout has expired", "no", "ask the merchant for a new one"],
          ["417", "an Expect header other than 100-continue", "no", "leave it out"],
          ["431", "the headers are above 16 KB, or a thousand", "no", "send fewer or shorter ones"],
          [
            "429",
            "too many requests",
            "not by this request",
            "the same request with the same payment after Retry-After; never a second signature"
          ],
          [
            "500",
            "a fault of ours",
            "not known if you paid",
            "the same request with the same payment; never a second signature"
          ],
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
