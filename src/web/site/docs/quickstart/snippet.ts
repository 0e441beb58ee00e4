import type { Markup } from "../../../page.ts"
import { html } from "../../../page.ts"
import { pre } from "../../layout.ts"

/** A piece of code somebody copies. The tests take it from the served page and run it as it stands. */
export interface Snippet {
  /** Names it on the page, also for links. */
  readonly id: string
  /** What to save it as; a snippet without a file is typed into a shell. */
  readonly file?: string
  readonly caption: string
  readonly text: string
}

/** The snippet with its caption; what to save it as stands in the caption and in the markup. */
export const snippet = ({ caption, file, id, text }: Snippet): Markup =>
  html`<figure id="${id}" data-file="${file ?? ""}">
    <figcaption>${file === undefined ? "" : html`<code>${file}</code> · `}${caption}</figcaption>
    ${pre(text)}
  </figure>`
