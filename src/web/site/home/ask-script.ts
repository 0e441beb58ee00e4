/** How the script asks the service: a free call, its failures in words, the live status. */
export const askScript = `
const PATIENCE = 30000;
const clientId = () => {
  try {
    const kept = localStorage.getItem("token-risk-client") ?? crypto.randomUUID();
    localStorage.setItem("token-risk-client", kept);
    return kept;
  } catch { return crypto.randomUUID(); }
};
const say = (words, tone = "") => { at("note").textContent = words; at("note").dataset.tone = tone; };
const explain = (status, error, retryAfter) => {
  const wait = retryAfter ? " Try again in " + retryAfter + " seconds." : " Try again in a few seconds.";
  if (status === 402) return at("try").dataset.unpaid;
  if (status === 404) return "No pool of this token was found on this chain. Nothing can be said for it: treat it as unsafe.";
  if (status === 429) return "Too many requests from your address." + wait;
  if (status === 400) return "Please correct it. " + (error || "Look at chain and address.");
  return "The service cannot answer now, and says nothing rather than something unproven." + wait;
};
const attest = async (report) => {
  try {
    const keys = await (await fetch("/.well-known/jwks.json", { signal: AbortSignal.timeout(PATIENCE) })).json();
    return await verify(report, keys)
      ? ["✓ Attestation verified in this browser: digest, HMAC and Ed25519 signature hold.", "pass"]
      : ["✗ Attestation NOT VERIFIED.", "fail"];
  } catch {
    return ["? This browser could not verify the attestation (it may lack Ed25519). Treat it as unverified.", "unknown"];
  }
};
let shown = "";
const ask = async (chain, address) => {
  const answer = await fetch("/api/token-risk/v1/deep", { method: "POST", signal: AbortSignal.timeout(PATIENCE),
    headers: { "content-type": "application/json", "x-client-id": clientId() }, body: JSON.stringify({ chain, address }) });
  const text = await answer.text();
  if (!answer.ok) {
    let error = "";
    try { error = JSON.parse(text).error; } catch { /* not from the service itself */ }
    return say(explain(answer.status, error, answer.headers.get("retry-after")), "unknown");
  }
  const report = JSON.parse(text);
  const attested = await attest(report);
  shown = text;
  say("");
  show(report, attested);
};
at("try").addEventListener("submit", async (event) => {
  event.preventDefault();
  const chain = at("chain").value, address = at("address").value.trim();
  at("go").disabled = true;
  at("report").hidden = true;
  say("Reading the chain…");
  history.replaceState(null, "", "#" + chain + "/" + encodeURIComponent(address));
  try { await ask(chain, address); } catch (error) {
    say(error.name === "TimeoutError" ? "The service takes too long. Try again in a few seconds."
      : navigator.onLine ? "No connection to the service. Nothing was screened." : "You are offline. Nothing was screened.", "fail");
  }
  at("go").disabled = false;
});
const recognise = (text) => {
  if (text.startsWith("0x")) at("chain").value = "base";
  else if (text.length >= 32) at("chain").value = "solana";
};
at("address").addEventListener("input", () => recognise(at("address").value.trim()));
for (const example of document.querySelectorAll(".example")) example.addEventListener("click", () => {
  at("chain").value = example.dataset.chain;
  at("address").value = example.dataset.address;
  at("try").requestSubmit();
});
at("download").addEventListener("click", () => {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([shown], { type: "application/json" }));
  link.download = "report.json";
  link.click();
  URL.revokeObjectURL(link.href);
});
const status = async () => {
  const set = (words, tone) => { at("status").textContent = words; at("status").dataset.tone = tone; };
  try {
    const ready = (await fetch("/readyz", { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" })).ok;
    set(ready ? "● ready to answer" : "● not ready", ready ? "pass" : "unknown");
  } catch { set("● not reachable", "fail"); }
};
addEventListener("offline", () => void status());
addEventListener("online", () => void status());
setInterval(() => document.hidden || void status(), 30000);
void status();
// A link to a token fills in the form; asking is left to whoever opened it.
const [linkedChain, linked] = location.hash.slice(1).split("/");
if (linked && ["base", "solana"].includes(linkedChain)) {
  at("chain").value = linkedChain;
  try { at("address").value = decodeURIComponent(linked); } catch { /* no address */ }
}
`.trim()
