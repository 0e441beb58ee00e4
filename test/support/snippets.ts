/** The snippets of a served page, as somebody would copy them. */
export interface PageSnippet {
  readonly id: string
  /** What the page says to save it as; empty for a shell. */
  readonly file: string
  readonly text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
const FIGURE = /<figure id="([^"]+)" data-file="([^"]*)">[\s\S]*?<pre[^>]*><code>([\s\S]*?)<\/code>/g

export const snippetsOf = (html: string): ReadonlyMap<string, PageSnippet> =>
  new Map(
    [...html.matchAll(FIGURE)].map(([, id = "", file = "", text = ""]) => [
      id,
      { id, file, text: text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[String(name)] ?? "") }
    ])
  )
