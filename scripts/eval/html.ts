import type { BytecodeSummary } from "./bytecode-track.ts"
import type { ChainSummary, Histogram } from "./chain-summary.ts"
import { RULE_COLUMNS, fixed, percent, ruleCells } from "./text.ts"

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[char] ?? char)

const row = (cells: ReadonlyArray<string>, tag: "td" | "th"): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join("")}</tr>`

const table = (head: ReadonlyArray<string>, body: ReadonlyArray<ReadonlyArray<string>>): string =>
  `<table><thead>${row(head, "th")}</thead><tbody>${body.map((cells) => row(cells, "td")).join("")}</tbody></table>`

const SIDE = 260
const MARGIN = 30

const rocSvg = ({ roc, auc }: ChainSummary): string => {
  const x = (rate: number): string => (MARGIN + rate * SIDE).toFixed(1)
  const y = (rate: number): string => (MARGIN / 2 + (1 - rate) * SIDE).toFixed(1)
  const points = roc.map((point) => `${x(point.falsePositiveRate)},${y(point.truePositiveRate)}`).join(" ")
  return `<svg viewBox="0 0 ${SIDE + 2 * MARGIN} ${SIDE + 2 * MARGIN}" role="img" aria-label="ROC curve, area ${fixed(auc)}">
<rect x="${x(0)}" y="${y(1)}" width="${SIDE}" height="${SIDE}" class="frame"/>
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" class="chance"/>
<polyline points="${points}" class="curve"/>
<text x="${x(0.5)}" y="${SIDE + MARGIN * 1.4}" text-anchor="middle">benign flagged</text>
<text transform="translate(14 ${y(0.5)}) rotate(-90)" text-anchor="middle">scams flagged</text>
<text x="${x(0.55)}" y="${y(0.1)}">AUC ${fixed(auc)}</text></svg>`
}

const BAR = 22
const BAR_HEIGHT = 60

const histogramSvg = ({ class: kind, counts }: Histogram): string => {
  const most = Math.max(1, ...counts)
  const bars = counts.map((count, i) => {
    const height = (count / most) * BAR_HEIGHT
    const label =
      count === 0
        ? ""
        : `<text x="${i * BAR + BAR / 2}" y="${BAR_HEIGHT - height + 10}" text-anchor="middle">${count}</text>`
    return `<rect x="${i * BAR + 1}" y="${BAR_HEIGHT - height + 12}" width="${BAR - 2}" height="${height}" class="bar"/>${label}`
  })
  const width = counts.length * BAR
  return `<figure><svg viewBox="0 0 ${width} ${BAR_HEIGHT + 28}" role="img" aria-label="scores of ${escape(kind)}">${bars.join("")}
<text x="0" y="${BAR_HEIGHT + 25}">0</text><text x="${width}" y="${BAR_HEIGHT + 25}" text-anchor="end">100</text></svg><figcaption>${escape(kind)}</figcaption></figure>`
}

const bytecodeSection = (summary: BytecodeSummary): string => {
  const powers = Object.keys(summary.foundByClass[0]?.found ?? {})
  const classes = summary.foundByClass.map((one) => [
    one.class,
    String(one.contracts),
    ...powers.map((power) => String(one.found[power] ?? 0))
  ])
  return `<h2>Bytecode track</h2>
<p>${summary.contracts} contracts; median ${fixed(summary.medianMilliseconds, 1)} ms, p95 ${fixed(summary.p95Milliseconds, 1)} ms per contract; ${percent(summary.undecidedShare)} of the answers undecided; found on plain library tokens: ${escape(summary.foundInLibrary.join(", ") || "nothing")}.</p>
${table(RULE_COLUMNS, summary.rules.map(ruleCells))}
<h3>Powers found by class</h3>${table(["class", "contracts", ...powers], classes)}`
}

const chainSection = (summary: ChainSummary): string => `<h2>Chain track</h2>
<p>${summary.tokens} tokens, ${summary.failed} failed; median ${fixed(summary.medianMilliseconds, 0)} ms, p95 ${fixed(summary.p95Milliseconds, 0)} ms per token.</p>
${table(
  ["promise", "kept", "of", "broken"],
  summary.promises.map(({ what, kept, of, broken }) => [what, String(kept), String(of), broken.join(", ")])
)}
<h3>ROC: scam against benign, by score</h3><div class="roc">${rocSvg(summary)}</div>
<h3>Scores by class</h3><div class="histograms">${summary.histograms.map(histogramSvg).join("")}</div>`

const STYLE = `body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c2430}
h1{font-size:1.4rem}table{border-collapse:collapse;margin:.5rem 0;font-variant-numeric:tabular-nums}
th,td{border:1px solid #d5dae1;padding:.2rem .5rem;text-align:left}th{background:#f2f4f7}
svg text{font-size:9px;fill:#45505f}.roc svg{max-width:24rem}.frame{fill:none;stroke:#b8c0cc}.chance{stroke:#b8c0cc;stroke-dasharray:4 4}
.curve{fill:none;stroke:#1553b6;stroke-width:2}.bar{fill:#1553b6}.histograms{display:flex;flex-wrap:wrap;gap:1rem}
figure{margin:0;width:14rem}figcaption{text-align:center;font-size:.85rem}`

/** One self-contained page: no script, no outside reference. */
export const reportHtml = (
  title: string,
  bytecode: BytecodeSummary,
  chain: ChainSummary | undefined
): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style></head>
<body><h1>${escape(title)}</h1>${bytecodeSection(bytecode)}${chain === undefined ? "<h2>Chain track</h2><p>Not run: give the URL of the running chain with <code>--rpc</code>.</p>" : chainSection(chain)}</body></html>
`
