import type { Network } from "../domain/chain.ts"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import { baseScript } from "./checkout-base-script.ts"
import { solanaScript } from "./checkout-solana-script.ts"
import { walletScript } from "./checkout-wallet-script.ts"

/** Shows the state the page is told of, and keeps asking for it. */
const VIEW = `// By the service's clock: the buyer's own may be wrong.
const late = () => current === "open" && data.now + performance.now() >= Date.parse(data.terms.expiresAt);

const sayStatus = () => {
  const signed = current === "open" && Boolean(kept());
  // Money that is sent when the clock has run out comes too late, though the checkout is open until the chain was looked at.
  const payable = (current === "open" && !late()) || current === "processing";
  payBox.hidden = !(payable || busy || (current === "expired" || late()) && kept());
  const over = signed || current === "processing" || payBox.hidden;
  statusBox.textContent = signed ? words.signed : late() ? words.late : words[current];
  document.body.dataset.over = String(over);
};

const show = (next) => {
  const before = current;
  const kinds = next.payments.map(({ kind }) => kind).join(" ");
  const moved = kinds !== data.kinds || (next.status === "open" && next.missing !== data.missing);
  // Codes, links and what is said of the money are made anew when others' transfers came, went back or were lost.
  if (moved && !busy && !kept()) return location.reload();
  data.kinds = kinds;
  current = next.status;
  if (next.receipt) forget();
  statusBox.dataset.status = current;
  offer();
  if (current !== before) {
    document.title = data.titles[current];
    byId("time-name").textContent = data.times[current];
    const ended = current === "open" || current === "processing" ? undefined
      : next.timeline.find(({ status }) => status === current);
    time.dateTime = ended ? ended.at : data.terms.expiresAt;
    tick();
  }
  if (next.receipt) {
    transaction.hidden = false;
    transaction.querySelector("code").textContent = next.receipt.transaction;
    if (data.successUrl) byId("back").hidden = false;
    if (byId("out")) byId("out").hidden = true;
  }
};

const storage = (use) => { try { return use(localStorage); } catch { return null; } };
const keep = (payment) => storage((store) => store.setItem(key, payment));
const kept = () => storage((store) => store.getItem(key));
const forget = () => storage((store) => store.removeItem(key));

const refresh = async () => {
  const answer = await fetch(location.href, { headers: { accept: "application/json" }, cache: "no-store" });
  if (answer.ok) show(await answer.json());
};

const poll = async () => {
  try { await refresh(); } catch { /* the next poll tries again */ }
  // Money that was sent in the last second still counts, so an expired page goes on looking, more slowly.
  if (current !== "paid" && current !== "cancelled")
    setTimeout(poll, current === "expired" ? 15000 : document.hidden ? 10000 : 3000);
};`

/**
 * Script of the hosted page, without a build step. It polls the page's own address for the status, lets a browser
 * wallet sign, and hands the payment to verify as any x402 client would. A payment that was signed is kept in the browser until its outcome is certain, also over a reload, and sent again; a second one is never signed.
 * It says "nothing was charged" only where the service said so.
 */
export const checkoutScript = (network: Network): string =>
  `
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const statusBox = byId("status");
const payBox = byId("pay");
const transaction = byId("transaction");
const button = byId("wallet");
const hint = byId("hint");
const time = byId("time");
const words = data.words;
const key = "token-risk-checkout:" + data.terms.checkoutId;
let current = data.status;
let busy = false;

${VIEW}

const tick = () => {
  const left = Math.max(0, Date.parse(time.dateTime) - Date.now());
  const seconds = Math.floor(left / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0")).join(":");
  time.textContent = current === "open" && left > 0 ? "in " + clock : new Date(time.dateTime).toLocaleString();
  if (late()) sayStatus();
  if (current === "open") setTimeout(tick, 1000);
};

${network === SOLANA_NETWORK ? solanaScript : baseScript}

${walletScript}

sayStatus();
tick();
findWallets();
if (kept()) void settle(kept());
setTimeout(poll, current === "expired" ? 15000 : 3000);
`.trim()
