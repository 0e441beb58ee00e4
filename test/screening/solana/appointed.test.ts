/** A delegate who may move none of an account's tokens stays named there: programs that only ask for the name obey him. */
import { describe, expect, it } from "@effect/vitest"
import { address, generateKeyPairSigner } from "@solana/kit"
import {
  getApproveInstruction,
  getRevokeInstruction,
  getTransferInstruction
} from "@solana-program/token-2022"
import { LiteSVM } from "litesvm"
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { decodeTokenAccount } from "../../../src/screening/solana/reads/token-account.ts"
import { account, bytes, encodeTokenAccount, wallet } from "../../support/solana/encode.ts"
import { fund, placeOn, sends } from "../../support/solana/lite-svm.ts"

const [MINT, HELD, ELSEWHERE] = [wallet("position mint"), wallet("position token"), wallet("elsewhere")]

/** A chain on which somebody holds the token of a position, as the token program itself keeps it. */
const withToken = async () => {
  const svm = new LiteSVM()
  const [owner, delegate] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  const place = (where: SolanaAddress, data: Uint8Array) =>
    placeOn(svm, where, { data, owner: at.TOKEN_2022_PROGRAM })
  for (const signer of [owner, delegate]) fund(svm, signer)
  place(
    MINT,
    bytes(82, [
      [36, 1n],
      [45, 1]
    ])
  )
  place(HELD, encodeTokenAccount(MINT, SolanaAddress.make(owner.address), 1n).data)
  place(ELSEWHERE, encodeTokenAccount(MINT, SolanaAddress.make(delegate.address), 0n).data)
  const read = () => {
    const found = svm.getAccount(address(HELD))
    return found.exists ? decodeTokenAccount(account(at.TOKEN_2022_PROGRAM, found.data)) : null
  }
  return { svm, owner, delegate, read }
}

const token = address(HELD)

describe("a delegate approved for none of a token", () => {
  it("may not move it, and is named all the same until he is revoked", async () => {
    const { delegate, owner, read, svm } = await withToken()
    const approve = getApproveInstruction({ source: token, delegate: delegate.address, owner, amount: 0n })
    expect(await sends(svm, owner, approve)).toBe(true)
    const take = getTransferInstruction({
      source: token,
      destination: address(ELSEWHERE),
      authority: delegate,
      amount: 1n
    })
    expect(await sends(svm, delegate, take)).toBe(false)
    expect(read()).toMatchObject({ delegate: null, delegated: 0n, appointed: delegate.address })
    expect(await sends(svm, owner, getRevokeInstruction({ source: token, owner }))).toBe(true)
    expect(read()).toMatchObject({ delegate: null, delegated: 0n, appointed: null })
  })

  it("is no other than one approved for all of it, but that this one may move it", async () => {
    const { delegate, owner, read, svm } = await withToken()
    const approve = getApproveInstruction({ source: token, delegate: delegate.address, owner, amount: 5n })
    expect(await sends(svm, owner, approve)).toBe(true)
    expect(read()).toMatchObject({ delegate: delegate.address, delegated: 1n, appointed: delegate.address })
  })
})
