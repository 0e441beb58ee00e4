/** Style of the home page beside that of the site. Tones are never told by colour alone: words and marks say the same. */
export const homeStyle = `
.examples { color: var(--soft); font-size: .92rem }
.example, .quiet { display: inline-block; width: auto; padding: .35rem .75rem; margin: .15rem .3rem .15rem 0; border-radius: 999px;
  background: none; color: var(--accent); border: 1px solid var(--line); font-size: .9rem; font-weight: 500 }
#note:empty { display: none } #note[data-tone]:not([data-tone=""]) { font-weight: 600 }
.verdict-card { border-top: 6px solid currentColor } .verdict-card > * { color: var(--ink) }
.verdict-card:focus { outline: none }
/* What nobody vouches for is not shown as if somebody did. */
[data-vouched=false] :is(.gauge, .bands, .topics, .verdict-card h3, #reasons) { display: none }
.verdict-card .verdict { color: inherit; font-size: clamp(2rem, 9vw, 2.8rem); line-height: 1.1; margin: 0; letter-spacing: -.02em }
.gauge { position: relative; padding: 2.1rem 0 .3rem; margin-top: .6rem }
.scale { display: flex; gap: 2px; height: .8rem; border-radius: 999px; overflow: hidden }
.scale i { flex: 1; background: var(--pass) } .scale i:nth-child(2) { background: #c9a227 }
.scale i:nth-child(3) { background: #d9722b } .scale i:nth-child(4) { background: var(--fail) }
#needle { position: absolute; top: 0; transform: translateX(-50%); min-width: 2.4rem; padding: .1rem .45rem; border-radius: 8px;
  background: var(--ink); color: var(--paper); font-size: .95rem; line-height: 1.4; text-align: center }
#needle::after { content: ""; position: absolute; left: 50%; top: 100%; height: 1.35rem; width: 3px; margin-left: -1.5px; background: var(--ink);
  box-shadow: 0 0 0 1.5px var(--paper) }
.gauge { margin-left: 1.2rem; margin-right: 1.2rem } .bands { margin: 0 1.2rem }
.bands { display: flex; color: var(--soft); font-size: .8rem } .bands span { flex: 1; text-align: center }
.bands [data-here] { color: var(--ink); font-weight: 700 }
ul.plain { list-style: none; padding: 0; margin: 0 } ul.plain li { padding: .6rem 0; border-bottom: 1px solid var(--line) }
ul.plain li:last-child { border: 0 } ul.plain p { margin: 0 }
.attested { margin: 1rem 0 0; padding: .6rem .8rem; border-radius: 10px; border: 1px solid currentColor; font-weight: 600; font-size: .95rem }
.verdict-card > .attested[data-tone=pass] { color: var(--pass) } .verdict-card > .attested[data-tone=fail] { color: var(--fail) }
.verdict-card > .attested[data-tone=unknown] { color: var(--unknown) }
/* Seeds and addresses are one word each, as long as they are. */
.topic li { display: flex; gap: .7rem; overflow-wrap: anywhere } #reasons { overflow-wrap: anywhere }
.mark { flex: none; width: 1.5rem; height: 1.5rem; border-radius: 50%; display: grid; place-items: center; font-weight: 700; font-size: .9rem;
  color: var(--paper); background: var(--unknown) }
[data-state=pass] .mark { background: var(--pass) } [data-state=fail] .mark { background: var(--fail) }
.small { font-size: .82rem } .counts { margin: 0 0 .4rem }
.small code { font-size: .78rem; background: none; padding: 0 }
.bar { margin: .5rem 0 .8rem } .bar p { margin: 0 0 .25rem }
.track { height: .5rem; border-radius: 999px; background: var(--code); overflow: hidden } .track i { display: block; height: 100%; background: currentColor }
details { margin-top: .3rem } summary { cursor: pointer; padding: .5rem 0; color: var(--accent); font-weight: 600 }
@media (min-width: 58rem) {
  .topics { columns: 2; column-gap: 1rem; margin-bottom: 1rem } .topic { break-inside: avoid }
  .verdict-card { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem }
  .verdict-card > * { grid-column: 1 } .verdict-card > h3, .verdict-card > #reasons { grid-column: 2 }
  .verdict-card > h3 { grid-row: 1; margin: .6rem 0 0; align-self: end } .verdict-card > #reasons { grid-row: 2 / span 3 }
  .verdict-card > .attested { grid-column: 1 / -1 }
}
@media (prefers-reduced-motion: no-preference) { #needle { transition: left .4s } }
`.trim()
