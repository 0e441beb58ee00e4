import { describe, expect, it } from "@effect/vitest"
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit"
import * as fc from "fast-check"
import type { Instruction, Use } from "../../../src/screening/solana/simulation/instruction.ts"
import { packTransaction } from "../../../src/screening/solana/simulation/transaction.ts"
import { wallet } from "../../support/solana/encode.ts"

const MOST_BYTES = 1232
const PAYER = wallet("payer of the packet")

const anyAccount = fc.nat({ max: 40 }).map((nth) => wallet(`account ${nth}`))
const anyUse = fc.constantFrom<Use>("", "w", "s", "ws")
const anyInstruction: fc.Arbitrary<Instruction> = fc.record({
  program: anyAccount,
  accounts: fc.array(fc.tuple(anyAccount, anyUse), { maxLength: 20 }),
  data: fc.uint8Array({ maxLength: 300 })
})

/** A packet as the official client reads it: who is named, who signs and is written, what is called with what. */
const read = (wire: string) => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (!("instructions" in message)) throw new Error("no instructions")
  const { header, staticAccounts } = message
  const isWritten = (at: number) =>
    at < header.numSignerAccounts
      ? at < header.numSignerAccounts - header.numReadonlySignerAccounts
      : at < staticAccounts.length - header.numReadonlyNonSignerAccounts
  return {
    size: getBase64Encoder().encode(wire).length,
    payer: staticAccounts[0],
    signers: Object.keys(signatures).length,
    uses: new Map(
      staticAccounts.map((account, at) => [
        account,
        { signs: at < header.numSignerAccounts, writes: isWritten(at) }
      ])
    ),
    calls: message.instructions.map(
      ({ accountIndices = [], data = new Uint8Array(), programAddressIndex }) => ({
        program: staticAccounts[programAddressIndex],
        accounts: accountIndices.map((at) => staticAccounts[at]),
        data: Uint8Array.from(data)
      })
    )
  }
}

describe("a packed transaction", () => {
  it("is what the official client reads, and none where it does not fit a packet", () => {
    let [packed, left] = [0, 0]
    fc.assert(
      fc.property(fc.array(anyInstruction, { minLength: 1, maxLength: 6 }), (instructions) => {
        const found = packTransaction(PAYER, instructions)
        if (found === null) {
          left += 1
          return
        }
        packed += 1
        const { calls, payer, signers, size, uses } = read(found.wire)
        expect(size).toBeLessThanOrEqual(MOST_BYTES)
        expect(payer).toBe(PAYER)
        expect(calls.slice(found.lead)).toEqual(
          instructions.map(({ accounts, data, program }) => ({
            program,
            accounts: accounts.map(([account]) => account),
            data: Uint8Array.from(data)
          }))
        )
        const all = instructions.flatMap(({ accounts }) => accounts)
        const has = (account: string, letter: string) =>
          account === PAYER || all.some(([one, use]) => one === account && use.includes(letter))
        for (const [account, use] of uses)
          expect(use).toEqual({ signs: has(account, "s"), writes: has(account, "w") })
        expect(signers).toBe([...uses.values()].filter(({ signs }) => signs).length)
      }),
      { numRuns: 200 }
    )
    expect(packed).toBeGreaterThan(20)
    expect(left).toBeGreaterThan(20)
  })
})
