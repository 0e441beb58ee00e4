import type { Address } from "@solana/kit"
import { AccountRole, address } from "@solana/kit"
import { Effect, Schema } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import { olderThan } from "../../chain/solana-lists.ts"
import { makeSolanaHistory, type SolanaTransaction } from "../../chain/solana-history.ts"
import { Whole } from "../../chain/solana-wire.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import { fromBase58 } from "../../domain/base58.ts"
import { atLeastZero, min } from "../../domain/bigint.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import { isOnCurve } from "../../domain/ed25519-point.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { SOLANA_PROGRAMS } from "../../domain/solana-programs.ts"
import type { Evidence } from "../../payment/outcome.ts"
import type { CheckoutRepo } from "../checkout-repo.ts"
import { CheckoutConflict } from "../errors.ts"
import type { Transfer } from "../journal.ts"
import { knownUsdcAccount } from "../../chain/usdc-account.ts"
import { evidenceOf, type SeenRefund } from "../paid-record.ts"
import { referencesOf } from "../solana/account-history.ts"
import { memoOfTerms, refundReferenceOf } from "../solana/solana-pay.ts"
import { memoOf, TOKEN_PROGRAM, unsignedTransaction, USDC, usdcTransfer } from "../solana/transfer-message.ts"
import { makeUsdcMoves } from "../solana/usdc-moves.ts"
import type { Refund } from "./refund.ts"
import type { RefundCandidate, RefundChain } from "./refund-chain.ts"
import { requireArrival } from "./solana-arrival.ts"

const SYSTEM_PROGRAM = address(SOLANA_PROGRAMS.system)
const ASSOCIATED_TOKEN_PROGRAM = address(SOLANA_PROGRAMS.associatedToken)
/** Instruction number. Source: associated token account program, `CreateIdempotent`. */
const CREATE_IDEMPOTENT = 1

/** Blocks after a blockhash's last one until no fork can carry a transaction with it any more. */
const FINALITY_BLOCKS = 64
/**
 * Blocks of a blockhash's life without which a refund is not given to be signed: ten seconds. Its wallet would show what
 * lands no more when its merchant has read it.
 */
const LEAST_LEFT = 50
/** Transactions one look lists; nodes give no more at once. */
const LISTED = 1_000
/**
 * Of those, how many are read, the oldest first: strangers can name a refund's key only after the refund has shown it.
 * Where there are more, nothing is concluded.
 */
const READ = 20

const Latest = Schema.Struct({
  context: Schema.Struct({ slot: Whole }),
  value: Schema.Struct({ blockhash: Schema.String, lastValidBlockHeight: Whole })
})

type Solana = Pick<SolanaRpc, "call" | "getAccounts" | "nodes">

const rejected = (detail: string) => new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail })

/** Slot and block height that are final. */
const finalPlace = (call: SolanaRpc["call"]) =>
  Effect.all([
    call("getSlot", [{ commitment: "finalized" }], Whole),
    call("getBlockHeight", [{ commitment: "finalized" }], Whole)
  ])

const dying = new CheckoutConflict({
  message:
    "a refund to this payer is prepared, may have been sent, and has too little time left to be signed. Ask again in a minute: if it never lands, another is prepared"
})

/** Fails where there is no time left to sign a refund. Another one is prepared only when this one certainly never lands. */
const requireTime = (call: SolanaRpc["call"], { validUntil }: Refund) =>
  Effect.flatMap(call("getBlockHeight", [{ commitment: "confirmed" }], Whole), (height) =>
    validUntil !== null && validUntil - height < LEAST_LEFT ? dying : Effect.void
  )

const isOver = ({ validUntil }: Refund, height: number): boolean =>
  validUntil !== null && height > validUntil + FINALITY_BLOCKS

const tokensOf = (owner: string): Effect.Effect<Address, UpstreamError> =>
  Effect.map(knownUsdcAccount(owner), (account) => address(account))

interface Parties {
  readonly merchant: Address
  readonly payer: Address
  readonly source: Address
  readonly destination: Address
}

const createAccount = ({ destination, merchant, payer }: Parties) => ({
  programAddress: ASSOCIATED_TOKEN_PROGRAM,
  data: Uint8Array.of(CREATE_IDEMPOTENT),
  accounts: [
    { address: merchant, role: AccountRole.WRITABLE_SIGNER },
    { address: destination, role: AccountRole.WRITABLE },
    { address: payer, role: AccountRole.READONLY },
    { address: USDC, role: AccountRole.READONLY },
    { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
    { address: TOKEN_PROGRAM, role: AccountRole.READONLY }
  ]
})

/** The merchant's account, named by the order's memo; the payer's token account is made again if it was closed. */
const messageOf = (refund: Refund, parties: Parties, memo: string): string => {
  const { destination, merchant, source } = parties
  const transfer = usdcTransfer({
    source,
    destination,
    owner: merchant,
    amount: refund.amount,
    reference: address(refundReferenceOf(refund.id))
  })
  return unsignedTransaction(
    { feePayer: merchant, blockhash: refund.lifetime, validUntil: refund.validUntil ?? 0 },
    [createAccount(parties), transfer, memoOf(memo)]
  )
}

/**
 * Whether one node's own word is that the refund never landed: it is past what a fork could carry, its listings have
 * come to its final slot, and they name nothing but what was read and moved no money. What is listed by account is
 * written after the blocks; how far it is shows in the mint, which every transfer of USDC names.
 */
const saysNowhere = (
  { call }: SolanaRpc["nodes"][number],
  refund: Refund,
  reference: SolanaAddress,
  read: ReadonlySet<string>
) =>
  Effect.gen(function* () {
    const history = makeSolanaHistory(call)
    const [slot, height] = yield* finalPlace(call)
    if (!isSolanaAddress(SOLANA_USDC) || !isOver(refund, height)) return false
    const minContextSlot = BigInt(slot)
    const pages = (limit: number, before?: string) =>
      history.getSignatures(reference, { limit, before, minContextSlot })
    const [newest] = yield* history.getSignatures(SOLANA_USDC, { limit: 1, minContextSlot })
    const listed = yield* pages(LISTED)
    const older = yield* olderThan(pages, listed)
    const isKnown = newest !== undefined && newest.slot >= slot && older?.length === 0
    return isKnown && listed.every(({ failed, signature }) => failed || read.has(signature))
  })

/** Where the account that tokens go to stands in a transfer, by its instruction's number. Source: SPL Token. */
const DESTINATION: Readonly<Record<number, number>> = { 3: 1, 12: 2 }

/** What an instruction takes out of an account, smallest units: none where it is no transfer to another one. */
const takenFrom = (
  source: string,
  { accounts, data, program }: SolanaTransaction["instructions"][number]
) => {
  const destination = DESTINATION[data[0] ?? 0]
  if (program !== TOKEN_PROGRAM || destination === undefined || data.length < 9) return 0n
  if (accounts[0] !== source || accounts[destination] === source) return 0n
  return new DataView(data.buffer, data.byteOffset).getBigUint64(1, true)
}

/** What the transfers that name a key take out of an account. */
const namedBy = ({ instructions }: SolanaTransaction, key: string, source: string): bigint =>
  instructions
    .filter(({ accounts }) => accounts.includes(key))
    .reduce((total, instruction) => total + takenFrom(source, instruction), 0n)

type OrdersNamed = CheckoutRepo["Type"]["findByReferences"]

/**
 * Reads a transaction that names a refund's key. As a rule all that left the merchant is this refund. Where its merchant
 * has put refunds of several orders into it, each is what the transfers with its own key have moved, under a name of its own.
 */
const makeTransferIn = (solana: Solana, ordersNamed: OrdersNamed) => {
  const history = makeSolanaHistory(solana.call)
  const movesOf = makeUsdcMoves(solana)

  return Effect.fnUntraced(function* (signature: string, refund: Refund, { payTo }: CheckoutTerms) {
    const transaction = yield* history.getTransaction(signature)
    if (transaction === null || transaction.blockTime === null)
      return yield* rejected("listed and not readable yet")
    const { blockTime, instructions, slot } = transaction
    const key = refundReferenceOf(refund.id)
    const index = instructions.find(({ accounts }) => accounts.includes(key))?.position ?? 0
    const seen = (evidence: string, amount: bigint): SeenRefund => {
      // This account is looked for in the merchant's own list.
      const place: Evidence = {
        network: SOLANA_NETWORK,
        transaction: signature,
        index,
        height: slot,
        payer: payTo,
        payTo,
        amount: atLeastZero(amount).toString()
      }
      const { checkoutId, payer } = refund
      const at = blockTime * 1000
      const transfer: Transfer = {
        evidence,
        checkoutId,
        via: "refund",
        transaction: signature,
        payer,
        amount,
        at
      }
      return { transfer, place }
    }
    const left = -((yield* movesOf(transaction)).get(payTo) ?? 0n)
    if (left <= 0n) return []
    const evidence = evidenceOf(SOLANA_NETWORK, signature, "")
    const own = min(left, namedBy(transaction, key, yield* knownUsdcAccount(payTo)))
    if (own === 0n) return [seen(evidence, left)]
    const apart = seen(`${evidence}:${refund.id}`, own)
    const named = yield* ordersNamed(referencesOf(transaction))
    const isShared = named.some(({ id }) => id !== refund.checkoutId)
    return [isShared ? apart : { ...seen(evidence, left), apart }] satisfies ReadonlyArray<RefundCandidate>
  })
}

/** Builds `look`: everything that names the refund's key, up to a height past its blockhash. */
const makeLook = (solana: Solana, ordersNamed: OrdersNamed): RefundChain["look"] => {
  const { call, nodes } = solana
  const history = makeSolanaHistory(call)
  const transferIn = makeTransferIn(solana, ordersNamed)

  return Effect.fnUntraced(function* (refund, terms) {
    const reference = refundReferenceOf(refund.id)
    if (!isSolanaAddress(reference)) return yield* rejected("reference")
    // The height is read first: what is listed afterwards includes everything that could land up to it.
    const [slot, height] = yield* finalPlace(call)
    const listed = yield* history.getSignatures(reference, { limit: LISTED, minContextSlot: BigInt(slot) })
    const landed = listed.filter(({ failed }) => !failed).toReversed()
    const read = landed.slice(0, READ)
    const candidates = (yield* Effect.forEach(read, ({ signature }) =>
      transferIn(signature, refund, terms)
    )).flat()
    const names = new Set(read.map(({ signature }) => signature))
    const isNowhere =
      candidates.length === 0 &&
      landed.length <= READ &&
      isOver(refund, height) &&
      (yield* Effect.exists(nodes, (node) =>
        Effect.orElseSucceed(saysNowhere(node, refund, reference, names), () => false)
      ))
    return { candidates, lookedTo: slot, state: isNowhere ? "void" : "open" } as const
  })
}

/**
 * Refunds on Solana: a transfer with the order's memo and a key of its own, by which it is found. As long as there is time
 * to sign it the same bytes are given again, so signing twice is one transaction.
 */
export const makeSolanaRefunds = (solana: Solana, ordersNamed: OrdersNamed): RefundChain => {
  const { call } = solana
  const isKeyless = (payer: string) => {
    const key = fromBase58(payer)
    return Effect.succeed(key === undefined || !isOnCurve(key))
  }

  const anchor = () =>
    Effect.map(call("getLatestBlockhash", [{ commitment: "confirmed" }], Latest), ({ context, value }) => ({
      lifetime: value.blockhash,
      validUntil: value.lastValidBlockHeight,
      lookedTo: context.slot
    }))

  const unsigned = Effect.fnUntraced(function* (refund: Refund, terms: CheckoutTerms) {
    yield* requireTime(call, refund)
    yield* requireArrival(solana, refund, terms.payTo)
    const parties = {
      merchant: address(terms.payTo),
      payer: address(refund.payer),
      source: yield* tokensOf(terms.payTo),
      destination: yield* tokensOf(refund.payer)
    }
    return { transaction: messageOf(refund, parties, memoOfTerms(terms)), call: null }
  })

  // There is nothing but the transaction itself to send, and a blockhash that is over stays so.
  const lookLate: RefundChain["lookLate"] = ({ lookedTo }) =>
    Effect.succeed({ candidates: [], lookedTo, isToHead: true })

  return { isKeyless, anchor, unsigned, look: makeLook(solana, ordersNamed), lookLate }
}
