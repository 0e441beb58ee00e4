/** A node that answers simulations of trades as an honest pool's programs would, or refuses them as it is told. */
import type { SolanaAccount, SolanaSimulation } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { decodeMessage } from "../../../src/payment/verifier/svm/message.ts"
import * as at from "../../../src/screening/solana/addresses.ts"

/** The slot these nodes have reached: their chain is old. */
export const NOW_SLOT = 400_000_000n
/** Unix seconds on their chain's clock. */
export const NOW_SECONDS = 1_790_000_000n

/** Whom a program refuses, at what, and how it says so. */
export interface Refusal {
  readonly leg: "account" | "buy" | "transfer" | "sell"
  readonly whom: "fresh" | "holders" | "all"
  /** The program that fails; the one that was called where absent. */
  readonly by?: string
  readonly error: string | { readonly Custom: number }
  /** Only what names this account; absent: whatever it names. */
  readonly naming?: SolanaAddress
  /** Nodes may cut or leave out logs. */
  readonly silent?: boolean
}

export interface Behaviour {
  /** What a round trip costs, in parts of one. */
  readonly loss?: number
  readonly refusal?: Refusal
}

interface Step {
  readonly program: string
  readonly accounts: ReadonlyArray<string>
  readonly data: Uint8Array
}

const SIGNATURE_BYTES = 64

/** Read as payments are, which is proven equal to @solana/kit: that spells addresses slowly, and a screening has many trials. */
const stepsOf = (wire: string): ReadonlyArray<Step> => {
  const bytes = Buffer.from(wire, "base64")
  const message = decodeMessage(bytes.subarray(1 + SIGNATURE_BYTES * (bytes[0] ?? 0)))
  if (message === undefined) throw new Error("no transaction")
  const key = (index: number): string => message.staticAccounts[index] ?? ""
  return message.instructions.map(({ accountIndices, data, programAddressIndex }) => ({
    program: key(programAddressIndex),
    accounts: accountIndices.map(key),
    data: Uint8Array.from(data)
  }))
}

const u64 = (data: Uint8Array, offset: number): bigint =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true)

/** What the purse was given before the trade: SOL, or a transfer of the quote. */
const givenTo = (purse: string, steps: ReadonlyArray<Step>): bigint =>
  steps.reduce((sum, { accounts, data, program }) => {
    if (accounts[1] !== purse) return sum
    if (program === at.SYSTEM_PROGRAM && data[0] === 2) return sum + u64(data, 4)
    return data[0] === 3 && data.length === 9 ? sum + u64(data, 1) : sum
  }, 0n)

const isTrade = ({ program }: Step): boolean => at.POOL_PROGRAMS.has(program)

const legAt = (steps: ReadonlyArray<Step>, index: number, isFresh: boolean): Refusal["leg"] | null => {
  const step = steps[index]
  if (step === undefined) return null
  if (step.program === at.ATA_PROGRAM) return "account"
  if (!isTrade(step)) return step.data[0] === 12 ? "transfer" : null
  return isFresh && steps.findIndex(isTrade) === index ? "buy" : "sell"
}

const codeOf = (error: Refusal["error"]): string =>
  typeof error === "string" ? error : `Custom${error.Custom}`

const tokenAccount = (amount: bigint): SolanaAccount => {
  const data = new Uint8Array(165)
  new DataView(data.buffer).setBigUint64(64, amount, true)
  data[108] = 1
  return { owner: at.TOKEN_PROGRAM, data, lamports: 2_039_280n, space: 165 }
}

/** Answers one simulation. `watch`: the purse, the tokens, and what else is asked for. */
export const simulated = (
  wire: string,
  watch: ReadonlyArray<SolanaAddress>,
  { loss = 0.025, refusal }: Behaviour
): SolanaSimulation => {
  const steps = stepsOf(wire)
  const [purse] = watch
  const given = purse === undefined ? 0n : givenTo(purse, steps)
  const isFresh = given > 0n
  const refused =
    refusal === undefined || (refusal.whom !== "all" && (refusal.whom === "fresh") !== isFresh)
      ? -1
      : steps.findIndex(
          ({ accounts }, index) =>
            legAt(steps, index, isFresh) === refusal.leg &&
            (refusal.naming === undefined || accounts.includes(refusal.naming))
        )
  if (refusal !== undefined && refused >= 0) {
    const called = steps[refused]?.program ?? ""
    const by = refusal.by ?? called
    const logs = [
      `Program ${called} invoke [1]`,
      `Program ${by} failed: refused`,
      `Program ${called} failed: refused`
    ]
    return {
      slot: NOW_SLOT,
      failure: { instruction: refused, code: codeOf(refusal.error) },
      logs: refusal.silent === true ? [] : logs,
      accounts: []
    }
  }
  const trades = steps.filter(isTrade).length
  const spent = given / 8n
  const left = trades === 2 ? given - BigInt(Math.round(Number(spent) * loss)) : given - spent
  const isWrapped = steps.some(({ accounts, data }) => accounts[0] === purse && data[0] === 17)
  const isNative =
    !isWrapped &&
    steps.some(({ accounts, program }) => program === at.SYSTEM_PROGRAM && accounts[1] === purse)
  const account = isNative
    ? { owner: at.SYSTEM_PROGRAM, data: new Uint8Array(), lamports: left, space: 0 }
    : tokenAccount(left)
  const accounts = watch.map((_, index): SolanaAccount | null => {
    if (index === 0) return account
    return index === 1 ? tokenAccount(0n) : null
  })
  return { slot: NOW_SLOT, failure: null, logs: [], accounts }
}
