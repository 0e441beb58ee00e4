import { type Expr, isEnv } from "../evm/expression.ts"

/** A moment that has passed: whatever is called is called later. */
export interface Since {
  /** Unix seconds. */
  readonly time: bigint
  readonly block: bigint
}

const TIMESTAMP = 0x42n
const NUMBER = 0x43n

/** In forty bits there are more seconds than anybody will count. */
export const LATEST = (1n << 40n) - 1n

export const isMoment = (word: Expr): boolean => isEnv(word, TIMESTAMP) || isEnv(word, NUMBER)

/** The least that the time or the block will be. */
export const earliest = (word: Expr, { block, time }: Since): bigint =>
  isEnv(word, TIMESTAMP) ? time : block
