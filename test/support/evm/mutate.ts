/** Code with a few instructions changed for others that take and leave as many words. */
import { bytesToHex, type Hex } from "viem"
import { bytesOfHex, decode, type Instruction } from "../../../src/bytecode/evm/code.ts"
import type { Dice } from "../../simulation/dice.ts"

/** Instructions that can stand for one another. */
const ALIKE: ReadonlyArray<readonly [number, ...ReadonlyArray<number>]> = [
  [0x01, 0x02, 0x03, 0x04, 0x06, 0x16, 0x17, 0x18, 0x05, 0x0b, 0x1a, 0x1b, 0x1c, 0x1d],
  [0x10, 0x11, 0x12, 0x13, 0x14, 0x03, 0x18],
  [0x15, 0x19, 0x5b, 0x51],
  [0x30, 0x33, 0x34, 0x42],
  [0x54, 0x51, 0x35, 0x5b],
  [0x52, 0x53]
]
const JUMPS: ReadonlySet<number | undefined> = new Set([0x56, 0x57])

const among = (dice: Dice, code: Uint8Array, { op, pc }: Instruction): number | undefined => {
  const least = op & 0xf0
  if (least === 0x80 || least === 0x90)
    return least + Math.min(15, Math.max(0, (op & 15) + (dice.hits(0.5) ? 1 : -1)))
  const group = code[pc] === op ? ALIKE.find((all) => all.includes(op)) : undefined
  return group === undefined ? undefined : dice.pick(group)
}

/** A number in the place of another, as long as that. */
const number = (dice: Dice, all: ReadonlyArray<bigint>, value: bigint, bytes: number): bigint => {
  const other = all[dice.between(0, all.length - 1)] ?? 0n
  const next = dice.pick([
    0n,
    1n,
    value + 1n,
    value - 1n,
    value << 1n,
    value >> 1n,
    other,
    (1n << BigInt(8 * bytes)) - 1n
  ])
  return BigInt.asUintN(8 * bytes, next)
}

/** The code with so many changes, or fewer where none that were tried fits. */
export const mutated = (dice: Dice, code: Hex, changes: number): Hex => {
  const bytes = bytesOfHex(code)
  const found = decode(bytes).at.filter((one) => one !== undefined)
  const numbers = found.flatMap(({ push }) => (push === undefined ? [] : [push]))
  const [first, ...rest] = found.map((one, index) => ({ one, next: found[index + 1]?.op }))
  if (first === undefined) return code
  for (let done = 0, tries = 0; done < changes && tries < 200; tries++) {
    const { next, one } = dice.pick([first, ...rest])
    if (one.push === undefined) {
      const op = among(dice, bytes, one)
      if (op === undefined || op === one.op) continue
      bytes[one.pc] = op
    } else {
      const length = one.next - one.pc - 1
      if (length === 0 || (JUMPS.has(next) && !dice.hits(0.03))) continue
      const value = number(dice, numbers, one.push, length)
      for (let at = 0; at < length; at++) bytes[one.next - 1 - at] = Number((value >> BigInt(8 * at)) & 255n)
    }
    done++
  }
  return bytesToHex(bytes)
}
