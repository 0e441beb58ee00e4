import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import type { Deployment } from "../deployment.ts"
import { code, pre, section, table } from "../layout.ts"

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
