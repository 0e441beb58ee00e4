import { describe, expect, it } from "@effect/vitest"
import type { PaymentRequirements } from "@x402/core/types"
import type { Address, Instruction, KeyPairSigner } from "@solana/kit"
import { randomBytes } from "node:crypto"
import { Effect, Schema } from "effect"
import { solanaAddress, solanaSigner } from "../../scripts/sandbox/accounts.ts"
import { TOKEN_2022_PROGRAM, USDC_MINT, WSOL_MINT } from "../../scripts/sandbox/solana/addresses.ts"
import { associatedTokenAccount } from "../../scripts/sandbox/solana/place.ts"
import { envelope } from "../support/authorizations.ts"
import type { Screening } from "../support/calls.ts"
import { challengeOf, encode, pay, reasonOf, receiptOf, screen, signFor, termsIn } from "../support/calls.ts"
import { callSolana } from "../support/checkout/solana-wallet.ts"
import { solanaBuyer } from "../support/sandbox.ts"
import type { Build, Pieces } from "../support/solana-payments.ts"
import * as sol from "../support/solana-payments.ts"
import { movedSince, NOTHING, onceOnSolana, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { newSolanaPayer, useSharedService } from "../support/stage.ts"

const { service, stage } = useSharedService()

const chain = () => stage().sandbox.solana

const screening = (): Screening => ({
  method: "POST",
  operation: "ping",
  chain: "solana",
  address: chain().tokens.clean.address
})

const termsOnSolana = async (): Promise<PaymentRequirements> => {
  const [, onSolana] = challengeOf(await screen(service().url, screening())).accepts
  if (onSolana === undefined) throw new Error("no terms")
  return onSolana
}

const lamportsOfFeePayer = () => chain().ledger.svm.getBalance(chain().accounts.feePayer.address)

const submit = async (transaction: string, terms?: PaymentRequirements) =>
  pay(service().url, screening(), encode(envelope(terms ?? (await termsOnSolana()), { transaction })))

const expectRefused = async (transaction: string, status = 402, terms?: PaymentRequirements) => {
  const before = await readBooks(stage())
  const lamports = lamportsOfFeePayer()
  const answer = await submit(transaction, terms)
  expect(answer.status).toBe(status)
  if (status === 402) {
    expect(termsIn(answer.text)).toEqual(termsIn((await screen(service().url, screening())).text))
    expect(receiptOf(answer)).toMatchObject({ success: false, transaction: "" })
    expect(reasonOf(answer)).toMatch(/^[a-z0-9_]+$/)
  } else {
    expect(answer.body).toEqual({ error: expect.any(String) })
  }
  expect(await movedSince(stage(), before)).toEqual(NOTHING)
  expect(lamportsOfFeePayer()).toBe(lamports)
}

const build = (
  instructions: ReadonlyArray<Instruction>,
  options: Omit<Partial<Build>, "instructions"> = {}
) => sol.buildTransaction({ chain: chain(), instructions, ...options })

/** A payment whose transfer is changed, or which has instructions after it. */
const paying = (
  { transfer }: Pieces,
  changes: Partial<sol.Transfer> = {},
  ...more: ReadonlyArray<Instruction>
) => [sol.computeLimit(), sol.computePrice(), sol.transferChecked({ ...transfer, ...changes }), ...more]

const attackers = (label: string) => solanaAddress(`attacker ${label}`)

const refused: Readonly<Record<string, (pieces: Pieces) => Promise<string>>> = {
  "our fee payer as the transfer's authority": async (pieces) => {
    const source = associatedTokenAccount(USDC_MINT, pieces.feePayer)
    return build(paying(pieces, { source, authority: pieces.feePayer }, sol.memo()))
  },
  "our fee payer as authority beside a signing payer": async (pieces) =>
    build([...paying(pieces, { authority: pieces.feePayer }), sol.memo("me too", pieces.payer)]),
  "lamports taken from our fee payer": (pieces) =>
    build(paying(pieces, {}, sol.systemTransfer(pieces.feePayer, pieces.payer.address, 1_000_000n))),
  "lamports sent from the payer in our transaction": (pieces) =>
    build(paying(pieces, {}, sol.systemTransfer(pieces.payer, attackers("lamports"), 1n))),
  "two transfers": (pieces) => build(paying(pieces, {}, sol.transferChecked(pieces.transfer), sol.memo())),
  "a second transfer back to the payer": (pieces) =>
    build(
      paying(
        pieces,
        {},
        sol.transferChecked({
          ...pieces.transfer,
          source: pieces.transfer.destination,
          destination: pieces.transfer.source
        })
      )
    ),
  "an account closed in favour of the payer": (pieces) =>
    build(paying(pieces, {}, sol.closeAccount({ ...pieces.transfer, destination: pieces.payer.address }))),
  "a token account created at our expense": async (pieces) =>
    build(paying(pieces, {}, await sol.createAccount(pieces.feePayer, attackers("rent")))),
  "a delegate approved instead of a transfer": (pieces) =>
    build([sol.computeLimit(), sol.computePrice(), sol.approve(pieces.transfer), sol.memo()]),
  "a transfer that names no mint": (pieces) =>
    build([sol.computeLimit(), sol.computePrice(), sol.transferUnchecked(pieces.transfer), sol.memo()]),
  "a transfer of the Token-2022 program": (pieces) =>
    build(paying(pieces, { program: TOKEN_2022_PROGRAM }, sol.memo())),
  "a compute price that spends our lamports": (pieces) =>
    build([
      sol.computeLimit(),
      sol.computePrice(5_000_001n),
      sol.transferChecked(pieces.transfer),
      sol.memo()
    ]),
  "an astronomic compute price": (pieces) =>
    build([sol.computeLimit(), sol.computePrice(2n ** 64n - 1n), sol.transferChecked(pieces.transfer)]),
  "the highest compute limit at an allowed price": (pieces) =>
    build([
      sol.computeLimit(1_400_000),
      sol.computePrice(5_000_000n),
      sol.transferChecked(pieces.transfer),
      sol.memo()
    ]),
  "price and limit in the wrong order": (pieces) =>
    build([sol.computePrice(), sol.computeLimit(), sol.transferChecked(pieces.transfer), sol.memo()]),
  "no compute budget": (pieces) => build([sol.transferChecked(pieces.transfer), sol.memo()]),
  "no transfer": () => build([sol.computeLimit(), sol.computePrice(), sol.memo()]),
  "too many instructions": (pieces) =>
    build(paying(pieces, {}, ...Array.from({ length: 5 }, () => sol.memo("x")))),
  "a program we do not know": (pieces) =>
    build(paying(pieces, {}, { programAddress: attackers("program"), data: Uint8Array.of(1) })),
  "our fee payer named in a memo": (pieces) => build(paying(pieces, {}, sol.memo("hi", pieces.feePayer))),
  "addresses in a lookup table": (pieces) =>
    build(paying(pieces, {}, sol.memo()), { lookup: [pieces.transfer.destination] }),
  "the payer's own account as destination": (pieces) =>
    build(paying(pieces, { destination: pieces.transfer.source }, sol.memo())),
  "somebody else's account as destination": async (pieces) => {
    const destination = associatedTokenAccount(USDC_MINT, chain().accounts.shop.address)
    return build(paying(pieces, { destination }, sol.memo()))
  },
  "our wallet instead of its token account": (pieces) =>
    build(paying(pieces, { destination: chain().accounts.merchant.address }, sol.memo())),
  "another mint": (pieces) => build(paying(pieces, { mint: chain().tokens.clean.address }, sol.memo())),
  "wrapped SOL": (pieces) => build(paying(pieces, { mint: WSOL_MINT, decimals: 9 }, sol.memo())),
  "wrong decimals": (pieces) => build(paying(pieces, { decimals: 9 }, sol.memo())),
  "too little": (pieces) => build(paying(pieces, { amount: 4_999n }, sol.memo())),
  "too much": (pieces) => build(paying(pieces, { amount: 5_001n }, sol.memo())),
  nothing: (pieces) => build(paying(pieces, { amount: 0n }, sol.memo())),
  "the payer as fee payer": (pieces) =>
    build(paying(pieces, {}, sol.memo()), { feePayer: pieces.payer.address }),
  "a stranger as fee payer": (pieces) =>
    build(paying(pieces, {}, sol.memo()), { feePayer: attackers("fees") }),
  "no signature of the payer": (pieces) =>
    build(paying(pieces, { authority: pieces.payer.address }, sol.memo())),
  "a wrong signature of the payer": async (pieces) =>
    sol.withSignature(await build(paying(pieces, {}, sol.memo())), 1, randomBytes(64)),
  "a third signer": async (pieces) => {
    const third = await solanaSigner("third")
    return build([...paying(pieces), sol.memo("me too", third)])
  },
  "a durable nonce, good for ever": (pieces) =>
    build([sol.advanceNonce(attackers("nonce"), pieces.payer), ...paying(pieces, {}, sol.memo())], {
      blockhash: attackers("nonce value")
    }),
  "a durable nonce behind its price and limit": (pieces) =>
    build(paying(pieces, {}, sol.advanceNonce(attackers("nonce"), pieces.payer))),
  "a blockhash nobody knows": (pieces) =>
    build(paying(pieces, {}, sol.memo()), { blockhash: attackers("blockhash") })
}

describe("a payment on Solana with", () => {
  for (const [name, transactionOf] of Object.entries(refused)) {
    it(`${name} is refused, and neither tokens nor our lamports move`, async () => {
      const payer = await newSolanaPayer(stage())
      await expectRefused(await transactionOf(await sol.piecesOf(chain(), payer, PING_PRICE)))
    })
  }

  it("a transaction that is none is 400", async () => {
    const payer = await newSolanaPayer(stage())
    const good = await build(paying(await sol.piecesOf(chain(), payer, PING_PRICE), {}, sol.memo()))
    const bytes = Buffer.from(good, "base64")
    for (const transaction of [
      "",
      "AAAA",
      "not base64",
      good.slice(0, -4),
      Buffer.concat([bytes, Buffer.of(0)]).toString("base64"),
      bytes.subarray(0, 100).toString("base64"),
      Buffer.concat([Buffer.of(0x82, 0x00), bytes.subarray(1)]).toString("base64"),
      randomBytes(300).toString("base64"),
      randomBytes(1_300).toString("base64")
    ]) {
      await expectRefused(transaction, 400)
    }
  })

  it("terms that are not ours is refused", async () => {
    const payer = await newSolanaPayer(stage())
    const terms = await termsOnSolana()
    const good = await build(paying(await sol.piecesOf(chain(), payer, PING_PRICE), {}, sol.memo()))
    for (const changed of [
      { ...terms, payTo: payer.address },
      { ...terms, amount: "1" },
      { ...terms, asset: WSOL_MINT },
      { ...terms, network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1" as const },
      { ...terms, extra: { feePayer: payer.address } },
      { ...terms, extra: {} }
    ]) {
      await expectRefused(good, 402, changed)
    }
  })
})

describe("a payer on Solana", () => {
  it("without the money is refused before anything is sent", async () => {
    const payer = await newSolanaPayer(stage(), 4_999n)
    await expectRefused(await build(paying(await sol.piecesOf(chain(), payer, PING_PRICE), {}, sol.memo())))
  })
})

/** Lets somebody move the price of a ping out of an owner's account. */
const approve = async (owner: KeyPairSigner, delegate: Address) => {
  const source = associatedTokenAccount(USDC_MINT, owner.address)
  const approval = sol.approve({ source, destination: delegate, authority: owner, amount: PING_PRICE })
  const { payer } = chain().accounts
  const wire = await build([approval, sol.memo("pays the fee", payer)], { feePayer: payer })
  const sent = callSolana(chain().url, "sendTransaction", [wire, { encoding: "base64" }])
  expect(await Effect.runPromise(sent)).toEqual(expect.any(String))
}

describe("a delegate on Solana", () => {
  it("of ours moves our own money to where it is, and buys nothing", async () => {
    const delegate = await newSolanaPayer(stage())
    const pieces = await sol.piecesOf(chain(), delegate, PING_PRICE)
    expect((await submit(await build(paying(pieces, {}, sol.memo())))).status).toBe(200)
    await approve(chain().accounts.merchant, delegate.address)
    await expectRefused(await build(paying(pieces, { source: pieces.transfer.destination }, sol.memo())))
  })

  it("of somebody who has the money pays with none of his own, and is refused", async () => {
    const [owner, delegate] = [await newSolanaPayer(stage()), await newSolanaPayer(stage())]
    await approve(owner, delegate.address)
    const pieces = await sol.piecesOf(chain(), delegate, PING_PRICE)
    const source = associatedTokenAccount(USDC_MINT, owner.address)
    await expectRefused(await build(paying(pieces, { source }, sol.memo())))
  })
})

const Svm = Schema.Struct({ transaction: Schema.String })

describe("one transfer on Solana", () => {
  it("is one payment, whatever stands in the fee payer's signature slot", async () => {
    const payer = await newSolanaPayer(stage())
    const payload = await signFor(service().url, screening(), solanaBuyer(payer, chain().url))
    const { transaction } = Schema.decodeUnknownSync(Svm)(payload.payload)
    const before = await readBooks(stage())
    const answers = await Promise.all(
      [new Uint8Array(64), randomBytes(64), randomBytes(64), Uint8Array.from({ length: 64 }, () => 255)].map(
        (signature) =>
          pay(
            service().url,
            screening(),
            encode({ ...payload, payload: { transaction: sol.withSignature(transaction, 0, signature) } })
          )
      )
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map((answer) => receiptOf(answer).transaction)).size).toBe(1)
    expect(await movedSince(stage(), before)).toEqual(onceOnSolana(PING_PRICE))
  })

  it("pays with two memos and without any", async () => {
    for (const memos of [[sol.memo("a"), sol.memo("b")], []]) {
      const payer = await newSolanaPayer(stage())
      const before = await readBooks(stage())
      const answer = await submit(
        await build(paying(await sol.piecesOf(chain(), payer, PING_PRICE), {}, ...memos))
      )
      expect(answer.status).toBe(200)
      expect(await movedSince(stage(), before)).toEqual(onceOnSolana(PING_PRICE))
    }
  })
})
