/** Prometheus' text format read strictly: what its own parser takes amiss is thrown. */

export interface Series {
  readonly name: string
  readonly labels: string
  readonly value: number
}

const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`
const SAMPLE = new RegExp(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`)
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const COMMENT =
  /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:(counter|gauge|histogram|summary)$|((?:[^\\\n]|\\[\\n])+)$)/

const endingsOf = (type: string): ReadonlyArray<string> =>
  type === "histogram" ? ["_bucket", "_sum", "_count"] : type === "summary" ? ["", "_sum", "_count"] : [""]

const numberOf = (text: string): number =>
  text.endsWith("Inf") ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text)

const refuse = (why: string, line: string): never => {
  throw new Error(`${why}: ${line}`)
}

/** Every series of a scrape. */
export const parseExposition = (text: string): ReadonlyArray<Series> => {
  if (!text.endsWith("\n")) refuse("no line feed at the end", text.slice(-40))
  const begun = new Set<string>()
  const seen = new Set<string>()
  let names: ReadonlyArray<string> = []
  return text
    .slice(0, -1)
    .split("\n")
    .flatMap((line) => {
      const [, kind, family = "", type] = COMMENT.exec(line) ?? []
      if (kind !== undefined) {
        if (begun.has(`${kind} ${family}`)) refuse("a family told twice", line)
        begun.add(`${kind} ${family}`)
        if (kind === "TYPE") {
          if (type === undefined) refuse("no type", line)
          names = endingsOf(type ?? "").map((ending) => family + ending)
        }
        return []
      }
      const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? refuse("no sample", line)
      if (!VALUE.test(value)) refuse("no number", line)
      if (!names.includes(name)) refuse("a sample outside of its family", line)
      const labelNames = Array.from(labels.matchAll(/(?:^|,)([a-zA-Z_]\w*)="/g), ([, label]) => label)
      if (new Set(labelNames).size < labelNames.length) refuse("a label twice", line)
      if (seen.has(`${name} ${labels}`)) refuse("a series twice", line)
      seen.add(`${name} ${labels}`)
      return [{ name, labels, value: numberOf(value) }]
    })
}
