/**
 * The part of the page's script that offers wallets, keeps what they signed and settles it. Each network brings its own
 * `discover` and `sign`, what it asks for (`CONFIRM`), and the seconds that what is signed stays good for at least (`SOON`):
 * a payment that may be sent within them is not signed anew. Without a wallet the page offers to open itself in a wallet's browser.
 */
export const walletScript = `
const wallets = new Map();
let chosen = null;

const offer = () => {
  const found = [...wallets.values()];
  chosen = chosen && found.includes(chosen) ? chosen : found[0] || null;
  // While a payment is being signed or settled, here or elsewhere, no other way to pay is offered.
  const underWay = busy || current === "processing" || Boolean(kept());
  const list = byId("wallets");
  list.replaceChildren(...(found.length < 2 || underWay ? [] : found).map((wallet) => {
    const choice = document.createElement("button");
    choice.type = "button";
    choice.className = "choice";
    choice.textContent = wallet.name;
    choice.setAttribute("aria-pressed", String(wallet === chosen));
    choice.addEventListener("click", () => { chosen = wallet; offer(); });
    return choice;
  }));
  sayStatus();
  button.disabled = busy;
  // A wallet here signs for the whole amount, so what is missing of it goes by the code.
  button.hidden = !chosen || underWay || data.missing !== data.terms.amount;
  button.textContent = "Pay with " + (chosen ? chosen.name : "wallet");
  byId("open-in").hidden = underWay;
  byId("open-in").dataset.wallet = button.hidden ? "none" : "found";
};

const say = (text, kind) => { hint.textContent = text; hint.dataset.kind = kind || ""; };

const add = (id, name, provider) => {
  if (![...wallets.values()].some((known) => known.provider === provider))
    wallets.set(id, { name: String(name).slice(0, 40), provider });
  offer();
};

const findWallets = () => {
  discover();
  button.addEventListener("click", () => void payWithWallet());
  offer();
};

const codeOf = (error) => {
  const inner = error && error.data && error.data.originalError;
  return (inner && inner.code) || (error && error.code) || 0;
};

const PROBLEMS = {
  4001: "You declined in the wallet. Nothing was signed.",
  4100: "The wallet did not give access to this account. Nothing was signed.",
  4200: "This wallet cannot sign this kind of payment. Nothing was signed.",
  4900: "The wallet is disconnected. Nothing was signed.",
  4901: "The wallet is not connected to Base. Nothing was signed.",
  4902: "The wallet does not know the Base network. Please add it and try again. Nothing was signed.",
  unbuilt: "The payment could not be prepared. Nothing was signed; please try again in a moment.",
  "-32002": "The wallet already has a request open. Please look there."
};

const base64 = (text) => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));

const verify = async (payment) => {
  try {
    return await fetch(location.pathname.replace(/\\/$/, "") + "/verify", { method: "POST",
      headers: { "payment-signature": payment } });
  } catch { return null; }
};

/**
 * These answers end a payment, where the service itself gave them, in the one form its errors have. Every other one leaves
 * it open: a proxy or a firewall knows nothing of the payment. A 409 has many reasons, and says itself whether anything was
 * charged.
 */
const REFUSED = {
  402: "The payment was refused and nothing was charged.",
  409: "This payment was not taken: ",
  410: "The checkout has expired; nothing was charged.",
  400: "The payment was not understood; nothing was charged."
};

const REASONS = {
  insufficient_funds: " The account does not hold enough USDC on Base.",
  invalid_exact_evm_insufficient_balance: " The account does not hold enough USDC on Base.",
  invalid_exact_evm_signature: " The wallet's signature was not valid.",
  invalid_exact_svm_transaction_simulation_failed: " The account does not hold enough USDC, or it was confirmed too late.",
  invalid_exact_svm_blockhash_expired: " It was confirmed too late: please pay again, and confirm within half a minute."
};

const refusalIn = async (answer) => {
  if (!answer || !REFUSED[answer.status]) return null;
  try {
    const body = await answer.json();
    const own = typeof body.error === "string" && /^application\\/json\\b/.test(answer.headers.get("content-type")) &&
      (answer.status !== 402 || JSON.parse(atob(answer.headers.get("payment-response"))).success === false);
    const reason = answer.status === 409 ? body.error + "." : REASONS[(body.preview || {}).reason] || "";
    return own ? REFUSED[answer.status] + reason : null;
  } catch { return null; }
};

/**
 * Seconds until a payment may be tried again that the service certainly did not send: it says so by the header of its
 * own protocol. A 429 without it may come from anything on the way, and tells nothing of the payment.
 */
const unsentFor = (answer) => {
  if (!answer || answer.status !== 429) return 0;
  try {
    const { errorReason, success } = JSON.parse(atob(answer.headers.get("payment-response")));
    return success === false && errorReason === "checkout_limited"
      ? Math.max(1, Number(answer.headers.get("retry-after")) || 60) : 0;
  } catch { return 0; }
};

const NOT_SENT = "Your payment was not sent and nothing was charged: too many payments are made here just now. ";
const later = (seconds) =>
  new Date(Date.now() + seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

const settle = async (payment) => {
  busy = true;
  offer();
  for (;;) {
    const answer = await verify(payment);
    if (answer && answer.ok) { say("", ""); break; }
    const refusal = await refusalIn(answer);
    if (refusal !== null) {
      say(refusal, "refused");
      forget();
      break;
    }
    const wait = unsentFor(answer);
    if (wait > SOON) {
      say(NOT_SENT + (Date.now() + wait * 1000 < Date.parse(data.terms.expiresAt)
        ? "Please try again after " + later(wait) + "."
        : "This checkout ends before that is over. Please ask the merchant."), "refused");
      forget();
      break;
    }
    if (wait > 0) say(NOT_SENT + "It is tried again at " + later(wait) + "; please keep this page open.", "waiting");
    else say("Your payment is signed and its outcome is not known yet. Please keep this page open, and do not pay again.", "waiting");
    await pause(wait || 3);
  }
  busy = false;
  try { await refresh(); } catch { /* the poll tries again */ }
  offer();
};

const payWithWallet = async () => {
  if (busy || !chosen) return;
  if (kept()) return settle(kept());
  busy = true;
  offer();
  say(CONFIRM, "waiting");
  let payment;
  try {
    const payload = await sign(chosen.provider);
    payment = base64(JSON.stringify({ x402Version: 2, resource: { url: data.terms.url },
      accepted: data.requirements, payload }));
  } catch (error) {
    busy = false;
    say(PROBLEMS[codeOf(error)] || "The wallet did not sign. Nothing was sent.", "wallet");
    offer();
    // It was hidden meanwhile, and what is hidden loses the focus: a keyboard would begin again at the page's top.
    return button.focus();
  }
  keep(payment);
  await settle(payment);
};
`.trim()
