/** What a Token-2022 account can be made to refuse before it becomes a pool's vault: the token program itself says so. */
import { describe, expect, it } from "@effect/vitest"
import type { Address, Instruction, KeyPairSigner } from "@solana/kit"
import { address, generateKeyPairSigner } from "@solana/kit"
import type { ExtensionArgs } from "@solana-program/token-2022"
import { getCreateAccountInstruction } from "@solana-program/system"
import {
  AccountState,
  AuthorityType,
  extension,
  getCloseAccountInstruction,
  getEnableCpiGuardInstruction,
  getEnableMemoTransfersInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getInitializeMintCloseAuthorityInstruction,
  getInitializeNonTransferableMintInstruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getTokenEncoder,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_2022_PROGRAM_ADDRESS
} from "@solana-program/token-2022"
import { LiteSVM } from "litesvm"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { Guards } from "../../../src/screening/solana/reads/account-extensions.ts"
import { GUARDS_LENGTH, unguarded } from "../../../src/screening/solana/reads/account-extensions.ts"
import { decodeTokenAccount } from "../../../src/screening/solana/reads/token-account.ts"
import {
  account,
  encodeMint,
  encodeTokenAccount,
  extended,
  programAddress,
  wallet
} from "../../support/solana/encode.ts"
import { fund, placeOn, sends } from "../../support/solana/lite-svm.ts"

const [MINT, VAULT, BOUGHT] = [wallet("mint"), wallet("vault"), wallet("a buyer's tokens")]
const POOL = programAddress("a pool's authority")

/** A chain on which a maker has an account with room for both guards, and a buyer some tokens. */
const makeChain = async () => {
  const svm = new LiteSVM()
  const maker = await generateKeyPairSigner()
  fund(svm, maker)
  const place = (where: SolanaAddress, account: SolanaAccount) => placeOn(svm, where, account)
  const makers = SolanaAddress.make(maker.address)
  place(MINT, encodeMint({ supply: 1000n, extensions: [] }))
  place(
    VAULT,
    extended(encodeTokenAccount(MINT, makers, 500n), [
      [8, Uint8Array.of(0)],
      [11, Uint8Array.of(0)]
    ])
  )
  place(BOUGHT, extended(encodeTokenAccount(MINT, makers, 500n), []))
  const does = (...instructions: ReadonlyArray<Instruction>) => sends(svm, maker, ...instructions)
  const vault = () => {
    const found = svm.getAccount(address(VAULT))
    return found.exists
      ? decodeTokenAccount(account(at.TOKEN_2022_PROGRAM, Uint8Array.from(found.data)))
      : null
  }
  return { does, maker, vault }
}

const handOver = (maker: KeyPairSigner) =>
  getSetAuthorityInstruction({
    owned: address(VAULT),
    owner: maker,
    authorityType: AuthorityType.AccountOwner,
    newAuthority: address(POOL)
  })

const payIn = (maker: KeyPairSigner) =>
  getTransferInstruction({
    source: address(BOUGHT),
    destination: address(VAULT),
    authority: maker,
    amount: 10n
  })

describe("an account that its maker hands over to a pool", () => {
  it("takes what is paid in, where nothing was asked of it", async () => {
    const { does, maker, vault } = await makeChain()
    expect(await does(handOver(maker))).toBe(true)
    expect(await does(payIn(maker))).toBe(true)
    expect(vault()).toMatchObject({ owner: POOL, amount: 510n, guards: unguarded })
  })

  it("goes on refusing what comes without a memo, and is known for it", async () => {
    const { does, maker, vault } = await makeChain()
    expect(await does(getEnableMemoTransfersInstruction({ token: address(VAULT), owner: maker }))).toBe(true)
    expect(await does(handOver(maker))).toBe(true)
    expect(await does(payIn(maker))).toBe(false)
    expect(vault()).toMatchObject({ owner: POOL, guards: { incoming: true, outgoing: false } })
  })

  it("cannot be handed over while programs are kept from moving what is its owner's", async () => {
    const { does, maker, vault } = await makeChain()
    expect(await does(getEnableCpiGuardInstruction({ token: address(VAULT), owner: maker }))).toBe(true)
    expect(await does(handOver(maker))).toBe(false)
    expect(vault()).toMatchObject({ guards: { incoming: false, outgoing: true } })
  })
})

describe("an account that was opened while its mint let nobody transfer", () => {
  it("stays so when the mint is closed and made anew without a word of it: it takes tokens, and gives none", async () => {
    const svm = new LiteSVM()
    const [maker, mint] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
    fund(svm, maker)
    const [bound, free] = [VAULT, BOUGHT]
    const does = (...instructions: ReadonlyArray<Instruction>) => sends(svm, maker, ...instructions)
    const made = (size: number, ...extensions: ReadonlyArray<Instruction>) => [
      getCreateAccountInstruction({
        payer: maker,
        newAccount: mint,
        lamports: 10_000_000n,
        space: size,
        programAddress: TOKEN_2022_PROGRAM_ADDRESS
      }),
      ...extensions,
      getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: maker.address })
    ]
    const opened = (where: SolanaAddress) => {
      placeOn(svm, where, { data: new Uint8Array(where === bound ? 174 : 165), owner: at.TOKEN_2022_PROGRAM })
      return getInitializeAccount3Instruction({
        account: address(where),
        mint: mint.address,
        owner: maker.address
      })
    }
    const found = (where: SolanaAddress) => {
      const there = svm.getAccount(address(where))
      return there.exists
        ? decodeTokenAccount(account(at.TOKEN_2022_PROGRAM, Uint8Array.from(there.data)))
        : null
    }
    const close = { mint: mint.address, closeAuthority: maker.address }
    const strict = [
      getInitializeMintCloseAuthorityInstruction(close),
      getInitializeNonTransferableMintInstruction(close)
    ]
    expect(await does(...made(206, ...strict))).toBe(true)
    expect(await does(opened(bound))).toBe(true)
    const gone = { account: mint.address, destination: maker.address, owner: maker }
    expect(await does(getCloseAccountInstruction(gone))).toBe(true)

    // A second life: a plain mint, whose maker gives up all that he could.
    expect(await does(...made(82))).toBe(true)
    expect(await does(opened(free))).toBe(true)
    for (const token of [bound, free]) {
      const minted = { mint: mint.address, token: address(token), mintAuthority: maker, amount: 10n }
      expect(await does(getMintToInstruction(minted))).toBe(true)
    }
    const moved = (from: SolanaAddress, to: SolanaAddress) =>
      getTransferCheckedInstruction({
        source: address(from),
        mint: mint.address,
        destination: address(to),
        authority: maker,
        amount: 5n,
        decimals: 6
      })
    expect(await does(moved(free, bound))).toBe(true)
    expect(await does(moved(bound, free))).toBe(false)
    expect(found(bound)).toMatchObject({ amount: 15n, isBound: true })
    expect(found(free)).toMatchObject({ amount: 5n, isBound: false })
  })
})

const key: Address = address(MINT)
const ciphertext = new Uint8Array(64)

/** An account by the token program's own published encoder: our walk is checked against it. */
const official = (extensions: ReadonlyArray<ExtensionArgs>): SolanaAccount =>
  account(
    at.TOKEN_2022_PROGRAM,
    Uint8Array.from(
      getTokenEncoder().encode({
        mint: key,
        owner: key,
        amount: 1n,
        delegate: null,
        state: AccountState.Initialized,
        isNative: null,
        delegatedAmount: 0n,
        closeAuthority: null,
        extensions: [...extensions]
      })
    )
  )

const confidential = (allowNonConfidentialCredits: boolean): ExtensionArgs =>
  extension("ConfidentialTransferAccount", {
    approved: true,
    elgamalPubkey: key,
    pendingBalanceLow: ciphertext,
    pendingBalanceHigh: ciphertext,
    availableBalance: ciphertext,
    decryptableAvailableBalance: new Uint8Array(36),
    allowConfidentialCredits: !allowNonConfidentialCredits,
    allowNonConfidentialCredits,
    pendingBalanceCreditCounter: 0n,
    maximumPendingBalanceCreditCounter: 9n,
    expectedPendingBalanceCreditCounter: 0n,
    actualPendingBalanceCreditCounter: 0n
  })

const harmless: ReadonlyArray<ExtensionArgs> = [
  extension("TransferFeeAmount", { withheldAmount: 5n }),
  { __kind: "ImmutableOwner" },
  { __kind: "NonTransferableAccount" },
  extension("TransferHookAccount", { transferring: false }),
  extension("ConfidentialTransferFeeAmount", { withheldAmount: ciphertext }),
  { __kind: "PausableAccount" },
  confidential(true)
]

const guardsIn = (found: SolanaAccount): Guards | null | undefined => decodeTokenAccount(found)?.guards

describe("what keeps programs from trading with an account", () => {
  const memo = extension("MemoTransfer", { requireIncomingTransferMemos: true })
  const guard = extension("CpiGuard", { lockCpi: true })
  const rows: ReadonlyArray<
    readonly [name: string, extensions: ReadonlyArray<ExtensionArgs>, guards: Guards]
  > = [
    ["nothing that the token itself asks for", harmless, unguarded],
    ["a memo that must come first", [...harmless, memo], { incoming: true, outgoing: false }],
    ["that it takes no open credits", [confidential(false)], { incoming: true, outgoing: false }],
    ["its owner's guard", [guard, ...harmless], { incoming: false, outgoing: true }],
    ["one of two as well as the other", [memo, guard], { incoming: true, outgoing: true }]
  ]
  for (const [name, extensions, guards] of rows)
    it(`is ${name}`, () => expect(guardsIn(official(extensions))).toEqual(guards))

  it("is seen in the longest account there is, and in one with room behind it", () => {
    const whole = official([...harmless, memo, guard])
    expect(whole.space).toBeLessThanOrEqual(GUARDS_LENGTH)
    const roomy = account(at.TOKEN_2022_PROGRAM, Uint8Array.from([...whole.data, ...new Uint8Array(4000)]))
    const cut = { ...roomy, data: roomy.data.subarray(0, GUARDS_LENGTH) }
    for (const found of [whole, roomy, cut])
      expect(guardsIn(found)).toEqual({ incoming: true, outgoing: true })
  })

  it("is not known of one that was cut, or has an extension nobody knows", () => {
    const whole = official([...harmless, memo])
    expect(guardsIn({ ...whole, data: whole.data.subarray(0, 165) })).toBe(null)
    expect(guardsIn({ ...whole, data: whole.data.subarray(0, 300) })).toBe(null)
    const plain = encodeTokenAccount(MINT, POOL, 1n)
    expect(guardsIn(extended(plain, [[99, Uint8Array.of(1)]]))).toBe(null)
    expect(guardsIn(extended(plain, [[8, new Uint8Array(2)]]))).toBe(null)
  })
})
