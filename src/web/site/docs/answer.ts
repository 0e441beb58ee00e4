import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, section, table } from "../layout.ts"
import type { Member } from "../members.ts"

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
        fails or is unknown, else allow.
      </p>`
    )}`
}
