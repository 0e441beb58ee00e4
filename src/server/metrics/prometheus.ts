import type { Family } from "./families.ts"

/** Media type of the text format. Source: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8"

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\"')}"`

const numeral = (value: number): string => {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
}

const lines = ({ help, name, samples, type }: Family): ReadonlyArray<string> => [
  ...(help === "" ? [] : [`# HELP ${name} ${escaped(help)}`]),
  `# TYPE ${name} ${type}`,
  ...samples.map(({ labels, suffix, value }) => {
    const pairs = labels.map(([label, text]) => `${label.replace(/[^a-zA-Z0-9_]/g, "_")}=${quoted(text)}`)
    return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numeral(value)}`
  })
]

/** The families in Prometheus' text format. */
export const toPrometheus = (families: ReadonlyArray<Family>): string =>
  `${families.flatMap(lines).join("\n")}\n`
