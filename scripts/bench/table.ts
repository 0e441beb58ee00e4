import type { Figures } from "./measure.ts"

/** One case as text. */
export const table = (title: string, figures: ReadonlyArray<Figures>): string => {
  const line = (name: string, cells: ReadonlyArray<string>) =>
    `  ${name.padEnd(11)}${cells.map((cell) => cell.padStart(10)).join("")}`
  return [
    "",
    title,
    line("", ["CPU ms", "x ours", "per s", "p50 ms", "p99 ms", "peak MB"]),
    ...figures.map((one) =>
      line(one.name, [
        one.cpuMillis.toFixed(3),
        one.ratio.toFixed(2),
        one.perSecond.toFixed(0),
        one.p50Millis.toFixed(1),
        one.p99Millis.toFixed(1),
        one.peakMegabytes.toFixed(0)
      ])
    ),
    ...figures
      .filter(({ refused }) => refused > 0)
      .map(({ name, refused, requests }) => `  ${name} refused ${refused} of ${requests}`)
  ].join("\n")
}
