import { JAVASCRIPT_VERIFIER } from "../verifiers.ts"

/**
 * Script of the home page, without a build step. Everything the service says is set as text, never as markup, and the
 * report is verified with the verifier our own documentation publishes.
 */
export const homeScript = `
"use strict";
${JAVASCRIPT_VERIFIER}
const at = (id) => document.getElementById(id);
const item = (list, ...parts) => {
  const line = document.createElement("li");
  for (const [text, className, tone] of parts) {
    const part = document.createElement("span");
    part.textContent = text;
    if (className) part.className = className;
    if (tone) part.dataset.tone = tone;
    line.append(part, " ");
  }
  list.append(line);
};
const clientId = () => {
  try {
    const kept = localStorage.getItem("token-risk-client") ?? crypto.randomUUID();
    localStorage.setItem("token-risk-client", kept);
    return kept;
  } catch { return crypto.randomUUID(); }
};
const VERDICTS = {
  allow: ["Allow", "pass", "Every critical signal is known and good, as far as the evidence reaches."],
  caution: ["Caution: position size zero", "unknown", "Something that matters failed or could not be proven."],
  avoid: ["Avoid", "fail", "A rule fired that makes this token unfit to buy."]
};
const WORDS = { pass: "passed", fail: "FAILED", unknown: "unknown" };
const EXIT = /SELL|BUY|TRADE|TAX|FEE|HONEYPOT|HOLDER|CONCENTRATION|LP_|LIQUIDITY|EXIT|SIMULATION/;
const usd = (value) => value === null ? "unknown, or sources disagree"
  : value.toLocaleString("en-US", value >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 4 }) + " USD";
const fact = (name, value) => {
  const box = document.createElement("div"), dt = document.createElement("dt"), dd = document.createElement("dd");
  dt.textContent = name; dd.textContent = value; box.append(dt, dd); at("facts").append(box);
};
const signalItem = (list, one) => item(list, [WORDS[one.state] ?? one.state, "state", one.state],
  [one.source, "source"], [one.message], [one.points > 0 ? "+" + one.points + " points" : "", "soft"]);
const order = { fail: 0, unknown: 1, pass: 2 };
const show = (report) => {
  for (const id of ["reasons", "facts", "exit", "signals"]) at(id).replaceChildren();
  const [word, tone, meaning] = VERDICTS[report.verdict] ?? [report.verdict, "unknown", ""];
  at("verdict").textContent = word + " · " + report.score + " of 100";
  at("verdict").dataset.tone = tone;
  at("meaning").textContent = meaning + " Band: " + report.band + ".";
  at("needle").style.setProperty("left", Math.min(100, Math.max(0, report.score)) + "%");
  for (const reason of report.reasons) item(at("reasons"), [reason.message], ["+" + reason.points + " points", "soft"]);
  if (report.reasons.length === 0) item(at("reasons"), ["Nothing weighs against it in what could be read."]);
  fact("Price", usd(report.priceUsd));
  fact("Liquidity", usd(report.liquidityUsd));
  fact("Signals known", Math.round(report.coverage * 100) + " %");
  fact("Read", new Date(report.fetchedAt).toLocaleString() + (report.cacheHit ? ", from the cache" : ""));
  fact(report.chain === "base" ? "Block" : "Slot", String(report.evidence.block ?? report.evidence.slot ?? "unknown"));
  fact("Token", report.address);
  const signals = [...report.signals].sort((a, b) => order[a.state] - order[b.state] || b.points - a.points);
  for (const one of signals) signalItem(at(EXIT.test(one.id) ? "exit" : "signals"), one);
  if (at("exit").childElementCount === 0) item(at("exit"), ["Nothing about it could be read: unknown."]);
  at("report").hidden = false;
};
const attest = async (report) => {
  at("attestation").textContent = "verifying…";
  let words = ["NOT VERIFIED. Do not act on this report.", "fail"];
  try {
    const keys = await (await fetch("/.well-known/jwks.json")).json();
    if (await verify(report, keys))
      words = ["Verified in your browser: digest, HMAC and Ed25519 signature hold. Key " + report.attestation.keyId, "pass"];
  } catch { words = ["This browser could not verify it (it may lack Ed25519). Treat it as unverified.", "unknown"]; }
  at("attestation").textContent = words[0];
  at("attestation").dataset.tone = words[1];
};
const explain = (status, error) => {
  if (status === 402) return "Your free calls are used up, or none are left for today. An agent with USDC can go on.";
  if (status === 404) return "No pool of this token was found on that chain. Nothing can be said about it.";
  return error ? "The service says: " + error : "The service cannot answer now. Try again in a few seconds.";
};
at("try").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("go").disabled = true;
  at("report").hidden = true;
  at("note").textContent = "Reading the chain…";
  try {
    const answer = await fetch("/api/token-risk/v1/deep", { method: "POST",
      headers: { "content-type": "application/json", "x-client-id": clientId() },
      body: JSON.stringify({ chain: at("chain").value, address: at("address").value.trim() }) });
    const body = await answer.json().catch(() => ({}));
    at("note").textContent = answer.ok ? "" : explain(answer.status, body.error);
    if (answer.ok) { show(body); await attest(body); }
  } catch { at("note").textContent = "No connection to the service."; }
  at("go").disabled = false;
});
at("address").addEventListener("input", () => {
  const text = at("address").value.trim();
  if (text.startsWith("0x")) at("chain").value = "base";
  else if (text.length >= 32) at("chain").value = "solana";
});
fetch("/readyz").then((answer) => { at("status").textContent = answer.ok ? "ready to answer" : "not ready"; },
  () => { at("status").textContent = "not reachable"; });
`.trim()
