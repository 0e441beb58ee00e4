import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, join, section, table } from "../layout.ts"

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
