/** Transfers of USDC on Solana, and what attackers make of them, built and signed by hand. */
import {
  type Address,
  address,
  getCompiledTransactionMessageEncoder,
  type KeyPairSigner,
  signBytes
} from "@solana/kit"
import { findAssociatedTokenPda } from "@solana-program/token-2022"
import { Effect } from "effect"
import { solanaAddress, solanaSigner } from "../../../scripts/sandbox/accounts.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../../src/domain/chain.ts"
import { SOLANA_PROGRAMS } from "../../../src/domain/solana-programs.ts"
import type { PaymentRequirements } from "../../../src/domain/x402.ts"
import { verifySvm } from "../../../src/payment/verifier/svm/verify-locally.ts"

const COMPUTE = address("ComputeBudget111111111111111111111111111111")
export const TOKEN = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
export const TOKEN_2022 = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
export const SYSTEM = address("11111111111111111111111111111111")

export interface Instruction {
  readonly program: Address
  readonly accounts: ReadonlyArray<Address>
  readonly data: Uint8Array
}

export const little = (value: bigint, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
export const data = (...bytes: ReadonlyArray<number>) => Uint8Array.from(bytes)

export const world = Effect.promise(async () => {
  const owner = await solanaSigner("payer")
  const feePayer = await solanaSigner("fee payer")
  const merchant = solanaAddress("merchant")
  const mint = address(SOLANA_USDC)
  const tokenProgram = address(SOLANA_PROGRAMS.token)
  const [destination] = await findAssociatedTokenPda({ owner: merchant, mint, tokenProgram })
  const [source] = await findAssociatedTokenPda({ owner: owner.address, mint, tokenProgram })
  const requirements: PaymentRequirements = {
    scheme: "exact",
    network: SOLANA_NETWORK,
    amount: "5000",
    asset: SOLANA_USDC,
    payTo: merchant,
    maxTimeoutSeconds: 30,
    extra: { feePayer: feePayer.address }
  }
  return { owner, feePayer, mint, destination, source, requirements }
})
export type World = Effect.Effect.Success<typeof world>

export const limit = (units: number): Instruction => ({
  program: COMPUTE,
  accounts: [],
  data: data(2, ...little(BigInt(units), 4))
})
export const price = (micro: bigint): Instruction => ({
  program: COMPUTE,
  accounts: [],
  data: data(3, ...little(micro, 8))
})
export const memo = (text: string): Instruction => ({
  program: MEMO,
  accounts: [],
  data: Uint8Array.from(Buffer.from(text))
})
export const transfer = ({ destination, mint, owner, source }: World, amount = 5000n): Instruction => ({
  program: TOKEN,
  accounts: [source, mint, destination, owner.address],
  data: data(12, ...little(amount, 8), 6)
})
export const standard = (w: World): ReadonlyArray<Instruction> => [
  limit(20_000),
  price(1n),
  transfer(w),
  memo("nonce")
]

/** Compiles and signs by hand, because the official client would refuse to build most of these. */
export const build = (
  w: World,
  instructions: ReadonlyArray<Instruction>,
  options: {
    readonly signer?: KeyPairSigner
    readonly version?: 0 | "legacy"
    readonly feePayer?: Address
  } = {}
) =>
  Effect.promise(async () => {
    const signer = options.signer ?? w.owner
    const signers = [options.feePayer ?? w.feePayer.address, signer.address]
    const others = instructions.flatMap(({ accounts, program }) => [...accounts, program])
    const staticAccounts = [...new Set([...signers, ...others])]
    const message = {
      version: options.version ?? 0,
      header: { numSignerAccounts: 2, numReadonlySignerAccounts: 1, numReadonlyNonSignerAccounts: 1 },
      staticAccounts,
      lifetimeToken: solanaAddress("blockhash"),
      instructions: instructions.map(({ accounts, data, program }) => ({
        programAddressIndex: staticAccounts.indexOf(program),
        accountIndices: accounts.map((account) => staticAccounts.indexOf(account)),
        data
      }))
    }
    const bytes = Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message))
    const signature = await signBytes(signer.keyPair.privateKey, bytes)
    return Buffer.concat([data(2), new Uint8Array(64), signature, bytes]).toString("base64")
  })

export const verdictOf = (w: World, transaction: string, extra: Readonly<Record<string, unknown>> = {}) =>
  Effect.promise(() =>
    verifySvm({ transaction }, { ...w.requirements, extra: { ...w.requirements.extra, ...extra } })
  )

export const reasonOf = (w: World, transaction: string, extra: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(verdictOf(w, transaction, extra), (verdict) => (verdict.ok ? "accepted" : verdict.reason))
