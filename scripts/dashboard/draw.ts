/** Panels as SVG: what Grafana would show, near enough to see whether a panel tells anything. */
import type { Series } from "./prometheus.ts"

export interface DrawnPanel {
  readonly title: string
  readonly type: string
  readonly unit: string
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly series: ReadonlyArray<{ readonly name: string; readonly values: Series["values"] }>
}

const COLUMN = 60
const ROW = 30
const COLORS = ["#73bf69", "#f2cc0c", "#5794f2", "#ff780a", "#b877d9", "#e02f44", "#8ab8ff", "#96d98d"]

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const text = (x: number, y: number, size: number, words: string, fill = "#ccccdc"): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${escaped(words)}</text>`

const figure = (value: number, unit: string): string => {
  if (unit === "bytes") return `${(value / 1e6).toFixed(0)} MB`
  const digits =
    value !== 0 && Math.abs(value) < 0.1 ? value.toPrecision(2) : String(Math.round(value * 100) / 100)
  return unit === "currencyUSD" ? `$${digits}` : unit === "s" ? `${digits} s` : digits
}

const last = (values: Series["values"]): number => values.at(-1)?.[1] ?? Number.NaN

const lines = ({ series, unit }: DrawnPanel, width: number, height: number): string => {
  const points = series.flatMap(({ values }) => values).filter(([, value]) => Number.isFinite(value))
  const times = points.map(([time]) => time)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const top = Math.max(...points.map(([, value]) => value), 1e-9)
  const legend = Math.min(series.length, 4) * 15
  const floor = height - 16 - legend
  const x = (time: number) => 56 + ((width - 70) * (time - from)) / Math.max(1, to - from)
  const y = (value: number) => floor - ((floor - 40) * value) / top
  const paths = series.map(({ values }, index) => {
    const path = values
      .filter(([, value]) => Number.isFinite(value))
      .map(([time, value]) => `${x(time)},${y(value)}`)
    return `<polyline fill="none" stroke="${COLORS[index % COLORS.length]}" stroke-width="1.5" points="${path.join(" ")}"/>`
  })
  const names = series
    .slice(0, 4)
    .map(({ name, values }, index) =>
      text(
        14,
        floor + 20 + 15 * index,
        11,
        `■ ${name.slice(0, 60)}  ${figure(last(values), unit)}`,
        COLORS[index]
      )
    )
  const axis = [
    text(8, y(top) + 4, 10, figure(top, unit), "#8e8e99"),
    text(8, floor + 4, 10, "0", "#8e8e99"),
    `<line x1="56" x2="${width - 14}" y1="${floor}" y2="${floor}" stroke="#333"/>`
  ]
  return [...axis, ...paths, ...names].join("")
}

const panel = (drawn: DrawnPanel): string => {
  const { place, series, title, type, unit } = drawn
  const [width, height] = [place.w * COLUMN - 8, place.h * ROW - 8]
  const body =
    series.length === 0
      ? text(width / 2 - 30, height / 2, 14, "No data", "#8e8e99")
      : type === "stat"
        ? text(
            24,
            height / 2 + 24,
            56,
            figure(Math.max(...series.map(({ values }) => last(values))), unit),
            COLORS[0]
          )
        : lines(drawn, width, height)
  return `<g transform="translate(${place.x * COLUMN + 4},${place.y * ROW + 4})">
    <rect width="${width}" height="${height}" rx="3" fill="#181b1f" stroke="#2c3235"/>${text(14, 24, 14, title)}${body}</g>`
}

/** The whole dashboard. */
export const drawDashboard = (panels: ReadonlyArray<DrawnPanel>) => {
  const height = Math.max(...panels.map(({ place }) => place.y + place.h)) * ROW
  const width = 24 * COLUMN
  return {
    width,
    height,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">
<rect width="100%" height="100%" fill="#111217"/>${panels.map(panel).join("\n")}</svg>`
  }
}
