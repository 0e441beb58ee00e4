/** Most words a stack holds; one more ends the call like a revert. Source: the Yellow Paper, 9.1. */
const MOST_WORDS = 1024

/**
 * First and last opcode of a row, words taken from the stack and words put on it. Source: the Yellow Paper and its
 * EIPs.
 */
const ROWS: ReadonlyArray<readonly [number, number, number, number]> = [
  [0x00, 0x00, 0, 0],
  [0x01, 0x07, 2, 1],
  [0x08, 0x09, 3, 1],
  [0x0a, 0x0b, 2, 1],
  [0x10, 0x14, 2, 1],
  [0x15, 0x15, 1, 1],
  [0x16, 0x18, 2, 1],
  [0x19, 0x19, 1, 1],
  [0x1a, 0x1d, 2, 1],
  [0x1e, 0x1e, 1, 1],
  [0x20, 0x20, 2, 1],
  [0x30, 0x30, 0, 1],
  [0x31, 0x31, 1, 1],
  [0x32, 0x34, 0, 1],
  [0x35, 0x35, 1, 1],
  [0x36, 0x36, 0, 1],
  [0x37, 0x37, 3, 0],
  [0x38, 0x38, 0, 1],
  [0x39, 0x39, 3, 0],
  [0x3a, 0x3a, 0, 1],
  [0x3b, 0x3b, 1, 1],
  [0x3c, 0x3c, 4, 0],
  [0x3d, 0x3d, 0, 1],
  [0x3e, 0x3e, 3, 0],
  [0x3f, 0x40, 1, 1],
  [0x41, 0x48, 0, 1],
  [0x49, 0x49, 1, 1],
  [0x4a, 0x4a, 0, 1],
  [0x50, 0x50, 1, 0],
  [0x51, 0x51, 1, 1],
  [0x52, 0x53, 2, 0],
  [0x54, 0x54, 1, 1],
  [0x55, 0x55, 2, 0],
  [0x56, 0x56, 1, 0],
  [0x57, 0x57, 2, 0],
  [0x58, 0x5a, 0, 1],
  [0x5b, 0x5b, 0, 0],
  [0x5c, 0x5c, 1, 1],
  [0x5d, 0x5d, 2, 0],
  [0x5e, 0x5e, 3, 0],
  [0x5f, 0x7f, 0, 1],
  [0xa0, 0xa0, 2, 0],
  [0xa1, 0xa1, 3, 0],
  [0xa2, 0xa2, 4, 0],
  [0xa3, 0xa3, 5, 0],
  [0xa4, 0xa4, 6, 0],
  [0xf0, 0xf0, 3, 1],
  [0xf1, 0xf2, 7, 1],
  [0xf3, 0xf3, 2, 0],
  [0xf4, 0xf4, 6, 1],
  [0xf5, 0xf5, 4, 1],
  [0xfa, 0xfa, 6, 1],
  [0xfd, 0xfd, 2, 0],
  [0xfe, 0xfe, 0, 0],
  [0xff, 0xff, 1, 0]
]

const TAKES = new Int16Array(256).fill(-1)
const LEAVES = new Int16Array(256)
for (const [first, last, takes, leaves] of ROWS)
  for (let op = first; op <= last; op++) {
    TAKES[op] = takes
    LEAVES[op] = leaves
  }
// DUP1 to DUP16, SWAP1 to SWAP16.
for (let n = 1; n <= 16; n++) {
  TAKES[0x7f + n] = n
  LEAVES[0x7f + n] = n + 1
  TAKES[0x8f + n] = n + 1
  LEAVES[0x8f + n] = n + 1
}

/** What becomes of an instruction on a stack of so many words: `unknown` where the opcode is not assigned. */
export const stackAt = (op: number, words: number): "suffices" | "reverts" | "unknown" => {
  const takes = TAKES[op] ?? -1
  if (takes < 0) return "unknown"
  return words < takes || words - takes + (LEAVES[op] ?? 0) > MOST_WORDS ? "reverts" : "suffices"
}

/** How many words an instruction takes from the stack and puts there; `undefined` where the opcode is not assigned. */
export const stackChange = (op: number): { readonly takes: number; readonly leaves: number } | undefined => {
  const takes = TAKES[op] ?? -1
  return takes < 0 ? undefined : { takes, leaves: LEAVES[op] ?? 0 }
}

/** DUP and SWAP, of whatever the stack is made of; false where it is too short. */
export const duplicateOrSwap = <A>(stack: Array<A>, op: number): boolean => {
  const top = stack.length - 1
  const other = op <= 0x8f ? top - (op - 0x80) : top - (op - 0x8f)
  const [a, b] = [stack[top], stack[other]]
  if (a === undefined || b === undefined) return false
  if (op <= 0x8f) stack.push(b)
  else {
    stack[top] = b
    stack[other] = a
  }
  return true
}
