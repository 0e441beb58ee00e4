import { Effect } from "effect"
import type { Address } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { known } from "../../../domain/fact.ts"
import { isNobody, lower } from "../addresses.ts"
import type { CodeEvidence } from "../evidence.ts"
import type { CodeFindings } from "./findings.ts"

const NOTE = "balances of others can be moved or destroyed without their allowance"

/** Functions by which somebody privileged draws on accounts that were named at birth, with these accounts. */
const draws = ({
  leakingToken,
  proof
}: CodeFindings): ReadonlyArray<{ readonly selector: string; readonly from: ReadonlyArray<Address> }> => {
  const powers = leakingToken.state === "found" ? leakingToken.selectors : []
  return proof.conservation.holes.flatMap(({ from, kind, selector }) =>
    kind === "draws" && powers.includes(selector) ? [{ selector, from: from ?? [] }] : []
  )
}

/**
 * The findings where a draw on an account that is not the project's own is what it is to holders: a seizure.
 * @param isOwn holds for an account in whose balance nobody else can have a part
 */
export const drawsJudged = (findings: CodeFindings, isOwn: (account: Address) => boolean): CodeFindings => {
  const selectors = draws(findings).flatMap(({ from, selector }) =>
    from.length > 0 && from.every(isOwn) ? [] : [selector]
  )
  if (selectors.length === 0) return findings
  const before =
    findings.balanceSeizure.state === "found" ? findings.balanceSeizure : { selectors: [], note: NOTE }
  return {
    ...findings,
    balanceSeizure: {
      state: "found",
      selectors: [...new Set([...before.selectors, ...selectors])].toSorted(),
      note: before.note
    }
  }
}

/**
 * Looks at the accounts that were named at birth and that somebody privileged draws on. A contract may hold what others
 * put there, as pools and lockers do, and what was burnt is gone for good: neither is the project's own.
 * @param holders pools, buyers, and whoever else is known to hold for himself
 */
export const judgeDraws = (
  rpc: Pick<BaseRpc, "inspect">,
  holders: ReadonlyArray<Address>,
  blockNumber: bigint,
  code: CodeEvidence
): Effect.Effect<CodeEvidence> => {
  if (!code.findings.known) return Effect.succeed(code)
  const findings = code.findings.value
  const all = draws(findings)
  if (all.length === 0) return Effect.succeed(code)
  const accounts = [...new Set(all.flatMap(({ from }) => from))]
  const others = new Set(holders.map(lower))
  return rpc
    .inspect(
      accounts.map((address) => ({ address })),
      { blockNumber }
    )
    .pipe(
      Effect.map((found) => accounts.filter((_, index) => found[index]?.code === "0x")),
      Effect.catchAll(() => Effect.succeed<ReadonlyArray<Address>>([])),
      Effect.map((codeless) => {
        const own = new Set(codeless.filter((account) => !isNobody(account) && !others.has(account)))
        return { ...code, findings: known(drawsJudged(findings, (account) => own.has(account))) }
      })
    )
}
