/** Why LP tokens at a burn address may lock nothing: the token programs themselves let anybody burn what lies there. */
import { describe, expect, it } from "@effect/vitest"
import { address, generateKeyPairSigner } from "@solana/kit"
import { getBurnInstruction } from "@solana-program/token-2022"
import { LiteSVM } from "litesvm"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { Part } from "../../support/solana/encode.ts"
import { bytes, wallet } from "../../support/solana/encode.ts"
import { fund, placeOn, sends } from "../../support/solana/lite-svm.ts"

const [MINT, HELD, AMOUNT] = [wallet("LP mint"), wallet("LP tokens"), 1000n]

/** Whether a stranger's key burns all that lies in an account of this owner's. */
const burns = async (program: SolanaAddress, owner: SolanaAddress): Promise<boolean> => {
  const svm = new LiteSVM()
  const stranger = await generateKeyPairSigner()
  fund(svm, stranger)
  const place = (at: SolanaAddress, size: number, parts: ReadonlyArray<Part>) =>
    placeOn(svm, at, { data: bytes(size, parts), owner: program })
  place(MINT, 82, [
    [36, AMOUNT],
    [45, 1]
  ])
  place(HELD, 165, [
    [0, MINT],
    [32, owner],
    [64, AMOUNT],
    [108, 1]
  ])
  const burn = getBurnInstruction(
    { account: address(HELD), mint: address(MINT), authority: stranger, amount: AMOUNT },
    { programAddress: address(program) }
  )
  return sends(svm, stranger, burn)
}

describe("a stranger burns LP tokens", () => {
  for (const [name, program] of [
    ["Token", at.TOKEN_PROGRAM],
    ["Token-2022", at.TOKEN_2022_PROGRAM]
  ] as const)
    for (const [whose, owner, isBurned] of [
      ["the incinerator's", at.INCINERATOR, true],
      ["the system program's", at.SYSTEM_PROGRAM, true],
      ["somebody's", wallet("maker"), false]
    ] as const)
      it(`${isBurned ? "that are" : "but not those that are"} ${whose}, of ${name}`, async () => {
        expect(await burns(program, owner)).toBe(isBurned)
      })
})
