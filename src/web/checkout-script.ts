/**
 * Script of the hosted page, without a build step. It polls the page's own address for the status and, on Base, signs
 * the EIP-3009 transfer with the browser's wallet and hands it to verify as any x402 client would. A payment that was
 * signed is kept and sent again while its outcome is unknown: a second one is never signed.
 */
export const checkoutScript = `
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const statusBox = document.getElementById("status");
const payBox = document.getElementById("pay");
const transaction = document.getElementById("transaction");
const button = document.getElementById("wallet");
const hint = document.getElementById("hint");
const expiry = document.getElementById("expiry");
const words = data.words;
let current = data.status;

const show = (next) => {
  current = next.status;
  statusBox.dataset.status = current;
  statusBox.textContent = words[current];
  payBox.hidden = current !== "open" && current !== "processing";
  if (button) button.hidden = current !== "open";
  if (next.receipt) {
    transaction.hidden = false;
    transaction.querySelector("code").textContent = next.receipt.transaction;
  }
};

const isFinal = () => current === "paid" || current === "expired";

const poll = async () => {
  try {
    const answer = await fetch(location.href, { headers: { accept: "application/json" }, cache: "no-store" });
    if (answer.ok) show(await answer.json());
  } catch { /* the next poll tries again */ }
  if (!isFinal()) setTimeout(poll, document.hidden ? 10000 : 3000);
};

const tick = () => {
  const left = Math.max(0, Date.parse(data.terms.expiresAt) - Date.now());
  const seconds = Math.floor(left / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0")).join(":");
  expiry.textContent = current === "open" ? "in " + clock : new Date(data.terms.expiresAt).toLocaleString();
  if (!isFinal()) setTimeout(tick, 1000);
};

const random = () => "0x" + Array.from(crypto.getRandomValues(new Uint8Array(32)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (text) => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));

const sign = async (wallet) => {
  const [from] = await wallet.request({ method: "eth_requestAccounts" });
  await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId: "0x2105" }] });
  const now = Math.floor(Date.now() / 1000);
  const terms = data.requirements;
  const authorization = { from, to: terms.payTo, value: terms.amount, validAfter: "0",
    validBefore: String(now + terms.maxTimeoutSeconds), nonce: random() };
  const field = (name, type) => ({ name, type });
  const typed = {
    domain: { name: terms.extra.name, version: terms.extra.version, chainId: 8453, verifyingContract: terms.asset },
    primaryType: "TransferWithAuthorization",
    types: {
      EIP712Domain: [field("name", "string"), field("version", "string"), field("chainId", "uint256"),
        field("verifyingContract", "address")],
      TransferWithAuthorization: [field("from", "address"), field("to", "address"), field("value", "uint256"),
        field("validAfter", "uint256"), field("validBefore", "uint256"), field("nonce", "bytes32")]
    },
    message: authorization
  };
  const signature = await wallet.request({ method: "eth_signTypedData_v4", params: [from, JSON.stringify(typed)] });
  return base64(JSON.stringify({ x402Version: 2, resource: { url: data.terms.url }, accepted: terms,
    payload: { signature, authorization } }));
};

const send = async (payment) => {
  for (;;) {
    let answer;
    try {
      answer = await fetch(location.pathname.replace(/\\/$/, "") + "/verify", { method: "POST",
        headers: { "payment-signature": payment } });
    } catch { /* no reply is no answer: the same payment is sent again */ }
    if (answer && answer.status !== 503) return answer;
    hint.textContent = "Waiting for the chain. Please keep this page open.";
    await new Promise((done) => setTimeout(done, 3000));
  }
};

const payWithWallet = async () => {
  button.disabled = true;
  try {
    hint.textContent = "Please confirm in your wallet.";
    const answer = await send(await sign(window.ethereum));
    hint.textContent = answer.ok ? "" : "The payment was not accepted and nothing was charged.";
  } catch {
    hint.textContent = "The wallet did not sign. Nothing was charged.";
  }
  button.disabled = false;
  await poll();
};

if (button) {
  if (window.ethereum) button.addEventListener("click", payWithWallet);
  else { button.disabled = true; hint.textContent = "No browser wallet found. An x402 client can pay this address."; }
}
tick();
if (!isFinal()) setTimeout(poll, 3000);
`.trim()
