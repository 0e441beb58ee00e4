import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { keccak256 } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { isNobody, lower } from "../addresses.ts"
import type { Holder } from "../reads/accounts.ts"
import { SINGLETON_SLOT, UNIDENTIFIED, askAccount, classify } from "../reads/accounts.ts"
import type { Query } from "../reads/query.ts"
import { both, list, mapQuery } from "../reads/query.ts"
import { SPENDERS } from "../simulation/spenders.ts"
import type { B20Evidence, PolicyEvidence } from "./evidence.ts"
import type { B20Role } from "./interface.ts"
import {
  B20_ROLES,
  SEIZE_SCOPES,
  TRANSFER_SCOPES,
  basePolicy,
  hasRole,
  isAuthorized,
  isComposite,
  pendingPolicyAdmin,
  policyAdmin,
  policyChildren,
  policyId,
  roleAdmin,
  roleNames,
  supplyCap,
  transfersPaused
} from "./interface.ts"
import { readGrants } from "./logs.ts"

export interface B20Input {
  readonly token: Address
  readonly blockNumber: bigint
  /** Seconds since the first pool; null where nobody knows. */
  readonly age: bigint | null
  readonly pools: ReadonlyArray<Address>
}

/** Accounts asked about their roles at most; a token with more has an organisation behind it that we do not unravel. */
const MAX_ACCOUNTS = 24

interface Scopes {
  readonly cap: bigint | undefined
  readonly paused: boolean | undefined
  readonly transfer: ReadonlyArray<bigint | undefined>
  readonly seizure: ReadonlyArray<bigint | undefined>
  readonly admins: ReadonlyArray<Hex | undefined>
}

const readScopes = (token: Address): Query<Scopes> =>
  mapQuery(
    both(
      both(supplyCap(token), transfersPaused(token)),
      both(
        both(
          list(Object.values(TRANSFER_SCOPES).map((scope) => policyId(token, scope))),
          list(SEIZE_SCOPES.map((scope) => policyId(token, scope)))
        ),
        list(roleNames.map((role) => roleAdmin(token, B20_ROLES[role])))
      )
    ),
    ([[cap, paused], [[transfer, seizure], admins]]) => ({ cap, paused, transfer, seizure, admins })
  )

/** Two accounts that nobody can have put on a list before this report. */
const strangersOf = ({ token, blockNumber }: B20Input): ReadonlyArray<Address> =>
  ["a", "b"].map((name) =>
    lower(
      `0x${keccak256(`0x${token.slice(2)}${blockNumber.toString(16).padStart(16, "0")}0${name}`).slice(-40)}`
    )
  )

interface PolicyAnswers {
  readonly admin: Address | undefined
  readonly pending: Address | undefined
  readonly children: ReadonlyArray<bigint> | undefined
  readonly allowed: ReadonlyArray<boolean | undefined>
}

const readPolicy = (policy: bigint, traders: ReadonlyArray<Address>): Query<PolicyAnswers> =>
  mapQuery(
    both(
      both(policyAdmin(policy), pendingPolicyAdmin(policy)),
      both(policyChildren(policy), list(traders.map((trader) => isAuthorized(policy, trader))))
    ),
    ([[admin, pending], [children, allowed]]) => ({ admin, pending, children, allowed })
  )

const somebody = (accounts: ReadonlyArray<Address | undefined>): ReadonlyArray<Address> =>
  accounts.filter((account) => account !== undefined && !isNobody(account)).filter((a) => a !== undefined)

/** Who may change a policy, children included; `undefined` where that could not be read. */
const changersOf = (
  policy: bigint,
  answers: ReadonlyMap<bigint, PolicyAnswers>
): ReadonlyArray<Address> | undefined => {
  const own = answers.get(policy)
  if (own?.admin === undefined || own.pending === undefined) return undefined
  const named = somebody([own.admin, own.pending])
  if (!isComposite(policy)) return named
  if (own.children === undefined) return undefined
  const below = own.children.map((child) => answers.get(basePolicy(child)))
  return below.every((child) => child?.admin !== undefined && child.pending !== undefined)
    ? [...named, ...somebody(below.flatMap((child) => [child?.admin, child?.pending]))]
    : undefined
}

const allowsTrade = (answers: PolicyAnswers | undefined): Fact<boolean> => {
  const allowed = answers?.allowed ?? []
  if (allowed.includes(false)) return known(false)
  return allowed.length > 0 && allowed.every((one) => one === true)
    ? known(true)
    : missing("a policy did not say whom it allows")
}

type Identify = (account: Address) => Holder

const policyEvidence = (
  { transfer, seizure }: Scopes,
  answers: ReadonlyMap<bigint, PolicyAnswers>,
  identify: Identify
): Fact<ReadonlyArray<PolicyEvidence>> => {
  const of = (gates: PolicyEvidence["gates"], ids: ReadonlyArray<bigint | undefined>) =>
    ids.flatMap((id): ReadonlyArray<PolicyEvidence> => {
      if (id === undefined || id === 0n) return []
      const changers = changersOf(id, answers)
      return [
        {
          gates,
          changers:
            changers === undefined
              ? missing("who may change a policy could not be read")
              : known(changers.map(identify)),
          allowsTrade: allowsTrade(answers.get(id))
        }
      ]
    })
  // Scopes of seizure came with later versions of the chain: one that a token does not know cannot be in force.
  return transfer.every((id) => id !== undefined)
    ? known([...of("transfer", transfer), ...of("seizure", seizure)])
    : missing("the token did not name its policies")
}

const inForce = ({ transfer, seizure }: Scopes): ReadonlyArray<bigint> => [
  ...new Set([...transfer, ...seizure].filter((id) => id !== undefined && id !== 0n).map((id) => id ?? 0n))
]

/** Policies that composite ones combine, with their administrators. */
const readChildren = (rpc: BaseRpc, answers: ReadonlyMap<bigint, PolicyAnswers>, blockNumber: bigint) =>
  Effect.gen(function* () {
    const children = [
      ...new Set([...answers.values()].flatMap((one) => (one.children ?? []).map(basePolicy)))
    ].filter((child) => !answers.has(child))
    if (children.length === 0) return answers
    const query = list(children.map((child) => readPolicy(child, [])))
    const { results } = yield* rpc.readAll(query.reads, { blockNumber })
    const read = query.decode(results)
    return new Map([...answers, ...read.map((one, index) => [children[index] ?? 0n, one] as const)])
  })

/** Every account that may matter, with who it is. */
const identifyAll = (rpc: BaseRpc, accounts: ReadonlyArray<Address>, blockNumber: bigint) =>
  Effect.gen(function* () {
    const query = list(accounts.map(askAccount))
    const [{ results }, inspected] = yield* Effect.all(
      [
        rpc.readAll(query.reads, { blockNumber }),
        rpc.inspect(
          accounts.map((address) => ({ address, slots: [SINGLETON_SLOT] })),
          { blockNumber }
        )
      ],
      { concurrency: 2 }
    )
    const claims = query.decode(results)
    const holders = new Map(
      accounts.map((account, index) => {
        const [claim, at] = [claims[index], inspected[index]]
        return [
          account,
          claim === undefined || at === undefined
            ? UNIDENTIFIED
            : classify(account, at.code, at.slots[0], claim)
        ] as const
      })
    )
    return (account: Address): Holder => holders.get(account) ?? UNIDENTIFIED
  })

/**
 * What Base's own interface says about a native token: supply cap, pause, policies and who may change them, roles and
 * who holds them. Two round trips, beside the simulation. Never fails: what was not read is missing.
 */
export const readB20 = Effect.fn("BaseB20.read")(function* (rpc: BaseRpc, input: B20Input) {
  const { token, blockNumber, age } = input
  const scopes = readScopes(token)
  const [{ results }, { grants, fromBirth }] = yield* Effect.all(
    [rpc.readAll(scopes.reads, { blockNumber }), readGrants(rpc, token, blockNumber, age)],
    { concurrency: 2 }
  )
  const found = scopes.decode(results)
  const traders = [...strangersOf(input), ...input.pools, ...SPENDERS.slice(0, 3)]
  const ids = inForce(found)
  const named = [...new Set(grants.map(([, account]) => account))]
  const accounts = named.slice(0, MAX_ACCOUNTS)
  const policies = list(ids.map((id) => readPolicy(id, traders)))
  const membership = list(
    accounts.map((account) => list(roleNames.map((role) => hasRole(token, B20_ROLES[role], account))))
  )
  const second = both(policies, membership)
  const answered = yield* rpc.readAll(second.reads, { blockNumber })
  const [policyAnswers, members] = second.decode(answered.results)
  const answers = yield* readChildren(
    rpc,
    new Map(ids.map((id, index) => [id, policyAnswers[index] ?? NO_ANSWERS])),
    blockNumber
  )
  const changers = [...answers.keys()].flatMap((id) => changersOf(id, answers) ?? [])
  const identify = yield* identifyAll(rpc, [...new Set([...accounts, ...changers])], blockNumber)
  const asked = members.every((roles) => roles.every((answer) => answer !== undefined))
  const evidence: B20Evidence = {
    supplyCap: found.cap ?? null,
    transfersPaused:
      found.paused === undefined
        ? missing("the token does not say whether it is paused")
        : known(found.paused),
    holders: new Map(
      roleNames.map((role, at): readonly [B20Role, ReadonlyArray<Holder>] => [
        role,
        accounts.filter((_, index) => members[index]?.[at] === true).map(identify)
      ])
    ),
    everybody: !fromBirth
      ? missing("its events were not served from its creation on")
      : asked && named.length <= MAX_ACCOUNTS
        ? known(true)
        : missing("not everybody who was granted a role could be asked about"),
    sealed: new Set(roleNames.filter((role, at) => role !== "admin" && found.admins[at] === B20_ROLES[role])),
    policies: policyEvidence(found, answers, identify)
  }
  return evidence
})

const NO_ANSWERS: PolicyAnswers = {
  admin: undefined,
  pending: undefined,
  children: undefined,
  allowed: []
}

const UNREAD = "Base did not answer about the token's roles and policies"

/** A native token of which nothing could be read. */
export const UNREAD_B20: B20Evidence = {
  supplyCap: null,
  transfersPaused: missing(UNREAD),
  holders: new Map(),
  everybody: missing(UNREAD),
  sealed: new Set(),
  policies: missing(UNREAD)
}
