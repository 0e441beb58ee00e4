/** Style of the hosted page: one column that fits a phone, light and dark, no outside fonts. */
export const checkoutStyle = `
:root { color-scheme: light dark; --ink: #14171f; --soft: #5b6472; --line: #dfe3ea; --paper: #fff; --back: #f3f5f9;
  --accent: #1652f0; --good: #0a7d45; --bad: #b3261e; --wait: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f6; --soft: #a3adbd; --line: #2c3342; --paper: #171b24;
  --back: #0e1118; --accent: #7da2ff; --good: #58d493; --bad: #ff8a80; --wait: #f2c063 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 28rem; margin: 0 auto; padding: 1rem }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 16px; padding: 1.5rem }
h1 { margin: 0; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.02em; overflow-wrap: anywhere }
h1 small { font-size: 1.1rem; font-weight: 600; color: var(--soft); letter-spacing: 0 }
.sub { margin: .25rem 0 0; color: var(--soft) }
.status { display: flex; gap: .6rem; align-items: center; margin: 1.25rem 0; padding: .75rem 1rem; border-radius: 12px;
  border: 1px solid; font-weight: 600; color: var(--accent);
  border-color: color-mix(in srgb, currentColor 35%, transparent);
  background: color-mix(in srgb, currentColor 8%, transparent) }
.status::before { content: ""; flex: none; width: .7rem; height: .7rem; border-radius: 50%; background: currentColor }
.status[data-status="processing"] { color: var(--wait) }
.status[data-status="paid"] { color: var(--good) }
.status[data-status="expired"], .status[data-status="cancelled"] { color: var(--bad) }
.pay { text-align: center }
.pay p { margin: .75rem 0 0; color: var(--soft); font-size: .9rem }
.qr { display: inline-block; padding: .75rem; border-radius: 12px; background: #fff; border: 1px solid var(--line); line-height: 0 }
.qr svg { width: min(15rem, 60vw); height: auto }
.button { display: block; width: 100%; margin-top: 1rem; padding: .85rem 1rem; border: 0; border-radius: 12px;
  background: var(--accent); color: var(--paper); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer }
.button:disabled { opacity: .55; cursor: default }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: center }
.choice { display: inline-block; margin: .5rem .15rem 0; padding: .5rem .85rem; border: 1px solid var(--line);
  border-radius: 10px; background: none; color: var(--ink); font: inherit; font-size: .9rem; text-decoration: none;
  cursor: pointer }
.choice[aria-pressed="true"] { border-color: var(--accent); color: var(--accent) }
.choice:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
.touch { display: none }
@media (pointer: coarse) {
  .touch { display: block } .mouse { display: none }
  .touch .choices { display: grid; margin-top: .75rem } .touch .choice { margin: 0; padding: .8rem 1rem; font-size: 1rem }
}
.pay > .button:first-child { margin-top: 0 } #open-in[data-wallet="none"] .touch > :first-child { margin-top: 0 }
[data-over="true"] .before { display: none }
#open-in[data-wallet="found"] { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line) }
#open-in[data-wallet="found"] .qr svg { width: 13rem }
.hint, .missing, .status { text-wrap: balance }
.hint:empty { display: none }
.pay .hint { margin: 1rem 0 0; padding: .75rem 1rem; border-radius: 12px; border: 1px solid var(--line);
  color: var(--ink); font-size: .95rem }
.pay .hint[data-kind="waiting"] { margin-top: 0; border-color: var(--wait); color: var(--wait) }
.pay .hint[data-kind="refused"], .pay .hint[data-kind="wallet"] { border-color: var(--bad) }
.missing { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: 12px; border: 1px solid var(--wait);
  color: var(--wait); font-weight: 600 }
#by-hand strong { color: var(--ink) }
.seller { display: flex; gap: .6rem; align-items: center; margin: .75rem 0 0; overflow-wrap: anywhere }
.logo { flex: none; display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 10px;
  border: 1px solid var(--line); font-weight: 700; font-size: .8rem; overflow: hidden }
.button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
dl { margin: 1.5rem 0 0; border-top: 1px solid var(--line) }
dl div { padding: .7rem 0; border-bottom: 1px solid var(--line) }
dt { color: var(--soft); font-size: .85rem }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate }
code { font: clamp(.62rem, 2.9vw, .8rem)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
footer { padding: 1rem .5rem; color: var(--soft); font-size: .85rem; text-align: center }
[hidden] { display: none !important }
@media (min-width: 48rem) {
  main { max-width: 52rem; padding: 3rem 1.5rem }
  .split { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; align-items: start }
  .split dl { margin-top: 0 }
  .pay[hidden] + dl { grid-column: 1 / -1 }
}
`.trim()
