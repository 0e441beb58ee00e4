import type { Markup, Page } from "../../page.ts"
import { html } from "../../page.ts"
import type { Deployment } from "../deployment.ts"
import { join, sitePage } from "../layout.ts"
import { homeScript } from "./script.ts"
import { homeStyle } from "./style.ts"
import { TOPICS } from "./topics.ts"

/** Tokens for somebody who has no address at hand. */
const examplesOf = ({ examples }: Deployment): Markup =>
  examples.length === 0
    ? html``
    : html`<p class="examples">
        Or try
        ${join(
          examples.map(
            ({ address, chain, name }) =>
              html`<button type="button" class="example" data-chain="${chain}" data-address="${address}">
                ${name}
              </button>`
          )
        )}
      </p>`

/** What whoever is asked to pay reads. */
const unpaidWords = ({ freeTier }: Deployment): string =>
  `${freeTier === undefined ? "Nobody has free calls here" : "Your free calls are used up for today"}. An agent with USDC can go on: see Prices.`

const question = (deployment: Deployment): Markup =>
  html`<section class="card">
    <h1>Is this token safe to buy?</h1>
    <p class="soft">
      Screened on the chain itself, on Base and Solana. Agents pay per call in USDC over
      x402${deployment.freeTier === undefined ? "" : "; you can try it free of charge"}.
    </p>
    <form id="try" data-unpaid="${unpaidWords(deployment)}">
      <div>
        <label for="chain">Chain</label>
        <select id="chain" name="chain">
          <option value="base">Base</option>
          <option value="solana">Solana</option>
        </select>
      </div>
      <div>
        <label for="address">Token address</label>
        <input
          id="address"
          name="address"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength="64"
          placeholder="0x… or a Solana mint"
        />
      </div>
      <button id="go">Screen it</button>
    </form>
    ${examplesOf(deployment)}
    <p id="note" role="status"></p>
  </section>`

const verdict: Markup = html`<section
  class="card verdict-card"
  id="summary"
  tabindex="-1"
  aria-labelledby="verdict"
>
  <h2 class="verdict" id="verdict"></h2>
  <p id="meaning"></p>
  <div class="gauge" id="gauge" role="img">
    <div class="scale"><i></i><i></i><i></i><i></i></div>
    <b id="needle"></b>
  </div>
  <div class="bands" id="bands" aria-hidden="true">
    <span data-band="low">low</span><span data-band="elevated">elevated</span
    ><span data-band="high">high</span><span data-band="critical">critical</span>
  </div>
  <h3>Why</h3>
  <ul class="plain" id="reasons"></ul>
  <p class="attested" id="attestation"></p>
</section>`

/** One card for each question a person asks; the script puts every signal into one of them. */
const topics: Markup = join(
  TOPICS.map(
    ({ id, title }) =>
      html`<section class="card topic" id="topic-${id}" aria-labelledby="title-${id}">
        <h2 id="title-${id}">${title}</h2>
        <p class="counts soft"></p>
        <div class="bars"></div>
        <ul class="plain open"></ul>
        <details>
          <summary></summary>
          <ul class="plain passed"></ul>
        </details>
      </section>`
  )
)

const facts: Markup = html`<section class="card">
  <h2>The report</h2>
  <dl class="facts" id="facts"></dl>
  <p>
    <button type="button" class="quiet" id="download">Download report.json</button>
    <a href="/docs/attestation">Verify it yourself</a>
  </p>
</section>`

const offer = ({ freeTier, prices }: Deployment): Markup =>
  html`<section class="card">
    <h2>Prices</h2>
    <dl class="facts">
      <div>
        <dt>Safety ping</dt>
        <dd>${prices.ping} USD</dd>
      </div>
      <div>
        <dt>Deep report</dt>
        <dd>${prices.deep} USD${freeTier === undefined ? "" : `, ${freeTier} free`}</dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd><span id="status" role="status">asking…</span></dd>
      </div>
    </dl>
    <p>
      <a href="/docs/quickstart">Build it into your agent</a> ·
      <a href="/docs">What it checks, and how to trust it</a>
    </p>
  </section>`

/** `/`: a person tries a token with a free call and sees what an agent would get. */
export const homePage = (deployment: Deployment): Page =>
  sitePage({
    place: { path: "/", publicUrl: deployment.publicUrl },
    title: "token-risk: is this token safe to buy?",
    body: html`${question(deployment)}
      <div id="report" hidden>
        ${verdict}
        <div class="topics">${topics}</div>
        ${facts}
      </div>
      ${offer(deployment)}
      <noscript
        ><p class="card">Trying a token here needs JavaScript. The service itself does not.</p></noscript
      >`,
    style: homeStyle,
    script: homeScript
  })
