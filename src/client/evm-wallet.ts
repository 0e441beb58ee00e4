import { toHex } from "./base64.ts"
import type { PaymentRequirements } from "./types.ts"
import { BASE_NETWORK, USDC } from "./types.ts"
import type { Wallet } from "./wallet.ts"
import { walletOf } from "./wallet.ts"

/** EIP-155 chain id of Base mainnet. */
const BASE_CHAIN_ID = 8453

/** EIP-712 type of EIP-3009's `transferWithAuthorization`. */
const AUTHORIZATION = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" }
] as const

/** Anything that signs EIP-712 typed data: a viem account (local, or one that asks a wallet), or an adapter. */
export interface EvmSigner {
  readonly address: `0x${string}`
  signTypedData(typedData: {
    readonly domain: Record<string, unknown>
    readonly types: Record<string, unknown>
    readonly primaryType: string
    readonly message: Record<string, unknown>
  }): Promise<`0x${string}`>
}

const textOr = (value: unknown, other: string): string => (typeof value === "string" ? value : other)

const payload = async (signer: EvmSigner, chosen: PaymentRequirements) => {
  const authorization = {
    from: signer.address,
    to: chosen.payTo,
    value: chosen.amount,
    validAfter: "0",
    validBefore: String(Math.floor(Date.now() / 1_000) + chosen.maxTimeoutSeconds),
    nonce: `0x${toHex(crypto.getRandomValues(new Uint8Array(32)))}`
  }
  const signature = await signer.signTypedData({
    // Chain and contract are constants here: a server's word must not decide what a signature is good for.
    domain: {
      name: textOr(chosen.extra["name"], "USD Coin"),
      version: textOr(chosen.extra["version"], "2"),
      chainId: BASE_CHAIN_ID,
      verifyingContract: USDC[BASE_NETWORK]
    },
    types: { TransferWithAuthorization: AUTHORIZATION },
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: 0n,
      validBefore: BigInt(authorization.validBefore)
    }
  })
  return { signature, authorization }
}

/** Pays on Base with an EIP-3009 authorization: no gas and no transaction of the payer's own. */
export const evmWallet = (signer: EvmSigner): Wallet =>
  walletOf(BASE_NETWORK, (chosen) => payload(signer, chosen))
