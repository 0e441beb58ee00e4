/**
 * How the page finds wallets on Solana and what they sign. Wallets register by the Wallet Standard, before the page or
 * after it; the service builds the transaction, because a page has no chain of its own, and pays the network's fee.
 * Source: wallet-standard `register-wallet` and `app-ready`, feature `solana:signTransaction`.
 */
export const solanaScript = `
const SOON = 10;
const CONFIRM = "Please confirm in your wallet within half a minute.";

const discover = () => {
  const register = (...found) => {
    for (const wallet of found) {
      const features = (wallet && wallet.features) || {};
      if (features["standard:connect"] && features["solana:signTransaction"]) add(wallet.name, wallet.name, wallet);
    }
    return () => {};
  };
  addEventListener("wallet-standard:register-wallet", ({ detail }) => {
    if (typeof detail === "function") detail({ register });
  });
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
};

const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const textOf = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

const sign = async (wallet) => {
  const { accounts } = await wallet.features["standard:connect"].connect();
  const account = accounts.find(({ chains }) => chains.includes("solana:mainnet")) || accounts[0];
  if (!account) throw { code: 4100 };
  const answer = await fetch(location.pathname.replace(/\\/$/, "") + "/transaction", { method: "POST",
    headers: { "content-type": "application/json" }, body: JSON.stringify({ account: account.address }) });
  if (!answer.ok) throw { code: "unbuilt" };
  const transaction = bytesOf((await answer.json()).transaction);
  const [signed] = await wallet.features["solana:signTransaction"]
    .signTransaction({ account, transaction, chain: "solana:mainnet" });
  return { transaction: textOf(signed.signedTransaction) };
};
`.trim()
