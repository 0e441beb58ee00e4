import { address, getBase58Encoder } from "@solana/kit"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { createHash, createPublicKey, verify } from "node:crypto"
import { solanaAddress, solanaSecretKey, solanaSigner } from "../../../../scripts/sandbox/accounts.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import { decodeTransaction } from "../../../../src/payment/verifier/svm/transaction.ts"
import { parsePaymentObject } from "../../../../src/payment/message/parse-payment.ts"
import {
  TOKEN,
  TOKEN_2022,
  SYSTEM,
  little,
  data,
  world,
  limit,
  price,
  memo,
  transfer,
  standard,
  build,
  verdictOf,
  reasonOf
} from "../../../support/payment/svm-transfers.ts"
import type { Instruction, World } from "../../../support/payment/svm-transfers.ts"

const rules: ReadonlyArray<readonly [string, (w: World) => ReadonlyArray<Instruction>, string]> = [
  ["a second transfer", (w) => [...standard(w).slice(0, 3), transfer(w)], "unknown_fourth_instruction"],
  [
    "a transfer of the fee payer's SOL",
    (w) => [
      ...standard(w),
      {
        program: SYSTEM,
        accounts: [w.feePayer.address, w.owner.address],
        data: data(2, 0, 0, 0, ...little(1n, 8))
      }
    ],
    "fee_payer_not_isolated"
  ],
  [
    "the fee payer among a memo's signers",
    (w) => [...standard(w).slice(0, 3), { ...memo("x"), accounts: [w.feePayer.address] }],
    "fee_payer_not_isolated"
  ],
  [
    "the fee payer as owner of the money",
    (w) => [
      limit(1),
      price(1n),
      { ...transfer(w), accounts: [w.source, w.mint, w.destination, w.feePayer.address] }
    ],
    "fee_payer_transferring_funds"
  ],
  [
    "a closing of an account",
    (w) => [
      ...standard(w),
      { program: TOKEN, accounts: [w.source, w.owner.address, w.owner.address], data: data(9) }
    ],
    "unknown_fifth_instruction"
  ],
  ["no compute limit", (w) => standard(w).slice(1), "compute_limit_instruction"],
  [
    "a limit without bound",
    (w) => [limit(1_400_000), ...standard(w).slice(1)],
    "compute_limit_instruction_too_high"
  ],
  [
    "a price over the cap",
    (w) => [limit(10), price(5_000_001n), transfer(w)],
    "compute_price_instruction_too_high"
  ],
  [
    "a fee over the cap",
    (w) => [limit(200_000), price(1_000_000n), transfer(w)],
    "compute_price_instruction_too_high"
  ],
  ["another amount", (w) => [limit(1), price(1n), transfer(w, 4999n)], "amount_mismatch"],
  [
    "another recipient",
    (w) => [limit(1), price(1n), { ...transfer(w), accounts: [w.source, w.mint, w.source, w.owner.address] }],
    "recipient_mismatch"
  ],
  [
    "a transfer to the account it comes from, for which a delegate may sign without end",
    (w) => [
      limit(1),
      price(1n),
      { ...transfer(w), accounts: [w.destination, w.mint, w.destination, w.owner.address] }
    ],
    "source_mismatch"
  ],
  [
    "another mint",
    (w) => [
      limit(1),
      price(1n),
      { ...transfer(w), accounts: [w.source, solanaAddress("mint"), w.destination, w.owner.address] }
    ],
    "mint_mismatch"
  ],
  [
    "another token program",
    (w) => [limit(1), price(1n), { ...transfer(w), program: TOKEN_2022 }],
    "no_transfer_instruction"
  ],
  [
    "an unchecked transfer",
    (w) => [limit(1), price(1n), { ...transfer(w), data: data(3, ...little(5000n, 8)) }],
    "no_transfer_instruction"
  ],
  ["nothing but fees", () => [limit(1), price(1n)], "instructions_length"],
  [
    "eight instructions",
    (w) => [...standard(w), memo("a"), memo("b"), memo("c"), memo("d")],
    "instructions_length"
  ]
]

describe("checking a Solana payment without a chain", () => {
  it.effect("proves a transfer signed by the owner, legacy or version 0, with or without a memo", () =>
    Effect.gen(function* () {
      const w = yield* world
      const payer = w.owner.address
      for (const version of ["legacy", 0] as const) {
        const signatureVerified = { ok: true, payer, signatureVerified: true }
        expect(yield* verdictOf(w, yield* build(w, standard(w), { version }))).toEqual(signatureVerified)
        expect(yield* verdictOf(w, yield* build(w, standard(w).slice(0, 3), { version }))).toEqual(
          signatureVerified
        )
      }
    })
  )

  it.effect.each(rules)("refuses %s", ([, instructions, reason]) =>
    Effect.gen(function* () {
      const w = yield* world
      expect(yield* reasonOf(w, yield* build(w, instructions(w)))).toContain(reason)
    })
  )

  it.effect("refuses what the recipient pays out of another account of his own", () =>
    Effect.gen(function* () {
      const w = yield* world
      const destination = associatedTokenAccount(
        SolanaAddress.make(w.owner.address),
        SolanaAddress.make(w.mint)
      )
      const own = [
        limit(1),
        price(1n),
        transfer({ ...w, source: w.destination, destination: address(destination) })
      ]
      const requirements = { ...w.requirements, payTo: w.owner.address }
      expect(yield* reasonOf({ ...w, requirements }, yield* build(w, own))).toContain("source_mismatch")
    })
  )

  it.effect("refuses a stranger's signature, a tampered message and another fee payer", () =>
    Effect.gen(function* () {
      const w = yield* world
      const stranger = yield* Effect.promise(() => solanaSigner("stranger"))
      expect(yield* reasonOf(w, yield* build(w, standard(w), { signer: stranger }))).toContain(
        "signature_invalid"
      )
      const bytes = Buffer.from(yield* build(w, standard(w)), "base64")
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      expect(yield* reasonOf(w, bytes.toString("base64"))).not.toBe("accepted")
      const other = yield* build(w, standard(w), { feePayer: solanaAddress("other") })
      expect(yield* reasonOf(w, other)).toBe("invalid_exact_svm_fee_payer_mismatch")
    })
  )

  it.effect("refuses what no node reads as a transaction: none would ever say that it fails", () =>
    Effect.gen(function* () {
      const w = yield* world
      const wire = Buffer.from(yield* build(w, standard(w)), "base64")
      const header = 1 + 2 * 64 + 1
      /** The header's numbers, and places of addresses in the list of accounts behind them. */
      const [signers, readonlySigners, readonlyOthers, accounts] = [
        header,
        header + 1,
        header + 2,
        header + 4
      ]
      const altered = (change: (bytes: Buffer) => void) => {
        const bytes = Buffer.from(wire)
        change(bytes)
        return reasonOf(w, bytes.toString("base64"))
      }
      expect(wire[signers]).toBe(2)
      for (const change of [
        (bytes: Buffer) => bytes.writeUInt8(2, readonlySigners),
        (bytes: Buffer) => bytes.writeUInt8(100, readonlyOthers),
        (bytes: Buffer) => bytes.copy(bytes, accounts + 7 * 32, accounts + 6 * 32, accounts + 7 * 32)
      ])
        expect(yield* altered(change)).toContain("could_not_be_decoded")
    })
  )

  it.effect("wants exactly the memo we asked for", () =>
    Effect.gen(function* () {
      const w = yield* world
      const [first, second, third] = standard(w)
      const base = [first, second, third].flatMap((ix) => (ix === undefined ? [] : [ix]))
      const check = (memos: ReadonlyArray<string>) =>
        Effect.flatMap(build(w, [...base, ...memos.map(memo)]), (tx) => reasonOf(w, tx, { memo: "order-7" }))
      expect(yield* check(["order-7"])).toBe("accepted")
      expect(yield* check(["order-8"])).toContain("memo_mismatch")
      expect(yield* check([])).toContain("memo_count")
      expect(yield* check(["order-7", "order-7"])).toContain("memo_count")
    })
  )

  it.effect(
    "refuses signatures that OpenSSL takes and no validator does: they would be worked for and never land",
    () =>
      Effect.gen(function* () {
        const w = yield* world
        const wire = Buffer.from(yield* build(w, standard(w)), "base64")
        const one = data(1, ...new Uint8Array(31))
        /** The point that is no more than zero, and the curve's base point. */
        const [identity, base] = [Buffer.from(one), Buffer.from(`58${"66".repeat(31)}`, "hex")]
        const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes.toReversed()).toString("hex")}`)
        const order = 2n ** 252n + 27742317777372353535851937790883648493n
        /** The same payment with another signature, and by another owner where one is given. */
        const signer = Buffer.from(getBase58Encoder().encode(w.owner.address))
        const forge = (signature: Uint8Array, owner: Buffer) => {
          // In Latin-1 every byte is one character.
          const text = wire.toString("latin1").replaceAll(signer.toString("latin1"), owner.toString("latin1"))
          const forged = Buffer.from(text, "latin1")
          forged.set(signature, 65)
          const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), owner])
          const key = createPublicKey({ key: spki, format: "der", type: "spki" })
          // The trap: Node's own verification says that it is signed.
          expect(verify(null, forged.subarray(129), key, forged.subarray(65, 129))).toBe(true)
          return forged.toString("base64")
        }
        // Everybody signs as the first; the second is of an owner who has his key.
        const everybodys = Buffer.concat([base, one])
        const secret = yield* Effect.promise(() => solanaSecretKey("payer"))
        const seed = Buffer.from(getBase58Encoder().encode(secret)).subarray(0, 32)
        const half = createHash("sha512").update(seed).digest().subarray(0, 32)
        const scalar = (BigInt.asUintN(254, numberOf(half)) & ~7n) | (1n << 254n)
        const hash = createHash("sha512").update(identity).update(signer).update(wire.subarray(129)).digest()
        const s = ((numberOf(hash) % order) * scalar) % order
        const own = Buffer.concat([identity, data(...little(s, 32))])
        for (const forged of [forge(everybodys, identity), forge(own, signer)])
          expect(yield* reasonOf(w, forged)).toBe("invalid_exact_svm_payload_signature_invalid")
      })
  )

  it.effect("gives a transfer one identity, whatever stands in the fee payer's slot", () =>
    Effect.gen(function* () {
      const w = yield* world
      const bytes = Buffer.from(yield* build(w, standard(w)), "base64")
      const filled = Buffer.from(bytes)
      filled.fill(0xab, 1, 65)
      const parse = (tx: Buffer) =>
        parsePaymentObject({
          x402Version: 2,
          accepted: w.requirements,
          payload: { transaction: tx.toString("base64") }
        })
      expect(yield* parse(filled)).toEqual({ ...(yield* parse(bytes)), envelope: expect.anything() })
    })
  )

  it.effect("decodes no other spelling of a transaction", () =>
    Effect.gen(function* () {
      const w = yield* world
      const text = yield* build(w, standard(w))
      const bytes = Buffer.from(text, "base64")
      expect(decodeTransaction(text)).toBeDefined()
      for (const other of [
        `${text} `,
        Buffer.concat([bytes, data(0)]).toString("base64"),
        Buffer.concat([data(0x82, 0), bytes.subarray(1)]).toString("base64"),
        Buffer.alloc(1300, 1).toString("base64"),
        getBase58Encoder().encode("1111").toString()
      ]) {
        expect(decodeTransaction(other)).toBeUndefined()
      }
    })
  )

  it("never throws for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        decodeTransaction(Buffer.from(bytes).toString("base64"))
      })
    )
  })
})
