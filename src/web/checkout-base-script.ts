/**
 * How the page finds wallets on Base and what they sign. Wallets announce themselves (EIP-6963), are found at
 * `window.ethereum`, or arrive late; they sign the EIP-3009 transfer as any x402 client would.
 */
export const baseScript = `
const SOON = 45;
const CONFIRM = "Please confirm in your wallet.";

const discover = () => {
  addEventListener("eip6963:announceProvider", ({ detail }) => {
    if (detail && detail.info && detail.provider) add(String(detail.info.uuid), detail.info.name, detail.provider);
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  const injected = () => { if (window.ethereum) add("injected", "Browser wallet", window.ethereum); };
  addEventListener("ethereum#initialized", injected);
  for (const wait of [0, 300, 1000, 3000]) setTimeout(injected, wait);
};

const BASE = { chainId: "0x2105", chainName: "Base", rpcUrls: ["https://mainnet.base.org"],
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, blockExplorerUrls: ["https://basescan.org"] };

const switchToBase = async (provider) => {
  if (await provider.request({ method: "eth_chainId" }) === BASE.chainId) return;
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: BASE.chainId }] });
  } catch (error) {
    if (Number(codeOf(error)) !== 4902) throw error;
    await provider.request({ method: "wallet_addEthereumChain", params: [BASE] });
  }
};

const random = () => "0x" + Array.from(crypto.getRandomValues(new Uint8Array(32)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

const sign = async (provider) => {
  const [from] = await provider.request({ method: "eth_requestAccounts" });
  await switchToBase(provider);
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
  const signature = await provider.request({ method: "eth_signTypedData_v4", params: [from, JSON.stringify(typed)] });
  return { signature, authorization };
};
`.trim()
