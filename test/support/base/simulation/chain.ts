import { Effect, Redacted } from "effect"
import type { Abi, Address, Hex } from "viem"
import {
  createTestClient,
  encodeFunctionData,
  getContractAddress,
  http,
  parseAbi,
  publicActions,
  walletActions
} from "viem"
import { base } from "viem/chains"
import { startAnvil } from "../../../../scripts/sandbox/base/anvil.ts"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import { compile, shipped } from "./compile.ts"

export const weth: Address = "0x4200000000000000000000000000000000000006"
const uniswapRouter: Address = "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24"
const ether = 10n ** 18n
/**
 * Given, not estimated: a V3 pool writes an observation only in a later second than its last one, so that an estimate
 * made within the same second is too small for a transaction that a busy machine mines a second later.
 */
const gas = 12_000_000n

/** What `TestToken` can do, in the order of its enum. */
const behaviours = [
  "Plain",
  "Tax",
  "SellReverts",
  "BuyKeepsAll",
  "TradingClosed",
  "TimeBomb",
  "OriginGate",
  "GasPriceGate",
  "MaxTransaction",
  "Blacklist",
  "RouterTrap",
  "NoContracts",
  "FullSellRefused",
  "ForgedResult",
  "ClosesLater",
  "ContractsOnly",
  "TaxInLaterHours",
  "CoinbaseGate",
  "BurnsGas"
] as const
export type Behaviour = (typeof behaviours)[number]

const connect = (url: string) =>
  createTestClient({ chain: base, mode: "anvil", transport: http(url, { timeout: 30_000 }) })
    .extend(publicActions)
    .extend(walletActions)
type Client = ReturnType<typeof connect>

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** A chain with WETH, Uniswap V2 and its router at their Base addresses, and an unlocked account with ether. */
export class TestChain {
  readonly rpc: BaseRpc
  readonly client: Client
  readonly url: string
  readonly account: Address
  readonly tokens = compile("Tokens.sol")
  private factory: Address = weth

  private constructor(rpc: BaseRpc, client: Client, url: string, account: Address) {
    this.rpc = rpc
    this.client = client
    this.url = url
    this.account = account
  }

  static readonly start = Effect.gen(function* () {
    const { url } = yield* startAnvil({ blockTime: null })
    const rpc = yield* makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "20 seconds", concurrency: 8 })
    return yield* Effect.promise(async () => {
      const client = connect(url)
      const [account] = await client.getAddresses()
      if (account === undefined) throw new Error("anvil has no account")
      const chain = new TestChain(rpc, client, url, account)
      await client.setBalance({ address: account, value: 1_000_000n * ether })
      await chain.installUniswapV2()
      return chain
    })
  })

  async deploy({ abi, bytecode }: Artifact, args: ReadonlyArray<unknown> = []): Promise<Address> {
    const nonce = await this.client.getTransactionCount({ address: this.account })
    const hash = await this.client.deployContract({ abi, bytecode, args: [...args], account: this.account })
    await this.mined(hash)
    return getContractAddress({ from: this.account, nonce: BigInt(nonce) })
  }

  async send(to: Address, signature: string, args: ReadonlyArray<unknown> = [], value = 0n): Promise<void> {
    const signatures: ReadonlyArray<string> = [`function ${signature}`]
    const abi: Abi = parseAbi(signatures)
    const data = encodeFunctionData({ abi, args: [...args] })
    const hash = await this.client.sendTransaction({ account: this.account, to, data, value, gas })
    if ((await this.mined(hash)) !== "success") throw new Error(`${signature} reverted`)
  }

  // Anvil mines each transaction at once, but answers to its sending before the receipt can be read.
  private async mined(hash: Hex): Promise<"success" | "reverted"> {
    for (let tries = 0; tries < 200; tries++) {
      const receipt = await this.client.getTransactionReceipt({ hash }).catch(() => undefined)
      if (receipt !== undefined) return receipt.status
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error("transaction was not mined")
  }

  /** Puts the code of a deployed contract at another address, immutables included. */
  async move(from: Address, to: Address): Promise<void> {
    await this.client.setCode({
      address: to,
      bytecode: (await this.client.getCode({ address: from })) ?? "0x"
    })
  }

  private async installUniswapV2(): Promise<void> {
    await this.move(await this.deploy(shipped("@uniswap/v2-periphery/build/WETH9.json")), weth)
    this.factory = await this.deploy(shipped("@uniswap/v2-core/build/UniswapV2Factory.json"), [this.account])
    const router = shipped("@uniswap/v2-periphery/build/UniswapV2Router02.json")
    await this.move(await this.deploy(router, [this.factory, weth]), uniswapRouter)
    await this.send(weth, "deposit()", [], 500_000n * ether)
  }

  token(behaviour: Behaviour, taxes: readonly [number, number, number] = [0, 0, 0]): Promise<Address> {
    return this.deploy(this.tokens("TestToken"), [behaviours.indexOf(behaviour), ...taxes])
  }

  /** A Uniswap V2 pool of the token against `quote` (WETH when absent) with the given reserves. */
  async v2Pool(
    token: Address,
    options: { quote?: Address; quoteReserve?: bigint; tokenReserve?: bigint } = {}
  ): Promise<Pool> {
    const { quote = weth, quoteReserve = 50n * ether, tokenReserve = 10n ** 26n } = options
    await this.send(this.factory, "createPair(address,address)", [token, quote])
    const address = await this.client.readContract({
      address: this.factory,
      abi: shipped("@uniswap/v2-core/build/UniswapV2Factory.json").abi,
      functionName: "getPair",
      args: [token, quote]
    })
    const pair = asAddress(address)
    await this.send(token, "transfer(address,uint256)", [pair, tokenReserve])
    await this.send(quote, "transfer(address,uint256)", [pair, quoteReserve])
    await this.send(pair, "mint(address)", [this.account])
    return {
      ...basePool,
      kind: "v2",
      dex: "uniswap-v2",
      address: pair,
      token,
      quote,
      quoteReserve,
      tokenReserve
    }
  }

  async tradedToken(behaviour: Behaviour, taxes?: readonly [number, number, number]): Promise<Pool> {
    const token = await this.token(behaviour, taxes)
    const pool = await this.v2Pool(token)
    await this.send(token, "setPool(address)", [pool.address])
    return pool
  }
}

export const basePool = { feePips: 3000, quoteUsd: 100_000, priceUsd: 1 }

export const asAddress = (value: unknown): Address => {
  if (typeof value !== "string" || !value.startsWith("0x")) throw new Error("not an address")
  return `0x${value.slice(2)}`
}
