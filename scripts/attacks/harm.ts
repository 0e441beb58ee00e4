/** Proves a trap's harm by real transactions, on a snapshot that is thrown away afterwards. */
import { parseAbi, parseEther } from "viem"
import * as abi from "../sandbox/base/abi.ts"
import * as at from "../sandbox/base/addresses.ts"
import type { Compiled } from "./compile.ts"
import type { Trap } from "./format.ts"
import { buyV4, etherInV4, sellV4 } from "./hooks.ts"
import type { ListedCase } from "./listed-case.ts"
import { addressOf, runSteps } from "./listed-case.ts"
import type { Stage } from "./stage.ts"
import { balanceOf, buy, people, sell } from "./stage.ts"

export type Harm =
  | { readonly harmed: true; readonly how: "sale reverts" | "sale pays less than half" | "pool is emptied" }
  | { readonly harmed: false; readonly detail: string }

const STAKE = parseEther("0.1")
const transferFrom = parseAbi(["function transferFrom(address from, address to, uint256 value)"])

/** Sells all the victim has, in the way that shows the trap; resolves to false where it reverts. */
const sale = async (stage: Stage, trap: Trap, listed: ListedCase): Promise<boolean> => {
  const { devnet } = stage
  const { token, pool } = listed
  const { victim } = people
  const held = await balanceOf(devnet, token, victim)
  const special = trap.saleThatShowsIt
  const attempt = async () => {
    if (special?.transferFromBy !== undefined) {
      const spender = addressOf(listed.names, special.transferFromBy)
      await devnet.setBalance(spender, STAKE)
      await devnet.write(victim, token, abi.erc20, "approve", [spender, held])
      await devnet.write(spender, token, transferFrom, "transferFrom", [victim, pool, held])
      return
    }
    if (listed.poolKind === "v4") return sellV4(stage, listed, victim, held)
    if (special?.pool !== undefined) return sell(stage, token, victim, held, { quote: at.USDC })
    await sell(stage, token, victim, held, special?.gas === undefined ? {} : { gas: BigInt(special.gas) })
  }
  return attempt().then(
    () => true,
    () => false
  )
}

const etherIn = (stage: Stage, { pool, poolKind }: ListedCase): Promise<bigint> =>
  poolKind === "v4" ? etherInV4(stage) : balanceOf(stage.devnet, at.WETH, pool)

const prove = async (
  stage: Stage,
  compiled: ReadonlyMap<string, Compiled>,
  trap: Trap,
  listed: ListedCase
): Promise<Harm> => {
  await (listed.poolKind === "v4"
    ? buyV4(stage, listed, people.victim, STAKE)
    : buy(stage, listed.token, people.victim, STAKE))
  const spent = await stage.devnet.client.getBalance({ address: people.victim })
  const before = await etherIn(stage, listed)
  await runSteps(stage, compiled, listed, trap.arm)
  if ((await etherIn(stage, listed)) * 2n < before) return { harmed: true, how: "pool is emptied" }
  const armed = await stage.devnet.client.getBalance({ address: people.victim })
  // Purchases among the arming steps are part of the stake.
  const stake = STAKE + (spent > armed ? spent - armed : 0n)
  if (!(await sale(stage, trap, listed))) return { harmed: true, how: "sale reverts" }
  const paid = (await stage.devnet.client.getBalance({ address: people.victim })) - armed
  return paid * 2n < stake
    ? { harmed: true, how: "sale pays less than half" }
    : { harmed: false, detail: `the sale paid ${paid} of ${stake} wei` }
}

/** The harm, or why it could not be shown. The chain is as before afterwards. */
export const proveHarm = async (
  stage: Stage,
  compiled: ReadonlyMap<string, Compiled>,
  trap: Trap,
  listed: ListedCase
): Promise<Harm> => {
  const snapshot = await stage.devnet.request("evm_snapshot", [])
  const harm = await prove(stage, compiled, trap, listed).catch((error: unknown): Harm => ({
    harmed: false,
    detail: String(error).slice(0, 200)
  }))
  await stage.devnet.request("evm_revert", [snapshot])
  return harm
}
