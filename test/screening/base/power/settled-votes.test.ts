import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { zeroHash } from "viem"
import { compileDirectory } from "../../../../scripts/attacks/compile.ts"
import { known, missing } from "../../../../src/domain/fact.ts"
import { askDelegates } from "../../../../src/screening/base/reads/delegates.ts"
import { TOKEN, clean, harmlessCode, judge, pair } from "../../../support/base/fixtures.ts"
import { firstLook, lookOver } from "../../../support/bytecode/looks.ts"

const votes = compileDirectory(
  join(import.meta.dirname, "..", "..", "..", "support", "base", "attacks", "votes")
)

const SUPPLY_SLOT = 2n

const codeOf = (contract: string) => votes.get(contract)?.deployedBytecode ?? "0x"

/** Over a storage of nothing, but for the supply where there is one. */
const settled = (contract: string, supply = 0n, like = contract) =>
  lookOver(codeOf(contract), (slot) => (slot === SUPPLY_SLOT ? supply : 0n), codeOf(like)).proof

const owned = () => settled("OwnedVotes")

describe("storage beside lists of votes", () => {
  it("is settled where every path lets the lists grow by one: an owner who left is gone", () => {
    const { conservation, transferPath, votes: kept } = owned()
    expect([...conservation.holes, ...transferPath.holes]).toEqual([])
    expect(kept?.settles).toBe(true)
  })

  it("says nothing of who has votes, or is given an owner's place by them", () => {
    for (const contract of ["VotersMint", "VotesNameOwner"])
      expect(settled(contract).conservation.holes.map(({ kind }) => kind)).toContain("creates")
  })

  it("follows a function that is too long without it, beside the lists that the others keep", () => {
    const alone = firstLook(codeOf("InflatingVotes")).proof
    expect(alone.conservation.holes.map(({ why }) => why)).toContain(
      "all code is known: the step budget was used up"
    )
    // Whoever reads the storage has to know where the lists stand.
    expect(alone.votes?.told).toBe(true)
    expect(alone.votes?.lists.map(BigInt)).toEqual([9n, 10n])
    const { conservation, transferPath, votes: kept } = settled("InflatingVotes", 10n ** 27n)
    expect([...conservation.holes, ...transferPath.holes]).toEqual([])
    expect(kept?.settles).toBe(true)
  })

  it.each(["InflatingGivesVotes", "InflatingLengthens", "InflatingRaises", "InflatingReturns"])(
    "follows none that does more once it is followed: %s",
    (contract) => {
      const { conservation, transferPath } = settled(contract, 10n ** 27n, "InflatingVotes")
      expect(conservation.holes.length).toBeGreaterThan(0)
      expect(transferPath.holes.length).toBeGreaterThan(0)
    }
  )

  it("is not taken for settled where nothing hangs on it", () => {
    expect(settled("HonestVotes").votes?.settles).toBe(false)
  })

  it("counts only where the lists were read, at any age: one may be born so long that it ends at the owner", () => {
    const { decode, reads } = askDelegates(TOKEN, [], [pair()])
    const form = owned().votes
    if (form === null) throw new Error("no votes")
    const judged = (settles: boolean, complete: typeof clean.holders.complete) =>
      judge({
        ...clean,
        delegates: decode(reads.map(() => ({ ok: true, data: zeroHash }))),
        code: {
          ...clean.code,
          findings: known({
            ...harmlessCode,
            proof: { ...harmlessCode.proof, votes: { ...form, settles } }
          })
        },
        holders: { ...clean.holders, complete }
      }).verdict
    const unread = missing("its storage is too large to be read whole")
    expect(judged(false, unread)).toBe("allow")
    expect(judged(true, unread)).toBe("caution")
    expect(judged(true, known(true))).toBe("allow")
  })
})
