import type { Page } from "../page.ts"
import { html } from "../page.ts"
import { homeScript } from "./home-script.ts"
import { sitePage } from "./layout.ts"

/** What the home page has to know of the deployment. Prices are decimal USD. */
export interface Deployment {
  readonly publicUrl: string
  readonly prices: { readonly ping: string; readonly deep: string }
  /** The free tier in words. */
  readonly freeTier: string
  readonly checkoutService: string
}

/** `/`: a person tries a token with a free call and sees what an agent would get. */
export const homePage = ({ freeTier, prices }: Deployment): Page =>
  sitePage(
    "/",
    "token-risk: is this token safe to buy?",
    html`<section class="card">
        <h1>Is this token safe to buy?</h1>
        <p class="soft">
          Screened on chain, on Base and Solana. Agents pay per call in USDC over x402; you can try it free of
          charge.
        </p>
        <form id="try">
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
              spellcheck="false"
              maxlength="44"
              placeholder="0x… or a Solana mint"
            />
          </div>
          <button id="go">Screen it</button>
        </form>
        <p id="note" role="status"></p>
      </section>
      <div id="report" hidden>
        <section class="card" aria-live="polite">
          <p class="verdict" id="verdict"></p>
          <p class="soft" id="meaning"></p>
          <div class="gauge" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
          <div class="needle" aria-hidden="true"><b id="needle"></b></div>
          <div class="bands"><span>low</span><span>elevated</span><span>high</span><span>critical</span></div>
          <h2>Why</h2>
          <ul class="plain" id="reasons"></ul>
        </section>
        <section class="card">
          <h2>Facts</h2>
          <dl class="facts" id="facts"></dl>
          <h2>Attestation</h2>
          <p id="attestation"></p>
        </section>
        <section class="card">
          <h2>Can you sell, and who holds the rest?</h2>
          <ul class="plain" id="exit"></ul>
          <h2>Every signal</h2>
          <ul class="plain" id="signals"></ul>
        </section>
      </div>
      <section class="card">
        <h2>Prices</h2>
        <dl class="facts">
          <div>
            <dt>Safety ping</dt>
            <dd>${prices.ping} USD</dd>
          </div>
          <div>
            <dt>Deep report</dt>
            <dd>${prices.deep} USD, ${freeTier} free</dd>
          </div>
          <div>
            <dt>Status</dt>
            <dd id="status">asking…</dd>
          </div>
        </dl>
        <p>
          <a href="/docs/quickstart">Build it into your agent</a> ·
          <a href="/docs">What it checks, and how to trust it</a>
        </p>
      </section>`,
    homeScript
  )
