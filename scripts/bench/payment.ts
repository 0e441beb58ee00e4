/** Prints what checking one EIP-3009 signature costs here and in viem. `npx tsx scripts/bench/payment.ts` */
import { hashTypedData, recoverAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { BASE_NETWORK, BASE_USDC } from "../../src/domain/chain.ts"
import { verifyEip3009 } from "../../src/payment/verifier/evm/verify-locally.ts"
import { typedAuthorization } from "../sandbox/base/eip3009.ts"

const NOW = 1_800_000_000n
const account = privateKeyToAccount(generatePrivateKey())
const payTo = `0x${"77".repeat(20)}`
const authorization = {
  from: account.address.toLowerCase(),
  to: payTo,
  value: "5000",
  validAfter: "0",
  validBefore: (NOW + 60n).toString(),
  nonce: `0x${"ab".repeat(32)}`
}
const typedData = typedAuthorization(authorization)
const signature = await account.signTypedData(typedData)
const requirements = {
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: BASE_USDC,
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" }
} as const

/** CPU microseconds of one call, the best of three rounds. */
const measure = async (times: number, call: () => Promise<unknown>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) await call()
    const { system, user } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / times)
  }
  return best
}

const ours = await measure(2_000, () => verifyEip3009({ authorization, signature }, requirements, NOW))
const viem = await measure(200, () => recoverAddress({ hash: hashTypedData(typedData), signature }))
console.log(
  `local check ${ours.toFixed(0)} µs, viem ${viem.toFixed(0)} µs, ratio ${(viem / ours).toFixed(1)}`
)
