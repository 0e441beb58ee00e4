/** Style of the pages for people: one column that fits a phone, light and dark, no outside fonts. */
export const siteStyle = `
:root { color-scheme: light dark; --ink: #14171f; --soft: #5b6472; --line: #dfe3ea; --paper: #fff; --back: #f3f5f9;
  --accent: #1652f0; --pass: #0a7d45; --fail: #b3261e; --unknown: #8a5a00; --code: #eef1f6 }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f6; --soft: #a3adbd; --line: #2c3342; --paper: #171b24;
  --back: #0e1118; --accent: #7da2ff; --pass: #58d493; --fail: #ff8a80; --unknown: #f2c063; --code: #0e1118 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; -webkit-text-size-adjust: 100% }
.skip { position: absolute; left: -100rem }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 1 }
header { border-bottom: 1px solid var(--line); background: var(--paper) }
header nav { max-width: 64rem; margin: 0 auto; padding: .75rem 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem }
header a { color: var(--soft); text-decoration: none; padding: .2rem 0 }
header a:first-child { color: var(--ink); font-weight: 700 }
header a[aria-current] { color: var(--accent); font-weight: 600 }
main { max-width: 64rem; margin: 0 auto; padding: 1rem }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem; margin: 0 0 1rem }
h1 { margin: 0 0 .35rem; font-size: clamp(1.6rem, 5vw, 2.2rem); line-height: 1.2; letter-spacing: -.02em }
h2 { margin: 1.6rem 0 .5rem; font-size: 1.25rem } h3 { margin: 1.2rem 0 .3rem; font-size: 1.05rem }
.card > h2:first-child { margin-top: 0 }
p { margin: .5rem 0 } .soft { color: var(--soft) }
a { color: var(--accent) }
form { display: grid; gap: .6rem; grid-template-columns: 1fr }
label { font-weight: 600; font-size: .9rem }
input, select, button { font: inherit; padding: .7rem .8rem; border-radius: 10px; border: 1px solid var(--line);
  background: var(--back); color: var(--ink); width: 100%; min-width: 0 }
form :is(input, select, button) { min-height: 3.1rem }
button { background: var(--accent); color: var(--paper); border: 0; font-weight: 600; cursor: pointer }
button:disabled { opacity: .6; cursor: progress }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[data-tone=pass] { color: var(--pass) } [data-tone=fail] { color: var(--fail) } [data-tone=unknown] { color: var(--unknown) }
dl { display: grid; grid-template-columns: 1fr; margin: 0 } dt { color: var(--soft); font-size: .85rem; margin-top: .5rem }
dd { margin: 0; overflow-wrap: anywhere }
code, pre { font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere }
:not(pre) > code { background: var(--code); padding: .1rem .3rem; border-radius: 5px }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 10px; padding: .8rem; overflow: auto; overflow-wrap: normal }
figure { margin: 1rem 0 } figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .3rem } figure pre { margin: 0 }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem .45rem 0; border-bottom: 1px solid var(--line) }
td:first-child:has(code) { min-width: 9.5rem }
footer { max-width: 64rem; margin: 0 auto; padding: 1rem; color: var(--soft); font-size: .85rem }
[hidden] { display: none !important }
@media (max-width: 43.99rem) {
  .wide thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  .wide :is(tbody, tr, td) { display: block } .wide tr { padding: .6rem 0; border-bottom: 1px solid var(--line) }
  .wide td { padding: .1rem 0; border: 0 } .wide td:first-child { font-weight: 600 }
  .wide td[data-head]::before { content: attr(data-head) ": "; color: var(--soft) }
}
@media (min-width: 44rem) {
  form { grid-template-columns: 9rem 1fr 9rem; align-items: end }
  dl.facts { grid-template-columns: 1fr 1fr 1fr; gap: .3rem 1rem }
  td:first-child code { overflow-wrap: normal }
  main { padding: 2rem 1rem } .card { padding: 1.75rem }
}
`.trim()
