/** A remote x402 facilitator over HTTP, built on the official one with the sandbox's keys, that can also lie. */
import { x402Facilitator } from "@x402/core/facilitator"
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types"
import { toFacilitatorEvmSigner } from "@x402/evm"
import { ExactEvmScheme } from "@x402/evm/exact/facilitator"
import { toFacilitatorSvmSigner } from "@x402/svm"
import { ExactSvmScheme } from "@x402/svm/exact/facilitator"
import { Effect } from "effect"
import { createWalletClient, http, publicActions } from "viem"
import { base as baseChain } from "viem/chains"
import type { HttpFault, JsonAnswer } from "../../scripts/sandbox/json-server.ts"
import { serveJson } from "../../scripts/sandbox/json-server.ts"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"

/** What it does instead of its work, switched by assignment. `lost` does it and cuts the connection. */
export interface FacilitatorFaults {
  verify: "honest" | "always-valid" | "always-invalid" | "sent-all-the-same" | "blind" | HttpFault
  settle: "honest" | "failed" | "pending" | "lost" | HttpFault
}

export interface FacilitatorDouble {
  readonly url: string
  readonly faults: FacilitatorFaults
  /** Bodies of the calls so far, as parsed JSON. */
  readonly calls: { readonly verify: Array<unknown>; readonly settle: Array<unknown> }
}

interface Message {
  readonly paymentPayload: PaymentPayload
  readonly paymentRequirements: PaymentRequirements
}

const makeOfficial = ({ base, solana }: Sandbox): x402Facilitator => {
  const wallet = createWalletClient({
    account: base.accounts.settler,
    chain: baseChain,
    transport: http(base.url, { retryCount: 0 }),
    pollingInterval: 50
  }).extend(publicActions)
  const evm = toFacilitatorEvmSigner({
    address: base.accounts.settler.address,
    getCode: (args) => wallet.getCode(args),
    readContract: (args) => wallet.readContract(args),
    // The exact scheme recovers signers itself and never asks for this.
    verifyTypedData: () => Promise.reject(new Error("not used by EIP-3009")),
    writeContract: ({ abi, address, args, functionName }) =>
      wallet.writeContract({ abi, address, args, functionName }),
    sendTransaction: (args) => wallet.sendTransaction(args),
    waitForTransactionReceipt: ({ hash }) => wallet.waitForTransactionReceipt({ hash })
  })
  const svm = toFacilitatorSvmSigner(solana.accounts.feePayer, { defaultRpcUrl: solana.url })
  return new x402Facilitator()
    .register(BASE_NETWORK, new ExactEvmScheme(evm))
    .register(SOLANA_NETWORK, new ExactSvmScheme(svm))
}

const ok = (body: unknown): JsonAnswer => ({ status: 200, body })

/** What the official facilitator says of every payment while its own node does not answer. */
const BLIND: Readonly<Record<string, string>> = {
  [BASE_NETWORK]: "invalid_exact_evm_signature",
  [SOLANA_NETWORK]: "invalid_exact_svm_transaction_simulation_failed"
}

export const startFacilitator = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const official = makeOfficial(sandbox)
    const faults: FacilitatorFaults = { verify: "honest", settle: "honest" }
    const calls: FacilitatorDouble["calls"] = { verify: [], settle: [] }

    const verify = async ({ paymentPayload, paymentRequirements }: Message): Promise<JsonAnswer> => {
      switch (faults.verify) {
        case "honest":
          return ok(await official.verify(paymentPayload, paymentRequirements))
        case "always-valid":
          return ok({ isValid: true, payer: "0x0000000000000000000000000000000000000001" })
        case "always-invalid":
          return ok({ isValid: false, invalidReason: "invalid_because_we_say_so" })
        case "sent-all-the-same":
          await official.settle(paymentPayload, paymentRequirements)
          return ok({ isValid: false, invalidReason: "invalid_because_we_say_so" })
        case "blind":
          return ok({ isValid: false, invalidReason: BLIND[paymentRequirements.network] })
        default:
          return { status: 200, body: null, fault: faults.verify }
      }
    }

    const settle = async ({ paymentPayload, paymentRequirements }: Message): Promise<JsonAnswer> => {
      const nothing = { success: false, transaction: "", network: paymentRequirements.network }
      switch (faults.settle) {
        case "honest":
          return ok(await official.settle(paymentPayload, paymentRequirements))
        case "failed":
          return ok({ ...nothing, errorReason: "insufficient_funds" })
        case "pending":
          return ok({ ...nothing, errorReason: "settlement_pending" })
        case "lost":
          await official.settle(paymentPayload, paymentRequirements)
          return { status: 200, body: null, fault: "reset" }
        default:
          return { status: 200, body: null, fault: faults.settle }
      }
    }

    const server = yield* serveJson(async ({ body, url }) => {
      if (url.pathname === "/supported") return ok(official.getSupported())
      const message: Message = JSON.parse(body)
      if (url.pathname === "/verify") {
        calls.verify.push(message)
        return verify(message)
      }
      calls.settle.push(message)
      return settle(message)
    })
    const double: FacilitatorDouble = { url: server.url, faults, calls }
    return double
  })
