/** Our settling side on the simulated Solana. */
import { Effect, Redacted } from "effect"
import { createHash, createPrivateKey, createPublicKey } from "node:crypto"
import type { Facilitator } from "../../src/payment/settler/remote/facilitator.ts"
import { makeRemote } from "../../src/payment/settler/remote/remote.ts"
import { makeSolanaEconomy } from "../../src/payment/settler/svm/economy.ts"
import { makeFeePayer } from "../../src/payment/settler/svm/fee-payer.ts"
import { makeSelfHostedSvm } from "../../src/payment/settler/svm/self-hosted.ts"
import { makeTransfers } from "../../src/payment/settler/svm/transfers.ts"
import { type Examination, makeExamination } from "../../src/payment/verifier/svm/examine.ts"
import { lookUpOnSolana } from "../../src/payment/verifier/svm/lookup.ts"
import { type SolanaNode, solanaNode } from "../../src/payment/verifier/svm/node.ts"
import { sharingStatuses } from "../../src/payment/verifier/svm/sharing.ts"
import { verifyOnSolana } from "../../src/payment/verifier/svm/verify.ts"
import { viewOfSolana } from "../../src/payment/verifier/svm/view.ts"
import { settings } from "../support/payment/base-settling.ts"
import type { SimSolanaNodes } from "./solana-node.ts"

const SOL_PRICE = 150_000_000n

const seed = createHash("sha256").update("our fee payer").digest()
const publicKey = createPublicKey(
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8"
  })
)
  .export({ format: "der", type: "spki" })
  .subarray(-32)

/** Our fee payer, the same in every process. */
export const simFeePayer = makeFeePayer(Redacted.make(Uint8Array.from(Buffer.concat([seed, publicKey]))))

interface SimSolanaOptions {
  readonly nodes: SimSolanaNodes
  readonly step: () => Promise<void>
  readonly facilitator: Facilitator | undefined
}

const makeOwn = (node: SolanaNode, nodes: ReadonlyArray<SolanaNode>, wasTried: Examination["wasTried"]) =>
  Effect.gen(function* () {
    const { address } = simFeePayer
    const transfers = yield* makeTransfers
    const balance = node.balance(address)
    const price = Effect.succeed(SOL_PRICE)
    const economy = yield* makeSolanaEconomy({ address, balance, transfers, price, settings })
    const lookup = lookUpOnSolana(nodes, (verified) => simFeePayer.sign(verified)?.id)
    const { finalityFrom } = settings
    const feePayer = simFeePayer
    const { settle } = yield* makeSelfHostedSvm({
      node,
      nodes,
      feePayer,
      transfers,
      economy,
      wasTried,
      finalityFrom,
      lookup
    })
    return { lookup, settle }
  })

/** What a process needs of Solana, with the real verifier and the real settler. */
export const makeSimSolana = ({ facilitator, nodes, step }: SimSolanaOptions) =>
  Effect.gen(function* () {
    const node = sharingStatuses(solanaNode({ host: "first,second", call: nodes.call(step) }))
    const { examine, wasTried } = makeExamination(node, simFeePayer.address)
    const each = ([0, 1] as const).map((at) =>
      solanaNode({ host: at === 0 ? "first" : "second", call: nodes.call(step, at) })
    )
    const searched = lookUpOnSolana(each, () => undefined)
    const { lookup, settle } =
      facilitator === undefined
        ? yield* makeOwn(node, each, wasTried)
        : { lookup: searched, settle: makeRemote(facilitator, searched).settle }
    return {
      verify: verifyOnSolana({
        node,
        lookup,
        examine,
        idOf: (verified) => (facilitator === undefined ? simFeePayer.sign(verified)?.id : undefined)
      }),
      settle,
      lookup,
      lookupOnChain: lookup,
      view: viewOfSolana(each)
    }
  })
