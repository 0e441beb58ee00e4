import type { Expr } from "../evm/expression.ts"

/** Memory beyond this is nothing an ordinary function needs, in bytes. */
const MOST_MEMORY = 65_536n
const WORD_BYTES = 32n
/** What so much memory costs beside the instructions that use it. Source: the Yellow Paper, appendix H. */
export const MEMORY_GAS = 14_336

/** Stack items, from the top, that say where and how much memory an instruction uses. */
const MEMORY: Readonly<Record<number, ReadonlyArray<number>>> = {
  0x20: [0, 1],
  0x37: [0, 2],
  0x39: [0, 2],
  0x3c: [1, 3],
  0x3e: [0, 1, 2],
  0x51: [0],
  0x52: [0],
  0x53: [0],
  0x5e: [0, 1, 2],
  0xa0: [0, 1],
  0xa1: [0, 1],
  0xa2: [0, 1],
  0xa3: [0, 1],
  0xa4: [0, 1],
  0xf0: [1, 2],
  0xf1: [3, 4, 5, 6],
  0xf2: [3, 4, 5, 6],
  0xf3: [0, 1],
  0xf4: [2, 3, 4, 5],
  0xf5: [1, 2],
  0xfa: [2, 3, 4, 5]
}

/** A first look at an account, and a signer: none of the precompiled contracts that cost what their input says costs more. */
const LOOK = 5_600
/** The same with ether, for an account that was not there before. */
const PAYMENT = LOOK + 34_000

/** The most that single instructions cost, where it is more than a little. Source: the Yellow Paper, EIP-1153 and EIP-2929. */
const COST: Readonly<Record<number, number>> = {
  0x0a: 1_610,
  // CLZ ends a call like a revert where the chain does not have it yet (EIP-7939): no transfer may hang on that.
  0x1e: Number.POSITIVE_INFINITY,
  0x20: 30,
  0x31: 2_600,
  0x3b: 2_600,
  0x3c: 2_600,
  0x3f: 2_600,
  0x40: 20,
  0x54: 2_100,
  0x55: 22_100,
  0x5c: 100,
  0x5d: 100,
  0xa0: 375,
  0xa1: 750,
  0xa2: 1_125,
  0xa3: 1_500,
  0xa4: 1_875,
  0xf0: 32_000,
  0xf1: PAYMENT,
  0xf2: PAYMENT,
  0xf4: LOOK,
  0xf5: 32_000,
  0xfa: LOOK
}
const PLAIN = 10

/** What has to be left for instructions at least, where it is more than next to nothing. Source: EIP-2200, EIP-2929. */
const LEAST: Readonly<Record<number, number>> = {
  0x20: 30,
  0x54: 100,
  0x55: 2_301,
  0xa0: 375,
  0xa1: 750,
  0xa2: 1_125,
  0xa3: 1_500,
  0xa4: 1_875,
  0xf1: 100,
  0xfa: 100
}
const STOP = 0x00
const RETURN = 0xf3

/** What an instruction costs at least. */
export const leastGasOf = (op: number | undefined): number =>
  op === undefined || op === STOP || op === RETURN ? 0 : (LEAST[op] ?? 1)

/** A call may hand over all but this part of the gas that is left. Source: EIP-150. */
const KEPT_PART = 64

/** More than is left behind a call that was given less gas than it costs. */
export const leftBehind = (cost: number): number => Math.ceil(cost / (KEPT_PART - 1)) + 1

const PER_WORD = 256
/** Copying beyond what a call answered ends it: whether it does is no question of a branch. */
const RETURNDATACOPY = 0x3e

/**
 * What an instruction costs at most, without the code of others that it runs and but for memory's growth beyond its first 64 KB; infinite
 * where its place or length in memory is a number that is not known or is larger.
 */
export const gasOf = (op: number | undefined, stack: ReadonlyArray<Expr>): number => {
  if (op === undefined) return 0
  let gas = COST[op] ?? PLAIN
  for (const item of MEMORY[op] ?? []) {
    const word = stack.at(-1 - item)
    if (word === undefined) continue
    if (word.op !== "const" || word.value > MOST_MEMORY) return Number.POSITIVE_INFINITY
    if (op === RETURNDATACOPY && item > 0 && word.value > 0n) return Number.POSITIVE_INFINITY
    if (item > 0) gas += Number((word.value + WORD_BYTES - 1n) / WORD_BYTES) * PER_WORD
  }
  return gas
}
