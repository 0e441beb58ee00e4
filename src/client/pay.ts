import type { Deadline } from "./deadline.ts"
import { MalformedChallenge, PolicyRefusal, SigningFailed, TokenRiskError } from "./errors.ts"
import type { OpenPayment, Budget } from "./budget.ts"
import { proofIn } from "./proof.ts"
import { readChallenge, readReceipt } from "./read.ts"
import type { Call, Fetch, Reply } from "./transport.ts"
import { LostReply, send, waitMillis } from "./transport.ts"
import type { PaymentRequired, PaymentRequirements } from "./types.ts"
import type { Wallet } from "./wallet.ts"

/** How often a paid request is repeated with the same payment. */
const RESENDS = 5
const PAUSE_AFTER_LOSS_MS = 1_000

/**
 * Asked last before a payment is signed, for a person or for a limit the policy does not know. `false` or an exception
 * stops the payment: nothing is signed.
 */
export type Approve = (chosen: PaymentRequirements) => boolean | Promise<boolean>

/** What a call pays with. */
export interface Payer {
  readonly fetch: Fetch
  readonly wallet: Wallet
  readonly budget: Budget
  readonly approve: Approve | undefined
}

/** How a call ended: with an answer, or without one; and the payment it was sent with, if any. */
export interface Exchange {
  readonly answer: Reply | LostReply
  readonly payment: OpenPayment | undefined
}

const sameOrigin = (resource: string, request: string): boolean =>
  URL.canParse(resource) && new URL(resource).origin === new URL(request).origin

const challengeIn = (answer: Reply, url: string): PaymentRequired => {
  const challenge = readChallenge(answer.headers.get("payment-required") ?? "")
  if (challenge === undefined)
    throw new MalformedChallenge(
      "the 402 has no PAYMENT-REQUIRED header with an x402 v2 challenge: is this the address of a token-risk service?"
    )
  if (!sameOrigin(challenge.resource.url, url))
    throw new MalformedChallenge(
      `the challenge is for ${challenge.resource.url}, not for ${url}: use the address the service publishes as its own`
    )
  return challenge
}

const approved = async (approve: Approve | undefined, chosen: PaymentRequirements): Promise<void> => {
  if (approve !== undefined && !(await approve(chosen))) throw new PolicyRefusal(["not approved"])
}

/** Waits for what may never come, such as a wallet's dialogue that nobody answers, but not beyond the deadline. */
const inTime = <A>(deadline: Deadline, waited: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    waited.then(resolve, reject)
    const end = () => reject(deadline.over(false))
    if (deadline.signal.aborted) end()
    else deadline.signal.addEventListener("abort", end, { once: true })
  })

const signed = async (
  wallet: Wallet,
  challenge: PaymentRequired,
  chosen: PaymentRequirements,
  deadline: Deadline
) => {
  try {
    return await inTime(deadline, wallet.sign(challenge, chosen))
  } catch (cause) {
    throw cause instanceof TokenRiskError ? cause : new SigningFailed(cause)
  }
}

/** Signs one payment under the policy. Whatever goes wrong here, nothing has been sent and the budget is as before. */
const authorize = async (
  payer: Payer,
  answer: Reply,
  call: Call,
  deadline: Deadline
): Promise<OpenPayment> => {
  const challenge = challengeIn(answer, call.url)
  const chosen = payer.budget.reserve(challenge, payer.wallet.networks)
  const amount = BigInt(chosen.amount)
  const stopIfOver = () => {
    const over = deadline.over(false)
    if (over !== undefined) throw over
  }
  try {
    await deadline.uncounted(() => approved(payer.approve, chosen))
    stopIfOver()
    const header = await signed(payer.wallet, challenge, chosen, deadline)
    stopIfOver()
    return { header, amount }
  } catch (error) {
    payer.budget.release(amount)
    throw error
  }
}

/**
 * Repeats one paid request, byte for byte, while its outcome is open. Never signs again: a second signature would be a
 * second payment.
 */
const sendUntilSettled = async (
  fetcher: Fetch,
  call: Call,
  deadline: Deadline
): Promise<Reply | LostReply> => {
  for (let resends = RESENDS; ; resends--) {
    const answer = await send(fetcher, call, deadline)
    const again = answer instanceof LostReply || answer.status === 503 || answer.status === 429
    if (!again || resends === 0 || deadline.signal.aborted) return answer
    await deadline.pause(answer instanceof LostReply ? PAUSE_AFTER_LOSS_MS : waitMillis(answer))
    if (deadline.signal.aborted) return answer
  }
}

const key = (call: Call): string => JSON.stringify([call.method, call.url, call.body, call.headers])

const sendPaid = async (
  payer: Payer,
  call: Call,
  payment: OpenPayment,
  deadline: Deadline
): Promise<Reply | LostReply> => {
  const { budget } = payer
  const paidCall = { ...call, headers: { ...call.headers, "payment-signature": payment.header } }
  const answer = await sendUntilSettled(payer.fetch, paidCall, deadline)
  const proof = proofIn(answer)
  const isDelivered = proof === "paid" && !(answer instanceof LostReply) && answer.status === 200
  if (proof === "unpaid") budget.refused(payment.amount)
  else if (proof !== "used" && !isDelivered) budget.keep(key(call), payment)
  const receipt =
    answer instanceof LostReply ? undefined : readReceipt(answer.headers.get("payment-response"))
  if (receipt?.success === true) budget.record({ resource: call.url, amount: payment.amount, receipt })
  return answer
}

/**
 * Makes a call and pays for it if asked to: at most one new signature. A payment left open by an earlier identical call
 * is sent first, and a new one is signed only when the service has refused that one.
 */
export const payFor = async (
  payer: Payer,
  call: Call,
  deadline: Deadline,
  resumed: string | undefined
): Promise<Exchange> => {
  const earlier = resumed === undefined ? payer.budget.take(key(call)) : { header: resumed, amount: 0n }
  const first =
    earlier === undefined
      ? await send(payer.fetch, call, deadline)
      : await sendPaid(payer, call, earlier, deadline)
  const asksForPayment = !(first instanceof LostReply) && first.status === 402
  if (!asksForPayment || (earlier !== undefined && proofIn(first) !== "unpaid"))
    return { answer: first, payment: earlier }
  const payment = await authorize(payer, first, call, deadline)
  return { answer: await sendPaid(payer, call, payment, deadline), payment }
}
