import type { Address, Hex } from "viem"
import type { EntryForm } from "../entries.ts"
import type { Hole } from "./proof/hole.ts"

/** What the analysis of runtime code concluded about one power. */
export type Finding =
  /** `selectors`: the functions through which the power is used, 4 bytes hex each. */
  | { readonly state: "found"; readonly selectors: ReadonlyArray<string>; readonly note: string }
  /** `proven`: the rules alone did not come to this, and it holds as far as this part of the proof does. */
  | { readonly state: "not-found"; readonly proven?: "conservation" | "transferPath" }
  /** Budget used up, unresolved jump, code behind a proxy that was not given, … */
  | { readonly state: "undecided"; readonly why: string }

/** An EIP-712 domain that the code fixes. */
export interface FixedDomain {
  /** 32 bytes. */
  readonly hash: Hex
  /** The one address at which the code takes it, lower case; null where it does at any. */
  readonly at: Address | null
}

/**
 * What a privileged caller can do to holders, read from runtime code by bounded symbolic execution. Selector names
 * are not evidence. The three classes are those of CRPWarner.
 */
export interface CodeFindings {
  /** Someone privileged can create balance out of nothing. */
  readonly hiddenMint: Finding
  /** Someone privileged can stop holders from selling: blacklist, limits, trading switch, pause. */
  readonly limitingSell: Finding
  /**
   * Whoever holds a privilege can move tokens or ether out: other holders' balances (`balanceSeizure`), but also what the
   * contract itself holds, directly or at a price that somebody privileged sets. The class of CRPWarner.
   */
  readonly leakingToken: Finding
  /** The part of `leakingToken` that concerns holders: balances moved or destroyed without their allowance. */
  readonly balanceSeizure: Finding
  /** The parts of `limitingSell`, where they can be told apart. */
  readonly blacklist: Finding
  readonly pause: Finding
  /** A fee used in transfers that can be set without an upper bound. */
  readonly unboundedFee: Finding
  /** A privileged gate other than `owner()`: survives renouncing. */
  readonly hiddenOwner: Finding
  /** The code can be replaced or destroyed: delegatecall to a stored address, SELFDESTRUCT reachable. */
  readonly replaceableCode: Finding
  /** The transfer path reads ORIGIN, GASPRICE, COINBASE or the like: it can tell a simulation from a trade. */
  readonly environmentGate: Finding
  /** What was proven, beyond what was looked for and not found. */
  readonly proof: CodeProof
  /**
   * Storage slots (0x, 32 bytes) whose value gates the privileged functions: reading them as zero or dead on chain
   * proves that the power is gone. Empty where a gate is not a plain slot.
   */
  readonly gateSlots: ReadonlyArray<string>
  /** False where the code is no token at all: no rule can find anything, and nothing is proven. */
  readonly isToken: boolean
  readonly steps: number
}

/** The rules by name. */
export type RuleName = Exclude<keyof CodeFindings, "proof" | "gateSlots" | "isToken" | "steps">

/**
 * Every entry of a mapping, or of one of mappings. `keys`: what leads to them (0x, 32 bytes), the first one first; null for
 * any. `field`: how many words behind its beginning.
 */
export interface StoredTable {
  /** 0x, 32 bytes. */
  readonly slot: string
  readonly keys: readonly [null] | readonly [string | null, null]
  readonly field: number
}

/** Where balances and allowances stand; null where their places are worked out in no known way. */
export interface LedgerForm {
  readonly balances: EntryForm | null
  /** The bits of a word that are the balance: 0x, 32 bytes. */
  readonly mask: Hex
  readonly allowances: EntryForm | null
}

/** Where voting power stands. */
export interface VotesForm {
  /** Whom an account has named; null where its place is worked out in no known way. */
  readonly delegates: EntryForm | null
  /** Slots (0x, 32 bytes) of the tables in which each delegate's list stands, dates below votes. */
  readonly tables: ReadonlyArray<string>
  readonly dateBits: number
  readonly clock: "block" | "time"
}

/** One part of the proof. No hole: proven. */
export interface ProofPart {
  readonly holes: ReadonlyArray<Hole>
}

/**
 * What holds for a token whatever anybody does. `transferPath`: transfers, sales through a router and approvals depend
 * on nothing but the parties' own balances and allowances. `conservation`: no function creates, takes or ties up a
 * balance. Without the words of `settledBy` it is proven for every state of storage, with them for all that can follow.
 */
export interface CodeProof {
  readonly transferPath: ProofPart
  readonly conservation: ProofPart
  /**
   * Voting power on the way of transfers (ERC-5805), proven to follow balances if the contract was born with nobody's
   * delegate named and no list begun. `lists`: slots (0x, 32 bytes) of the tables and lists that hold it. `told`:
   * `delegates(account)` answers whom an account has named. Null where there is none, or nothing was proven of it. Where a
   * function could not be followed, which is a hole, it is what all others keep: enough to know what storage to read.
   */
  readonly votes:
    | (VotesForm & {
        readonly lists: ReadonlyArray<string>
        readonly told: boolean
        /** Storage was settled beside these lists, which were taken for short. */
        readonly settles: boolean
      })
    | null
  /**
   * EIP-712 domains that the code fixes and by which holders sign. The proof takes them for the token's own: a signature
   * for another contract would serve here.
   */
  readonly domains: ReadonlyArray<FixedDomain>
  /** Null where nothing is proven. */
  readonly ledger: LedgerForm | null
  /** It is proven that what the token's own contract holds stays there for good. */
  readonly keepsOwn: boolean
  /**
   * It is proven that nobody without a privilege is paid or called by the contract: nobody else can have a claim to what
   * somebody privileged takes out of it.
   */
  readonly owesNobody: boolean
  /** Accounts (0x, 20 bytes) whose code the ordinary functions ask, fixed in the code: what they answer could prove more. */
  readonly asks: ReadonlyArray<Address>
  /** Functions that stand open to fixed accounts alone, or to nobody, as far as a power or a hole was found in them. */
  readonly held: ReadonlyArray<{ readonly selector: string; readonly by: ReadonlyArray<Address> }>
  /** Slots (0x, 32 bytes) whose words could settle more. */
  readonly settledBy: ReadonlyArray<string>
  /** Tables that could settle more if the whole storage shows that they hold nothing. */
  readonly tables: ReadonlyArray<StoredTable>
  /** `hasRole` is proven to say of nobody that he has one, now and for good. */
  readonly hasNoRoles: boolean
  /** Something is open in functions that ask for the time or the block: dates that have passed could prove more. */
  readonly asksMoment: boolean
  /** The budget sufficed: a second look would find no more. */
  readonly whole: boolean
}

/** Storage slots whose values decide what the findings come to. */
export const slotsToRead = ({ gateSlots, proof }: CodeFindings): ReadonlyArray<string> => [
  ...new Set([...gateSlots, ...proof.settledBy])
]
