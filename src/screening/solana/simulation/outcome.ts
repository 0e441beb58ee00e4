import type { SolanaAccount, SolanaSimulation } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../addresses.ts"
import type { Leg, Trial } from "./trial.ts"

/** How a trial ended. */
export type Outcome =
  | { readonly kind: "passed"; readonly accounts: ReadonlyArray<SolanaAccount | null> }
  /** The node could not run it: that says nothing about the token. */
  | { readonly kind: "unrun"; readonly why: string }
  /** A program refused. `isOurs`: the instruction itself may be at fault, unless another trial shows that it works. */
  | { readonly kind: "refused"; readonly leg: Leg; readonly isOurs: boolean }

const unrun = (why: string): Outcome => ({ kind: "unrun", why })

/** Errors of a node that lacks a program; where a program that ran has failed, it is that program's failure instead. */
const ABSENT: ReadonlySet<string> = new Set([
  "UnsupportedProgramId",
  "ProgramAccountNotFound",
  "InvalidProgramForExecution",
  "AccountNotExecutable",
  "ProgramFailedToCompile",
  "ProgramEnvironmentSetupFailure",
  "ProgramCacheHitMaxLimit"
])

/** Errors of the runtime that a wrong list of accounts or wrong data can cause as well as a program's own refusal. */
const ABOUT_ACCOUNTS: ReadonlySet<string> = new Set([
  "InvalidArgument",
  "InvalidInstructionData",
  "InvalidAccountData",
  "AccountDataTooSmall",
  "IncorrectProgramId",
  "MissingRequiredSignature",
  "UninitializedAccount",
  "NotEnoughAccountKeys",
  "MissingAccount",
  "InvalidSeeds",
  "PrivilegeEscalation",
  "InvalidAccountOwner",
  "IllegalOwner",
  "AccountBorrowFailed",
  "ReadonlyLamportChange",
  "ReadonlyDataModified",
  "ExternalAccountDataModified"
])

/** Anchor's own errors about instructions, constraints and accounts; programs number theirs from 6000 on. */
const isAnchors = (code: string): boolean => {
  const custom = /^Custom([0-9]+)$/.exec(code)?.[1]
  const number = custom === undefined ? 0 : Number(custom)
  return number >= 100 && number < 6000
}

/** What a node writes where it has cut the logs: the cut part may have named whose failure it was. */
const CUT = "Log truncated"

/** The program that failed first, which is the innermost: those around it only pass its failure on. */
const failingProgram = (logs: ReadonlyArray<string>): string | null => {
  for (const line of logs) {
    const found = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed/.exec(line)?.[1]
    if (found !== undefined) return found
  }
  return null
}

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
/** Token programs: the account holds less than the instruction moves. */
const TOO_LITTLE = "Custom1"

const mayBeOurs = (leg: Leg, by: string, code: string, trial: Trial, index: number): boolean => {
  const isPools = trial.programs[index] === by
  if (TOKEN_PROGRAMS.has(by)) return leg === "buy" && code === TOO_LITTLE
  return isPools && (ABOUT_ACCOUNTS.has(code) || isAnchors(code))
}

/**
 * What a simulation says. A refusal is classified by where it came from: a node's own errors and absent programs say
 * nothing; a failure while we only moved our own funds is ours; an error about accounts by the program we called may be
 * ours; all else is the token's or the pool's, whatever error code it chose.
 */
export const outcomeOf = (trial: Trial, answer: Fact<SolanaSimulation>): Outcome => {
  if (!answer.known) return unrun(answer.why)
  const { accounts, failure, logs } = answer.value
  if (failure === null) return { kind: "passed", accounts }
  const { code, instruction } = failure
  const leg = instruction === null ? undefined : trial.legs[instruction]
  if (instruction === null || leg === undefined) return unrun("the node did not run the transaction")
  const failing = failingProgram(logs)
  const by = failing ?? trial.programs[instruction] ?? ""
  if (failing === null && !logs.includes(CUT) && ABSENT.has(code))
    return unrun("the node lacks a program of the trade")
  if (leg === "funds") {
    const isPlain = by === SYSTEM_PROGRAM || by === ATA_PROGRAM || TOKEN_PROGRAMS.has(by)
    return isPlain
      ? unrun("the account that pays for trials could not pay")
      : { kind: "refused", leg, isOurs: true }
  }
  return { kind: "refused", leg, isOurs: mayBeOurs(leg, by, code, trial, instruction) }
}
