/** A local Base: anvil with USDC, Uniswap and tokens of every kind the service has to tell apart. */
import type { Scope } from "effect"
import { Effect } from "effect"
import type { Address } from "viem"
import { parseEther } from "viem"
import { evmAccount } from "../accounts.ts"
import * as abi from "./abi.ts"
import * as at from "./addresses.ts"
import type { AnvilOptions } from "./anvil.ts"
import { startAnvil } from "./anvil.ts"
import type { Devnet } from "./devnet.ts"
import { makeDevnet } from "./devnet.ts"
import { placeInfrastructure } from "./infrastructure.ts"
import type { PlacedToken } from "./tokens.ts"
import { placeToken, placeV3Token } from "./tokens.ts"

/** The people of the chain. `smartWalletOwner` signs for the contract wallet at `SMART_WALLET`. */
export const baseAccounts = {
  deployer: evmAccount("deployer"),
  payer: evmAccount("payer"),
  settler: evmAccount("settler"),
  merchant: evmAccount("merchant"),
  /** A second seller, for checkouts. */
  shop: evmAccount("shop"),
  smartWalletOwner: evmAccount("smart wallet owner"),
  /** Holds ether and no dollars. */
  trader: evmAccount("trader")
} as const

export interface BaseTokens {
  /** Renounced, LP burned. */
  readonly clean: PlacedToken
  /** Owner can mint, LP burned. */
  readonly mintable: PlacedToken
  /** 12 % sell fee which the owner can raise to 100 %. */
  readonly fee: PlacedToken
  /** Everyone can buy, nobody can sell. */
  readonly honeypot: PlacedToken
  /** Like clean, but the deployer holds the LP tokens. */
  readonly unlocked: PlacedToken
  /** Owner can stop single accounts. */
  readonly blacklist: PlacedToken
  /** Like clean, but its only pool is Uniswap V3. */
  readonly concentrated: PlacedToken
  /** A contract that trades nowhere. */
  readonly unlisted: PlacedToken
}

export interface BaseChain {
  readonly url: string
  /** Process id of anvil. */
  readonly pid: number
  readonly devnet: Devnet
  readonly accounts: typeof baseAccounts
  readonly tokens: BaseTokens
  /** Smallest units (6 decimals). */
  readonly usdcBalance: (account: Address) => Effect.Effect<bigint>
  readonly mintUsdc: (to: Address, amount: bigint) => Effect.Effect<void>
  readonly isAuthorizationUsed: (authorizer: Address, nonce: `0x${string}`) => Effect.Effect<boolean>
}

const placeTokens = async (devnet: Devnet): Promise<BaseTokens> => {
  const deployer = baseAccounts.deployer.address
  const place = (plan: Parameters<typeof placeToken>[2]) => placeToken(devnet, deployer, plan)
  return {
    clean: await place({
      contract: "CleanToken",
      name: "Clean",
      symbol: "CLEAN",
      ether: "60",
      renounce: true
    }),
    mintable: await place({ contract: "MintableToken", name: "Mintable", symbol: "MINT", ether: "40" }),
    fee: await place({ contract: "FeeToken", name: "Fee", symbol: "FEE", ether: "40", knowsPair: true }),
    honeypot: await place({
      contract: "HoneypotToken",
      name: "Honeypot",
      symbol: "HONEY",
      ether: "50",
      knowsPair: true
    }),
    unlocked: await place({
      contract: "CleanToken",
      name: "Unlocked",
      symbol: "OPEN",
      ether: "40",
      renounce: true,
      lpTo: deployer
    }),
    blacklist: await place({ contract: "BlacklistToken", name: "Blacklist", symbol: "BLACK", ether: "40" }),
    concentrated: await placeV3Token(devnet, deployer, {
      contract: "CleanToken",
      name: "Concentrated",
      symbol: "RANGE",
      ether: "60",
      renounce: true
    }),
    unlisted: await place({ contract: "CleanToken", name: "Unlisted", symbol: "NONE", renounce: true })
  }
}

const setUp = async (devnet: Devnet): Promise<BaseTokens> => {
  const { deployer, merchant, payer, settler, smartWalletOwner, trader } = baseAccounts
  await devnet.setBalance(deployer.address, parseEther("10000"))
  for (const { address } of [payer, settler, merchant, smartWalletOwner, trader]) {
    await devnet.setBalance(address, parseEther("100"))
  }
  await placeInfrastructure(devnet, deployer.address, smartWalletOwner.address)
  const tokens = await placeTokens(devnet)
  for (const account of [payer.address, at.SMART_WALLET]) {
    await devnet.write(deployer.address, at.USDC, abi.usdc, "mint", [account, 1_000n * 10n ** 6n])
  }
  return tokens
}

/** The first finished chain of this process, as anvil writes it: its blocks, logs and receipts, and the latest state. */
let finished: { readonly state: unknown; readonly tokens: BaseTokens } | undefined

export interface BaseOptions extends AnvilOptions {
  /** The state at every block since the first one, as a real node has it; without it, a second chain has it from its start on. */
  readonly wholePast?: boolean
}

/** A chain already set up is read in by one request, where making it anew takes three hundred. */
const setUpOnce = async (devnet: Devnet, wholePast: boolean): Promise<BaseTokens> => {
  if (finished !== undefined && !wholePast) {
    await devnet.request("anvil_loadState", [finished.state])
    // The clock stood still with the chain that was written. A chain that makes its blocks fast may be ahead of ours.
    const { timestamp } = await devnet.client.getBlock()
    await devnet.request("evm_setNextBlockTimestamp", [
      Math.max(Math.floor(Date.now() / 1_000), Number(timestamp) + 1)
    ])
    await devnet.request("evm_mine", [])
    return finished.tokens
  }
  const tokens = await setUp(devnet)
  finished = { state: await devnet.request("anvil_dumpState", []), tokens }
  return tokens
}

/** Starts the chain on a free port; everything is in place when it returns. Dies when it cannot start. */
export const startBaseChain = (options: BaseOptions = {}): Effect.Effect<BaseChain, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { pid, url } = yield* startAnvil(options)
    const devnet = makeDevnet(url)
    const tokens = yield* Effect.promise(() => setUpOnce(devnet, options.wholePast ?? false))
    return {
      url,
      pid,
      devnet,
      accounts: baseAccounts,
      tokens,
      usdcBalance: (account) =>
        Effect.promise(() =>
          devnet.client.readContract({
            address: at.USDC,
            abi: abi.usdc,
            functionName: "balanceOf",
            args: [account]
          })
        ),
      mintUsdc: (to, amount) =>
        Effect.promise(async () => {
          await devnet.write(baseAccounts.deployer.address, at.USDC, abi.usdc, "mint", [to, amount])
        }),
      isAuthorizationUsed: (authorizer, nonce) =>
        Effect.promise(() =>
          devnet.client.readContract({
            address: at.USDC,
            abi: abi.usdc,
            functionName: "authorizationState",
            args: [authorizer, nonce]
          })
        )
    }
  })
