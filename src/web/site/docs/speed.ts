import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, join, section, table } from "../layout.ts"
import { HELPED_FREE, HELPED_MEMORY, HELPED_SALES, HELPED_SCREENINGS } from "./speed/helped.ts"
import { NOT_HELPED } from "./speed/not-helped.ts"
import { coldRows, growthRows, ledgerRows, speedChart, speedRows, startRows } from "./speed-chart.ts"
import type { Rows } from "./speed/where.ts"
import { LOAD, SALES, SCREENINGS, UNPAID } from "./speed/where.ts"

/** A table of what the last full run measured; nothing where it was run without this part. */
const measuredAs = (
  title: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Markup> => (rows.length === 0 ? [] : [section(title, table(heads, rows))])

const told = (title: string, heads: readonly [string, string], rows: Rows): Markup =>
  section(title, table(heads, rows, title))

/** Where the time of a request goes. */
const whereTheTimeGoes = (): ReadonlyArray<Markup> => [
  told("Where the time goes: unpaid and free requests", ["Request", "Where the time goes"], UNPAID),
  told("Where the time goes: paid calls", ["Part", "What it is"], SALES),
  told("Where the time goes: screenings of unknown tokens", ["Part", "What it is"], SCREENINGS),
  told("Where the time goes: load and attacks", ["Case", "What was measured"], LOAD)
]

const whatHelped = (): ReadonlyArray<Markup> => [
  told("What helped: screenings", ["Change", "Effect"], HELPED_SCREENINGS),
  told("What helped: paid calls", ["Change", "Effect"], HELPED_SALES),
  told("What helped: free and unpaid calls", ["Change", "Effect"], HELPED_FREE),
  told("What helped: memory", ["Change", "Effect"], HELPED_MEMORY)
]

/** `/docs/speed`: what a request costs beside other servers, where the rest of the time goes, what did not help. */
export const speed = (): Markup =>
  html`<section class="card">
      <h1>Speed</h1>
      <p>
        The chart shows the server's CPU time per request. All servers ran side by side on the same local
        chains, taking turns. Payments are verified and settled for real, and the ledger is on disk.
      </p>
      <ul>
        <li>Ratios hold on other machines; milliseconds are of the machine that ran it.</li>
        <li>
          In the tables below, a ratio such as 0.95 compares the build with the change to the build before,
          run alternately on one machine: below 1 is faster.
        </li>
        <li>
          A machine that is "five times overloaded" had five times more work than its processors could do.
        </li>
        <li>${code("npm run bench")} measures again, ${code("npm run bench:chart")} draws the chart.</li>
      </ul>
      <div class="scroll" tabindex="0" role="group" aria-label="Chart">${speedChart}</div>
    </section>
    ${section(
      "In figures",
      table(["What", "Server", "CPU ms", "times ours", "p50 ms", "p99 ms", "MB at most"], speedRows)
    )}
    ${join(
      [
        measuredAs("Unknown tokens, every upstream 50 ms away", ["What", "Median"], coldRows),
        measuredAs("From a start to the first answer", ["Median", "CPU"], startRows),
        measuredAs(
          "More connections, more workers",
          ["Workers", "Connections", "Requests a second", "p99 ms", "CPU ms", "MB"],
          growthRows
        ),
        measuredAs("A full ledger", ["Rows", "Claim and settle, ms", "times the empty ledger"], ledgerRows)
      ].flat()
    )}
    ${join([
      ...whereTheTimeGoes(),
      ...whatHelped(),
      told("What did not help", ["What was tried", "Result"], NOT_HELPED)
    ])}`
