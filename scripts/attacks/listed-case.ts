/** One case of an attack set on the chain: deployed, listed, renounced, ready for the scan. */
import type { Address, Hex } from "viem"
import {
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  isAddress,
  keccak256,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseUnits
} from "viem"
import { code as probeCode } from "../../src/screening/base/simulation/probe.artifact.ts"
import { code as spenderCode } from "../../src/screening/base/simulation/spender.artifact.ts"
import * as abi from "../sandbox/base/abi.ts"
import type { Compiled } from "./compile.ts"
import { addPool } from "./add-pool.ts"
import type { V4Terms } from "./concentrated.ts"
import { DYNAMIC_FEE, STAGE_HOOKS } from "./concentrated.ts"
import { deployHook } from "./hooks.ts"
import type { AddPoolStep, Argument, CallStep, Control, Listing, PoolKind, Step, Trap } from "./format.ts"
import type { Stage } from "./stage.ts"
import { addV2, balanceOf, buy, people, sell, shareOf, wait } from "./stage.ts"

export type Case = Trap | Control

export interface ListedCase {
  readonly token: Address
  readonly pool: Address
  readonly poolKind: PoolKind
  /** Of a V4 pool. */
  readonly terms: V4Terms
  /** Addresses by the names the set uses, `$` included. */
  readonly names: ReadonlyMap<string, Address>
  /** Unix seconds of the token's birth. */
  readonly born: number
}

/** What a case is being built with; names are added as contracts are deployed. */
interface Scene {
  readonly stage: Stage
  readonly compiled: ReadonlyMap<string, Compiled>
  readonly names: Map<string, Address>
}

const contractOf = (compiled: Scene["compiled"], name: string): Compiled => {
  const found = compiled.get(name)
  if (found === undefined) throw new Error(`the sources hold no contract ${name}`)
  return found
}

export const addressOf = (names: ReadonlyMap<string, Address>, name: string): Address => {
  const found = names.get(name)
  if (found !== undefined) return found
  if (isAddress(name, { strict: false })) return name
  throw new Error(`nobody is called ${name}`)
}

const callDataOf = (text: string): Hex => {
  const [, signature = "", ...args] = text.split(":")
  const signatures: ReadonlyArray<string> = [`function ${signature}`]
  return encodeFunctionData({ abi: parseAbi(signatures), args: args.map((value) => BigInt(value)) })
}

const slotOf = (names: ReadonlyMap<string, Address>, text: string): Hex => {
  const [, account = "", slot = "0"] = text.split(":")
  const key = parseAbiParameters("address, uint256")
  return keccak256(encodeAbiParameters(key, [addressOf(names, account), BigInt(slot)]))
}

const scalarOf = async (scene: Scene, value: string | number | boolean): Promise<unknown> => {
  if (typeof value !== "string") return value
  if (value === "$poolTokens") {
    const [token, pool] = [addressOf(scene.names, "$token"), addressOf(scene.names, "$pool")]
    return (await balanceOf(scene.stage.devnet, token, pool)) - 1000n
  }
  if (value.startsWith("$")) return addressOf(scene.names, value)
  if (value.startsWith("slot:")) return slotOf(scene.names, value)
  if (value.startsWith("calldata:")) return callDataOf(value)
  if (value.startsWith("codehash of")) return keccak256(value.includes("spender") ? spenderCode : probeCode)
  return /^\d+$/.test(value) ? BigInt(value) : value
}

/** Arguments with every name resolved. Strings stay strings where the contract wants strings. */
const resolve = async (scene: Scene, args: ReadonlyArray<Argument>): Promise<ReadonlyArray<unknown>> =>
  Promise.all(
    args.map(async (value) =>
      typeof value === "object"
        ? Promise.all(value.map((item) => scalarOf(scene, item)))
        : scalarOf(scene, value)
    )
  )

const deploy = async (
  scene: Scene,
  name: string,
  args: ReadonlyArray<Argument>,
  flags?: number
): Promise<Address> => {
  const { abi: contract, bytecode } = contractOf(scene.compiled, name)
  const data = encodeDeployData({ abi: contract, bytecode, args: [...(await resolve(scene, args))] })
  return flags === undefined
    ? scene.stage.devnet.deploy(people.deployer, data)
    : deployHook(scene.stage, data, BigInt(flags))
}

/** The hook of a V4 pool and the fee in its key. */
const termsOf = ({ names }: Scene, { hook = "none", fee }: Pick<Listing, "hook" | "fee">): V4Terms => {
  const stageHook =
    hook === "none" || hook === "one-percent" || hook === "owner-fee"
      ? STAGE_HOOKS[hook]
      : { hooks: addressOf(names, hook), fee: STAGE_HOOKS.none.fee }
  return { ...stageHook, ...(fee === undefined ? {} : { fee: fee === "dynamic" ? DYNAMIC_FEE : fee }) }
}

const runCall = async (scene: Scene, step: CallStep): Promise<void> => {
  const signatures: ReadonlyArray<string> = [`function ${step.call}`]
  const data = encodeFunctionData({
    abi: parseAbi(signatures),
    args: [...(await resolve(scene, step.args ?? []))]
  })
  const [from, to] = [addressOf(scene.names, step.from), addressOf(scene.names, step.to)]
  await scene.stage.devnet.send(from, to, data, parseEther(String(step.ether ?? 0)))
}

const runAddPool = async (scene: Scene, step: AddPoolStep): Promise<void> => {
  const token = addressOf(scene.names, "$token")
  const supply = await scene.stage.devnet.client.readContract({
    address: token,
    abi: abi.erc20,
    functionName: "totalSupply"
  })
  const tokens = shareOf(supply, step.tokenShare)
  const ether = parseEther(String(step.ether ?? 0))
  const pool =
    step.quote === "USDC"
      ? await addV2(scene.stage, token, tokens, { usdc: parseUnits(String(step.usd ?? 0), 6) }, step.lp)
      : await addPool(scene.stage, step.addPool, token, {
          ...step,
          tokens,
          ether,
          terms: termsOf(scene, step)
        })
  if (step.as !== undefined) scene.names.set(step.as, pool)
}

/** `birth + 950 s (modulo one hour)`: the next such second. */
const waitUntil = async (scene: Scene, text: string, born: number): Promise<void> => {
  const match = /birth \+ (\d+) s \(modulo one hour\)/.exec(text)
  if (match === null) throw new Error(`do not know when "${text}" is`)
  const { timestamp } = await scene.stage.devnet.client.getBlock()
  const target = (born + Number(match[1])) % 3600
  // Five transactions follow at most, each a second later.
  await wait(scene.stage, ((target - (Number(timestamp) % 3600) + 3600) % 3600) + 1)
}

const stranger = (index: number): Address => `0x${(0x57a0000 + index).toString(16).padStart(40, "0")}`

const runStep = async (scene: Scene, step: Step, born: number): Promise<void> => {
  const { names, stage } = scene
  const token = addressOf(names, "$token")
  if ("call" in step) return runCall(scene, step)
  if ("addPool" in step) return runAddPool(scene, step)
  if ("wait" in step) return wait(stage, step.wait)
  if ("waitUntil" in step) return waitUntil(scene, step.waitUntil, born)
  if ("victimBuys" in step) return buy(stage, token, people.victim, parseEther(String(step.victimBuys)))
  if ("victimSells" in step) {
    const held = await balanceOf(stage.devnet, token, people.victim)
    return sell(stage, token, people.victim, shareOf(held, step.victimSells))
  }
  if ("sell" in step) {
    const by = addressOf(names, step.by)
    const amount = step.sell === "all" ? await balanceOf(stage.devnet, token, by) : BigInt(step.sell)
    return sell(stage, token, by, amount)
  }
  if ("selfTransfers" in step) {
    const by = addressOf(names, step.by)
    for (let count = 0; count < step.selfTransfers; count++) {
      const held = await balanceOf(stage.devnet, token, by)
      await stage.devnet.write(by, token, abi.erc20, "transfer", [by, held])
    }
    return
  }
  for (let index = 0; index < step.buysByStrangers; index++) {
    await stage.devnet.setBalance(stranger(index), parseEther("100"))
    await buy(stage, token, stranger(index), parseEther(String(step.ether)))
  }
}

/** Runs the steps that arm a trap. */
export const runSteps = async (
  stage: Stage,
  compiled: ReadonlyMap<string, Compiled>,
  listed: ListedCase,
  steps: ReadonlyArray<Step>
): Promise<void> => {
  const scene: Scene = { stage, compiled, names: new Map(listed.names) }
  for (const step of steps) await runStep(scene, step, listed.born)
}

const runBefore = async (scene: Scene, { before }: Case): Promise<ReadonlyArray<CallStep>> => {
  const later: Array<CallStep> = []
  for (const step of before) {
    if ("deploy" in step)
      scene.names.set(step.as, await deploy(scene, step.deploy, step.args ?? [], step.flags))
    else if ("code" in step) {
      const { deployedBytecode } = contractOf(scene.compiled, step.code)
      await scene.stage.devnet.setCode(addressOf(scene.names, step.at), deployedBytecode)
    } else if (step.afterDeploy === true) later.push(step)
    else await runCall(scene, step)
  }
  return later
}

/** Deploys and lists one case; strangers may buy before the scan. */
export const listCase = async (
  stage: Stage,
  compiled: ReadonlyMap<string, Compiled>,
  attack: Case,
  purchases: number
): Promise<ListedCase> => {
  const names = new Map<string, Address>(
    Object.entries(people).map(([name, address]) => [`$${name}`, address])
  )
  const scene: Scene = { stage, compiled, names }
  const { devnet } = stage
  const { listing } = attack
  const later = await runBefore(scene, attack)
  const token = await deploy(scene, attack.contract, attack.constructorArgs)
  names.set("$token", token)
  const born = Number((await devnet.client.getBlock()).timestamp)
  for (const step of later) await runCall(scene, step)
  const supply = await devnet.client.readContract({
    address: token,
    abi: abi.erc20,
    functionName: "totalSupply"
  })
  const [tokens, ether] = [shareOf(supply, listing.tokenShare), parseEther(String(listing.ether))]
  const terms = termsOf(scene, listing)
  const pool = await addPool(stage, listing.pool, token, { ...listing, tokens, ether, terms })
  names.set("$pool", pool)
  const { deployer } = people
  if (listing.setPair) await devnet.write(deployer, token, abi.sandboxToken, "setPair", [pool])
  for (const step of attack.after) await runStep(scene, step, born)
  if (listing.renounce) await devnet.write(deployer, token, abi.sandboxToken, "renounceOwnership", [])
  if (purchases > 0 && listing.pool === "v2") {
    await runStep(scene, { buysByStrangers: purchases, ether: 0.02 }, born)
  }
  return { token, pool, poolKind: listing.pool, terms, names, born }
}
