import { PERMIT2 as CONTRACT } from "../../../domain/base-contracts.ts"

/** Permit2 as a word of code. Some libraries trust it without an allowance. */
export const PERMIT2 = BigInt(CONTRACT)
