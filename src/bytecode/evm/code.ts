/** One decoded instruction. `push` is the pushed constant of PUSH0–PUSH32. */
export interface Instruction {
  readonly pc: number
  readonly op: number
  readonly next: number
  readonly push: bigint | undefined
}

/** Runtime code decoded once: instructions by their program counter, data bytes excluded as far as PUSH reaches. */
export interface Program {
  readonly bytes: Uint8Array
  readonly at: ReadonlyArray<Instruction | undefined>
  readonly jumpDests: ReadonlySet<number>
  /** Program counters of loop conditions: the first JUMPI behind a loop's head that jumps past the jump back to that head. */
  readonly loopTests: ReadonlySet<number>
}

export const bytesOfHex = (hex: string): Uint8Array => {
  const digits = hex.startsWith("0x") || hex.startsWith("0X") ? hex.slice(2) : hex
  const bytes = new Uint8Array(digits.length >> 1)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/** Big-endian value of `length` bytes from `offset`; bytes past the end read as zero, as the EVM reads code. */
export const wordOf = (bytes: Uint8Array, offset: number, length: number): bigint => {
  let hex = ""
  for (let i = 0; i < length; i++) hex += (bytes[offset + i] ?? 0).toString(16).padStart(2, "0")
  return hex === "" ? 0n : BigInt(`0x${hex}`)
}

const OP_JUMP = 0x56
const OP_JUMPI = 0x57
const OP_JUMPDEST = 0x5b
const OP_PUSH0 = 0x5f
const OP_PUSH32 = 0x7f

/** Linear sweep, as the EVM itself finds valid jump destinations. */
export const decode = (bytes: Uint8Array): Program => {
  const at: Array<Instruction | undefined> = Array.from({ length: bytes.length })
  const jumpDests = new Set<number>()
  for (let pc = 0; pc < bytes.length;) {
    const op = bytes[pc] ?? 0
    const width = op >= OP_PUSH0 && op <= OP_PUSH32 ? op - OP_PUSH0 : 0
    const push = op >= OP_PUSH0 && op <= OP_PUSH32 ? wordOf(bytes, pc + 1, width) : undefined
    if (op === OP_JUMPDEST) jumpDests.add(pc)
    at[pc] = { pc, op, next: pc + 1 + width, push }
    pc += 1 + width
  }
  return { bytes, at, jumpDests, loopTests: loopTestsIn(at) }
}

const loopTestsIn = (at: ReadonlyArray<Instruction | undefined>): ReadonlySet<number> => {
  const instructions = at.filter((instruction) => instruction !== undefined)
  const lastBack = new Map<number, number>()
  instructions.forEach(({ op, pc }, index) => {
    const head = instructions[index - 1]?.push
    if ((op === OP_JUMP || op === OP_JUMPI) && head !== undefined && head < BigInt(pc))
      lastBack.set(Number(head), pc)
  })
  const tests = new Set<number>()
  let head: number | undefined
  instructions.forEach(({ op, pc }, index) => {
    if (op === OP_JUMPDEST) head = pc
    if (op !== OP_JUMPI || head === undefined) return
    const [back, over] = [lastBack.get(head), instructions[index - 1]?.push]
    if (back !== undefined && over !== undefined && pc < back && BigInt(back) < over) tests.add(pc)
    head = undefined
  })
  return tests
}
