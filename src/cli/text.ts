/**
 * Control characters, invisible characters and those that turn the direction of text: all of them can make a screen
 * show something untrue.
 */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/g

/** Foreign text made fit for a terminal: one line, nothing invisible, at most `max` characters. */
export const plain = (text: string, max = 300): string => {
  const visible = text.replace(UNPRINTABLE, "�")
  return visible.length > max ? `${visible.slice(0, max - 1)}…` : visible
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

/** JSON whose strings hold no raw control or invisible character: the same value, safe to look at. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => line.replace(UNPRINTABLE, escaped))
    .join("\n")

/** The same on one line. */
export const jsonLine = (value: unknown): string => JSON.stringify(value).replace(UNPRINTABLE, escaped)

/** Breaks text at spaces so that no line is longer than `width`; a longer word stands alone on its line, cut. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text
    .split(/ +/)
    .flatMap((long) => long.match(new RegExp(`.{1,${width}}`, "gu")) ?? [])) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === "" ? word : `${line} ${word}`
    }
  }
  return line === "" ? lines : [...lines, line]
}

/** A text beside a label, its further lines indented to stand below its first; all of them below a label too long. */
export const labelled = (
  label: string,
  text: string,
  indent: number,
  width: number
): ReadonlyArray<string> => {
  const lines = wrap(text, width - indent).map((line) => " ".repeat(indent) + line)
  return label.length < indent
    ? lines.map((line, at) => (at === 0 ? label + line.slice(label.length) : line))
    : [label, ...lines]
}

/** A bar of `width` characters filled in proportion to `share` (0 to 1); anything above zero shows. */
export const bar = (share: number, width: number): string => {
  const filled = share <= 0 ? 0 : Math.max(1, Math.round(Math.min(share, 1) * width))
  return "█".repeat(filled) + "░".repeat(width - filled)
}

/** USD for people: cents for large amounts, four significant digits for small ones, never an exponent. */
export const usd = (value: number): string =>
  `${value.toLocaleString("en-US", value >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 4 })} USD`
