import { keccak256, stringToBytes } from "viem"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { type Facts, minus, negated, plus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { selectorOf } from "../../../../bytecode/dispatch.ts"
import { selectorsOf } from "../../../../bytecode/selector.ts"
import { answerOf } from "../../../../bytecode/evm/data.ts"
import { type Expr, WORD_MASK, isEnv } from "../../../../bytecode/evm/expression.ts"
import { type CallRecord, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { type Debit, allowanceReads, isUnlimited } from "./consent.ts"
import { type Frame, inOrder, netOf } from "./frame.ts"
import { type Roles, accountOf, allowanceRead, isContracts } from "./roles.ts"
import { tellsTruth } from "./told.ts"

/**
 * What a path creates before it calls others it takes back behind that call: whatever these do meanwhile conserves what
 * there is, and where the path does not come to its end, nothing of it has happened. Where a balance is a part of a word,
 * more than there is may meanwhile not fit into it.
 */
export const isTakenBack = (
  { ledger }: Roles,
  { ending }: Leaf,
  { stretches }: Frame,
  facts: Facts
): boolean => {
  const [first, ...rest] = stretches.map(netOf)
  if (ending !== "success" || first === undefined || rest.length === 0) return false
  if (ledger.mask !== WORD_MASK) return false
  return facts.atLeastZero(negated(rest.reduce((sum, net) => plus(sum, net), first)))
}

const [ON_FLASH_LOAN] = selectorsOf(["onFlashLoan(address,address,uint256,uint256,bytes)"])
const RETURNDATASIZE = 0x3dn
const WORD_BYTES = 32n

/** The branches say that the answer was a whole word: else what stood in memory before would be read for it. */
const isAnswered = ({ state }: Leaf, call: CallRecord): boolean => {
  const size = RETURNDATASIZE + (BigInt(call.pc) << 8n) + (BigInt(call.count) << 40n)
  return [...listed(state.conditions)].some(({ expr: { args, op }, holds }) => {
    const [a, b] = args
    const isLess = (op === "lt" || op === "slt") && b?.op === "const" && b.value === WORD_BYTES
    return !holds && isLess && a !== undefined && isEnv(a, size)
  })
}

/** ERC-3156's word for yes: contracts answer other words for other reasons. */
const YES = BigInt(keccak256(stringToBytes("ERC3156FlashBorrower.onFlashLoan")))

/** The call that lent the account something, which it answered with the one word that means yes. */
const loanTo = (roles: Roles, leaf: Leaf, account: Expr): CallRecord | undefined =>
  [...listed(leaf.state.calls)].find((call) => {
    const { selector, target } = call
    if (selector?.op !== "const" || selectorOf(selector.value) !== ON_FLASH_LOAN) return false
    if (accountOf(target) !== accountOf(account) || !tellsTruth(roles, leaf, call)) return false
    const answered = roles.arena.node("ret", [answerOf(roles.arena, call)])
    const isYes = [...listed(leaf.state.conditions)].some(({ expr, holds }) => {
      const [a, b] = expr.args
      return expr.op === "eq" && holds && a === answered && b?.op === "const" && b.value === YES
    })
    return isYes && isAnswered(leaf, call)
  })

/** What stands in a place just before a write, where no write since the last call may have hit it. */
const beforeWrite = (roles: Roles, leaf: Leaf, { id, key }: StorageWrite): Expr => {
  const last = inOrder(leaf.state.writes).findLast((write) => write.havoc === true && write.id < id)
  return roles.arena.node("sload", [key], BigInt(last?.id ?? 0))
}

/** The write takes something off what a borrower, who said yes, allows the token's own contract. */
export const isOwnAllowanceSpent = (
  roles: Roles,
  leaf: Leaf,
  facts: Facts,
  worth: Frame["worth"],
  write: StorageWrite
): boolean => {
  const [owner, spender] = entryOf(roles.arena, roles.allowances, write.key) ?? []
  if (owner === undefined || spender === undefined || !isContracts(spender)) return false
  if (loanTo(roles, leaf, owner) === undefined) return false
  const after = worth(write.value)
  const spent = minus(sumOf(beforeWrite(roles, leaf, write)), after)
  return facts.atLeastZero(after) && facts.atLeastZero(spent)
}

/** The account lets the token's own contract take without a limit. */
const allowsAll = (roles: Roles, leaf: Leaf, isOwner: (owner: Expr) => boolean): boolean =>
  [...allowanceReads(roles, leaf)].some((word) => {
    const read = allowanceRead(roles, word)
    return (
      read !== undefined &&
      isOwner(read.owner) &&
      isContracts(read.spender) &&
      isUnlimited(leaf.state.conditions, word)
    )
  })

/**
 * A borrower pays back: he has said yes when he was told, and had allowed the token's own contract at least what it takes,
 * which is no more than he was lent. A fee may be whatever the caller says, and borrowers trust their lender.
 */
export const isPaidBack = (
  roles: Roles,
  leaf: Leaf,
  frame: Frame,
  facts: Facts,
  { account, lost, party }: Debit
): boolean => {
  const amount = loanTo(roles, leaf, account)?.input[2]
  if (amount === undefined || !facts.atLeastZero(minus(sumOf(amount), lost))) return false
  const isOwner = (owner: Expr): boolean =>
    accountOf(owner) === accountOf(account) || party.accounts.includes(owner)
  if (allowsAll(roles, leaf, isOwner)) return true
  return inOrder(leaf.state.writes).some((write) => {
    const [owner] = write.havoc === true ? [] : (entryOf(roles.arena, roles.allowances, write.key) ?? [])
    if (owner === undefined || !isOwner(owner)) return false
    if (!isOwnAllowanceSpent(roles, leaf, facts, frame.worth, write)) return false
    const spent = minus(sumOf(beforeWrite(roles, leaf, write)), frame.worth(write.value))
    return facts.atLeastZero(minus(spent, lost))
  })
}
