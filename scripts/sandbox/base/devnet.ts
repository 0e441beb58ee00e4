/** Tools to set up the Base chain: transactions from any account, code at any address. */
import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, Hex, PublicClient } from "viem"
import {
  RpcRequestError,
  concat,
  createPublicClient,
  createTestClient,
  custom,
  encodeFunctionData,
  numberToHex,
  publicActions,
  walletActions
} from "viem"
import { request as post } from "undici"

export interface Devnet {
  readonly client: PublicClient
  /** A raw JSON-RPC request. */
  readonly request: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>
  /** A transaction from any account without its key, mined on return. Rejects when it reverts. */
  readonly send: (from: Address, to: Address, data: Hex, value?: bigint, gas?: bigint) => Promise<Hex>
  /** `send` with ABI encoding. */
  readonly write: <
    const TAbi extends Abi,
    TName extends ContractFunctionName<TAbi, "nonpayable" | "payable">
  >(
    from: Address,
    to: Address,
    abi: TAbi,
    functionName: TName,
    args: ContractFunctionArgs<TAbi, "nonpayable" | "payable", TName> & ReadonlyArray<unknown>,
    value?: bigint,
    gas?: bigint
  ) => Promise<Hex>
  /** Runs creation code with ABI-encoded constructor arguments; the new contract's address. */
  readonly deploy: (from: Address, bytecode: Hex, constructorArguments?: Hex) => Promise<Address>
  readonly setCode: (address: Address, code: Hex) => Promise<void>
  readonly setStorage: (address: Address, slot: bigint, value: Hex) => Promise<void>
  /** Wei. */
  readonly setBalance: (address: Address, value: bigint) => Promise<void>
}

// Below the 16,777,216 a single transaction may use since EIP-7825.
const GAS = 15_000_000n

/**
 * The receipt, asked for until it is there. viem's own wait looks again only when a new block comes, which on a chain
 * that mines for transactions may be never.
 */
const receiptOf = async (client: Devnet["client"], hash: Hex) => {
  for (let tries = 0; tries < 2_000; tries++) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt !== undefined) return receipt
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.min(tries, 45)))
  }
  throw new Error(`transaction ${hash} was not mined`)
}

interface RpcResponse {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Asks by `request`: a third of what `fetch` costs, and a chain is set up by hundreds of requests. */
const askAt =
  (url: string) =>
  async (method: string, params: unknown): Promise<RpcResponse> => {
    const { body } = await post(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    })
    const answer: RpcResponse = JSON.parse(await body.text())
    return answer
  }

export const makeDevnet = (url: string): Devnet => {
  const ask = askAt(url)
  const transport = custom(
    {
      request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
        const { error, result } = await ask(method, params ?? [])
        if (error !== undefined) throw new RpcRequestError({ body: { method, params }, error, url })
        return result
      }
    },
    { retryCount: 0 }
  )
  const client = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 })
  const test = createTestClient({ mode: "anvil", transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const impersonated = new Set<Address>()
  const handedOver = new Map<Address, Promise<unknown>>()

  /** One after another for each sender: the node gives two that come together one nonce, and refuses the second. */
  const inTurn = <A>(from: Address, hand: () => Promise<A>): Promise<A> => {
    const next = (handedOver.get(from) ?? Promise.resolve()).then(hand)
    handedOver.set(
      from,
      next.catch(() => undefined)
    )
    return next
  }

  const transact = async (from: Address, to: Address | null, data: Hex, value: bigint, gas = GAS) => {
    if (!impersonated.has(from)) {
      await test.impersonateAccount({ address: from })
      impersonated.add(from)
    }
    const hash = await inTurn(from, () =>
      test.sendTransaction({ account: from, to, data, value, gas, chain: null })
    )
    const receipt = await receiptOf(client, hash)
    if (receipt.status !== "success") {
      await client.call({ account: from, ...(to === null ? {} : { to }), data, value, gas })
      throw new Error(`sandbox transaction to ${to ?? "a new contract"} reverted`)
    }
    return receipt
  }

  const send: Devnet["send"] = async (from, to, data, value = 0n, gas) =>
    (await transact(from, to, data, value, gas)).transactionHash

  return {
    client,
    request: async (method, params) => {
      const { error, result } = await ask(method, params)
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
      return result
    },
    send,
    write: (from, to, abi, functionName, args, value, gas) => {
      const call: { abi: Abi; functionName: string; args: ReadonlyArray<unknown> } = {
        abi,
        functionName,
        args
      }
      return send(from, to, encodeFunctionData(call), value, gas)
    },
    deploy: async (from, bytecode, constructorArguments = "0x") => {
      const { contractAddress } = await transact(from, null, concat([bytecode, constructorArguments]), 0n)
      if (contractAddress === null || contractAddress === undefined) throw new Error("nothing was deployed")
      return contractAddress
    },
    setCode: (address, bytecode) => test.setCode({ address, bytecode }),
    setStorage: (address, slot, value) =>
      test.setStorageAt({ address, index: numberToHex(slot, { size: 32 }), value }),
    setBalance: (address, value) => test.setBalance({ address, value })
  }
}
