import type { Address, Hex } from "viem"
import { V4 } from "./factories.ts"

/** What a hook's own code says about whether its fee can change. */
export type HookCode = "fixed" | "changeable" | "unread"

/**
 * Opcodes that make a hook answer otherwise another time: storage, other contracts' answers, the time, the block, who
 * pays, foreign code. ORIGIN … EXTCODEHASH, BLOCKHASH … BASEFEE, SLOAD, TLOAD, CREATE, CALLCODE … and STATICCALL.
 */
const VARIABLE: ReadonlySet<number> = new Set([
  0x31, 0x32, 0x3a, 0x3c, 0x3f, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x54, 0x5c,
  0xf0, 0xf2, 0xf4, 0xf5, 0xfa, 0xff
])

/** Words of four bytes that a hook without choice holds: its callbacks, what it may ask of the PoolManager, errors. */
const SELECTORS: ReadonlySet<string> = new Set([
  "dc98354e", // beforeInitialize
  "6fe7e6eb", // afterInitialize
  "259982e5", // beforeAddLiquidity
  "9f063efc", // afterAddLiquidity
  "21d0ee70", // beforeRemoveLiquidity
  "6c2bbe7e", // afterRemoveLiquidity
  "575e24b4", // beforeSwap
  "b47b2fb1", // afterSwap
  "b6a8b0fa", // beforeDonate
  "e1b4af69", // afterDonate
  "0b0d9c09", // take(address,address,uint256)
  "156e29f6", // mint(address,uint256,uint256)
  "11da60b4", // settle()
  "a5841194", // sync(address)
  "c4e833ce", // getHookPermissions()
  "dc4c90d3", // poolManager()
  "ae18210a", // NotPoolManager()
  "0a85dc29", // HookNotImplemented()
  "08c379a0", // Error(string)
  "4e487b71", // Panic(uint256)
  "93dafdf1", // SafeCastOverflow()
  "ffffffff"
])

const DISPATCH = 0x14
/** Numbers of this size are accounts, or the mask that cuts one out of a word. */
const isAccountLike = (value: bigint): boolean => value >> 128n !== 0n && value < (1n << 160n) - 1n
/** Constants of so many bytes begin with a selector that was moved to the left. */
const SHIFTED = 29

const pushes = (code: Buffer) => {
  const found: Array<{ readonly value: string; readonly next: number }> = []
  const seen = new Set<number>()
  for (let at = 0; at < code.length; at++) {
    const op = code[at] ?? 0
    seen.add(op)
    if (op < 0x60 || op > 0x7f) continue
    const length = op - 0x5f
    found.push({
      value: code.subarray(at + 1, at + 1 + length).toString("hex"),
      next: code[at + 1 + length] ?? 0
    })
    at += length
  }
  return { found, seen }
}

/** Compilers append metadata after the code, its length in the last two bytes. */
const withoutMetadata = (code: Buffer): Buffer => {
  const length = code.length < 2 ? 0 : code.readUInt16BE(code.length - 2)
  return length > 0 && length + 2 < code.length ? code.subarray(0, code.length - 2 - length) : code
}

/**
 * Whether a hook can only ever do what it does now: its code reads no storage, no clock and no other contract, names no
 * account but the PoolManager, and calls nothing but that contract's accounting. What a hook without choice takes can
 * be measured by trading; whatever else it holds makes it changeable.
 */
export const hookCode = (code: Hex): HookCode => {
  if (code === "0x") return "unread"
  const { found, seen } = pushes(withoutMetadata(Buffer.from(code.slice(2), "hex")))
  if ([...seen].some((op) => VARIABLE.has(op))) return "changeable"
  const fixed = found.every(({ value, next }) => {
    if (value.length === 8) return next === DISPATCH || SELECTORS.has(value)
    if (value.length >= SHIFTED * 2 && /0{48}$/.test(value)) return SELECTORS.has(value.slice(0, 8))
    return !isAccountLike(BigInt(`0x${value}`)) || value.endsWith(V4.poolManager.slice(2))
  })
  return fixed ? "fixed" : "changeable"
}

export type HookCodes = ReadonlyMap<Address, HookCode>
